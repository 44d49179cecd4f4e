"""The mini's own tokenizer: whole words, every text losslessly, longest match first.

Relation names fall into words (`place_of_birth`: `place`, `_of`, `_birth`), so that they share
meaning with the question's words. What is no known word falls into bytes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers

from trellis.steps.link.mask_mentions import mention_placeholder
from trellis.steps.link.values.value_mentions import value_name
from trellis.training.language_models.words import frequent_words

PAD, END = "<pad>", "<end>"
MENTIONS = 10
"""Placeholders that are pieces of their own; more are spelled."""

_BEFORE = " _Ġ"  # what may stand before a word in its piece
_MANY = 20_000  # prompts, from which on words may be misspelt ones
_RARE = 2_000  # a piece is rare that fewer than one prompt in so many has
_LONGEST = 40  # characters of a piece: bounds the work on endless words
_SPLIT = (
    rf" ?ENT\d{{1,2}}| ?v\d{{1,2}}(?!\w)| ?['’]s(?!\w)"
    rf"|[ _]?\p{{Lu}}?[\p{{Ll}}\p{{Lo}}\p{{M}}]{{1,{_LONGEST}}}"
    rf"|[ _]?\p{{Lu}}{{1,{_LONGEST}}}"
    r"|[ _]?\d| ?[<\-&]{1,2}>?| ?[^\s\w]|\s|_"
)
_SIGNS = (" ->", " <-", " &", " ?", "?", " '", "'s", " 's", "'", ",", " ,", ".", " .", ":", "\n")


def build_tokenizer(
    texts: Iterable[str], words: Sequence[str], prompts: Sequence[str] = ()
) -> Tokenizer:
    """A tokenizer that knows the pieces of `texts` and, after a space, each of `words`.

    Of `prompts` it knows the English words, and pieces that are not rare: a misspelt word falls
    into bytes.
    """
    tokenizer = Tokenizer(models.WordPiece({}, unk_token=PAD, max_input_chars_per_word=1000))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(_SPLIT), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    split = tokenizer.pre_tokenizer.pre_tokenize_str
    counts = Counter(piece for text in prompts for piece, _ in split(text))
    least = len(prompts) // _RARE if len(prompts) >= _MANY else 0
    english = set(frequent_words())
    seen = {
        piece
        for piece, count in counts.items()
        if count >= least or piece.strip(_BEFORE).lower() in english
    }
    seen |= {piece for text in texts for piece, _ in split(text)}
    known = [
        _encode_bytes(text) for text in (*_SIGNS, *_list_placeholders(), *(f" {w}" for w in words))
    ]
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    pieces = dict.fromkeys([PAD, END, *alphabet, *known, *sorted(seen)])
    tokenizer.model = models.WordPiece(
        {piece: at for at, piece in enumerate(pieces)},
        unk_token=PAD,
        max_input_chars_per_word=1000,
        continuing_subword_prefix="",
    )
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([PAD, END])
    return tokenizer


def find_word_tokens(tokenizer: Tokenizer) -> dict[int, str]:
    """The tokens that are words, and the words they are: lower-case, without the sign before."""
    word_of_token: dict[int, str] = {}
    for token in range(tokenizer.get_vocab_size()):
        word = tokenizer.decode([token]).strip(" _").lower()
        if re.fullmatch(r"[^\W\d_]{2,}", word):
            word_of_token[token] = word
    return word_of_token


def _list_placeholders() -> list[str]:
    names = (name(i) for i in range(MENTIONS) for name in (mention_placeholder, value_name))
    return [f"{space}{name}" for name in names for space in (" ", "")]


def _encode_bytes(text: str) -> str:
    """A text in the byte alphabet."""
    split = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    return "".join(piece for piece, _ in split.pre_tokenize_str(text))
