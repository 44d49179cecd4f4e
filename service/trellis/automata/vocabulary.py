"""A tokenizer as the automata see it: one spelling for each segment, no special tokens."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Tokens = tuple[int, ...]


class Vocabulary(Protocol):
    """What a token automaton needs of a tokenizer."""

    @property
    def size(self) -> int:
        """Number of token ids, padding included: masks have a bit for each."""
        ...

    @property
    def ends(self) -> frozenset[int]:
        """The ids that end a text; never part of a segment."""
        ...

    @property
    def fingerprint(self) -> str:
        """Equal for equal spellings: masks of one vocabulary are wrong for another."""
        ...

    def encode(self, text: str) -> Tokens:
        """The one spelling of a text; text that looks like a special token is plain text."""
        ...

    def encode_all(self, texts: Sequence[str]) -> list[Tokens]: ...

    def decode(self, tokens: Sequence[int]) -> str: ...


class TokenizerVocabulary:
    """A Hugging Face tokenizer as a vocabulary; spellings are kept in a bounded cache."""

    def __init__(self, tokenizer: Tokenizer, ends: Collection[int], size: int = 0) -> None:
        tokenizer.encode_special_tokens = True
        tokenizer.no_padding()
        tokenizer.no_truncation()
        self._tokenizer = tokenizer
        self._ends = frozenset(ends)
        self._size = max(size, tokenizer.get_vocab_size(with_added_tokens=True))
        self._fingerprint = fingerprint(tokenizer)
        self._cached = lru_cache(maxsize=1 << 18)(self._encode)

    @property
    def size(self) -> int:
        return self._size

    @property
    def ends(self) -> frozenset[int]:
        return self._ends

    @property
    def fingerprint(self) -> str:
        return self._fingerprint

    def encode(self, text: str) -> Tokens:
        return self._cached(text)

    def encode_all(self, texts: Sequence[str]) -> list[Tokens]:
        return [self._cached(text) for text in texts]

    def decode(self, tokens: Sequence[int]) -> str:
        return str(self._tokenizer.decode(list(tokens), skip_special_tokens=False))

    def _encode(self, text: str) -> Tokens:
        return tuple(self._tokenizer.encode(text, add_special_tokens=False).ids)


def fingerprint(tokenizer: Tokenizer) -> str:
    """A short hash of all that decides a tokenizer's spellings."""
    return hashlib.sha256(tokenizer.to_str().encode()).hexdigest()[:16]
