"""Assertions in words: how the relations of a graph are said between two entities.

Each relation has one wording that a model learns to write, from head to tail, and more that a model
learns to read: its nouns and verb phrases of the wording library, either way.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from trellis.automata.assertions.language import ASSERTION_STOP
from trellis.domain.graphs.graph import Step
from trellis.domain.graphs.sentences import is_state_phrase, is_verb_phrase, relation_words
from trellis.domain.identifiers import put_last_first, split_identifier
from trellis.lexicon.phrasebook import Phrasebook
from trellis.training.synthesis.predicates import list_predicates

_MOST_VARIANTS = 4  # of a relation, each way

_SAYABLE = re.compile(r"\S+( \S+)*")


@dataclass(frozen=True, slots=True)
class EntityWords:
    """Words between two entities; `is_turned`: they are said from tail to head."""

    words: str
    is_turned: bool = False


@dataclass(frozen=True, slots=True)
class AssertionWords:
    """The wording of each relation that is written, and others that are read."""

    written: Mapping[str, str]
    read: Mapping[str, tuple[EntityWords, ...]]

    @classmethod
    def of(cls, relations: Sequence[str], book: Phrasebook) -> AssertionWords:
        """The wordings of some relations; those of two relations are told apart."""
        usual = {name: _write_words(name, book) for name in relations}
        counts = Counter(usual.values())
        written = {
            name: words if counts[words] == 1 and words else _write_whole(name)
            for name, words in usual.items()
        }
        taken = set(written.values())
        return cls(
            written,
            {
                name: tuple(w for w in _list_variants(name, book) if w.words not in taken)
                for name in relations
            },
        )


def _write_words(name: str, book: Phrasebook) -> str:
    """The words of a relation as a verb phrase: `has capital`, `is in country`, `'s spouse is`.

    What the wording library knows as a noun is one, even if it looks like a verb: `'s parents is`.
    """
    words = relation_words(name)
    if not words:
        return ""
    phrase = " ".join(words)
    is_noun = len(words) == 1 and phrase in book.phrases_of(Step(name)).nouns
    if is_verb_phrase(words) and not is_noun:
        return phrase
    return f"is {phrase}" if is_state_phrase(words) else f"'s {phrase} is"


def _write_whole(name: str) -> str:
    """A relation by all words of its name, which tell it from others; never what ends words."""
    said = " ".join(split_identifier(put_last_first(name)))
    if said:
        return f"'s {said} is"
    kept = "".join(sign for sign in name if sign not in ASSERTION_STOP and sign.isprintable())
    return " ".join(kept.split()) or "is related to"


def _list_variants(name: str, book: Phrasebook) -> Iterator[EntityWords]:
    """Other wordings, of the wording library."""
    for back in (False, True):
        phrases = book.phrases_of(Step(name, back))
        found = [f"'s {noun} is" for noun in phrases.nouns]
        yield from (EntityWords(words, back) for words in _keep_sayable(found))
        verbs = [p.removesuffix(" {}") for p in list_predicates(phrases) if p.endswith(" {}")]
        yield from (EntityWords(words, not back) for words in _keep_sayable(verbs))


def _keep_sayable(texts: Sequence[str]) -> list[str]:
    return [
        text
        for text in dict.fromkeys(texts)
        if _SAYABLE.fullmatch(text) and "{" not in text and ASSERTION_STOP.isdisjoint(text)
    ][:_MOST_VARIANTS]
