"""A small language with free text, a vocabulary that can be gone through whole, and brute force."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product

from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from trellis.automata.language import SHORTEST_TEXT, FreeText, MoveId, Moves
from trellis.automata.tokens.vocabulary import TokenizerVocabulary

STOP = frozenset(";()")
TEXT = re.compile(r"[^\s;()\x00-\x1f\x7f-\x9f]+( [^\s;()\x00-\x1f\x7f-\x9f]+)*")


@dataclass(frozen=True)
class Remark:
    """The sentence so far, what comes next, and whether its first text is one apart."""

    text: str = ""
    next: str = "opening"
    is_apart: bool = False


TEXTS = {"opening": (" b",), "sign": (" ;",), "name": (" a", " ab ("), "close": (")",)}
THEN = {"opening": "first", "sign": "name", "close": "end"}


class Remarks:
    """Sentences ` b<text> ; a` and ` b<text> ; ab (<text>)`; after a text apart the longer ones."""

    def __init__(self, most: int, apart: tuple[str, ...] = ("a", "é")) -> None:
        self.most = most
        self.apart = frozenset(apart)

    def start(self) -> Remark:
        return Remark()

    def site(self, state: Remark) -> object:
        return self.moves(state) if state.next in ("first", "second") else self._texts(state)

    def moves(self, state: Remark) -> Moves | FreeText:
        if state.next == "first":
            return FreeText(self.most, STOP, apart=self.apart)
        if state.next == "second":
            return FreeText(self.most, STOP, lead="")
        return Moves(self._texts(state))

    def list_excluded_moves(self, state: Remark) -> tuple[MoveId, ...]:  # noqa: ARG002
        return ()

    def follow(self, state: Remark, move: MoveId) -> Remark:
        said = self._texts(state)[move]
        after = THEN.get(state.next, "second" if "(" in said else "end")
        return Remark(state.text + said, after, state.is_apart)

    def follow_text(self, state: Remark, text: str) -> Remark:
        if state.next == "first":
            return Remark(f"{state.text} {text}", "sign", text in self.apart)
        return Remark(state.text + text, "close", state.is_apart)

    def accepting(self, state: Remark) -> bool:
        return state.next == "end"

    def values(self, state: Remark) -> tuple[str, ...]:
        return (state.text,)

    def text(self, state: Remark) -> str:
        return state.text

    def reserve(self, state: Remark) -> tuple[int, int]:  # noqa: ARG002
        return 2 + 5 + 2 * SHORTEST_TEXT + 1, 5

    def _texts(self, state: Remark) -> tuple[str, ...]:
        texts = TEXTS.get(state.next, ())
        return texts[1:] if state.next == "name" and state.is_apart else texts


@cache
def tiny_vocabulary() -> TokenizerVocabulary:
    """Sixteen tokens: letters, some of them joined, one letter of two bytes, and its bytes."""
    merges = [("Ġ", "a"), ("a", "b"), ("Ã", "©"), ("Ġ", ";"), ("Ġ", "b"), ("Ġ", "(")]
    letters = ["Ġ", "a", "b", ";", "(", ")", "Ã", "©"]
    words = [*letters, *map("".join, merges), "©a", "<end>"]
    tokenizer = Tokenizer(models.BPE({word: i for i, word in enumerate(words)}, merges))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(["<end>"])
    return TokenizerVocabulary(tokenizer, [words.index("<end>")])


BYTES = b" |a|b|;|(|)|\xc3|\xa9| a|ab|\xc3\xa9| ;| b| (|\xa9a|".split(b"|")
"""What the tokens of `tiny_vocabulary` stand for; the last is special."""


def list_sentences(language: Remarks, longest: int) -> dict[tuple[int, ...], str]:
    """All token sequences of at most so many tokens, with their texts, by the book."""
    free = dict(_list_free_texts(language.most))
    spell = tiny_vocabulary().encode
    found = {}
    for first, text in free.items():
        if not text.startswith(" ") or not TEXT.fullmatch(text[1:]):
            continue
        begun = (*spell(" b"), *first, *spell(" ;"))
        if text[1:] not in language.apart:
            found[*begun, *spell(" a")] = f" b{text} ; a"
        for second, inner in free.items():
            if TEXT.fullmatch(inner):
                tokens = (*begun, *spell(" ab ("), *second, *spell(")"))
                found[tokens] = f" b{text} ; ab ({inner})"
    return {tokens: text for tokens, text in found.items() if len(tokens) <= longest}


def _list_free_texts(most: int) -> Iterator[tuple[tuple[int, ...], str]]:
    for size in range(1, most + 1):
        for tokens in product(range(len(BYTES) - 1), repeat=size):
            try:
                yield tokens, b"".join(BYTES[token] for token in tokens).decode()
            except UnicodeDecodeError:
                continue
