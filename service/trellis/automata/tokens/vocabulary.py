"""A tokenizer as the automata see it: one spelling for each segment, no special tokens."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import numpy as np

from trellis.automata.tokens.free_tokens import LONGEST_TOKEN, FreeTokens
from trellis.automata.tokens.token_bytes import list_token_bytes

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Tokens = tuple[int, ...]

Spelling = bytes
"""A token row as big-endian int32. Bytes sort in the order of their tokens, and sorting them takes
a tenth of the time and memory."""

_BATCH = 8_192
_GROWS = 17
"""How many times longer a normalised text can be in UTF-8 (NFKC grows it 11 times at most)."""


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

    @property
    def growth(self) -> int:
        """A text of b bytes in UTF-8 has at most `growth * b + 1` tokens."""
        ...

    @property
    def longest_token(self) -> int:
        """The most characters of a token in free text."""
        ...

    def encode(self, text: str) -> Tokens:
        """The one spelling of a text; text that looks like a special token is plain text."""
        ...

    def spell(self, texts: Sequence[str]) -> list[Spelling]:
        """The spellings of many texts."""
        ...

    def decode(self, tokens: Sequence[int]) -> str:
        """The text of some tokens; it differs from the encoded one where the tokenizer
        normalises."""
        ...

    def free_tokens(self, stop: frozenset[str]) -> FreeTokens:
        """The tokens that free text without the characters of `stop` consists of; made once."""
        ...


class TokenizerVocabulary:
    """A Hugging Face tokenizer as a vocabulary.

    `ends`: the ids that end a text. `size`: the model's vocabulary size where it is larger than the
    tokenizer's. `cache_bytes`: the most bytes of spellings that are remembered.
    """

    def __init__(
        self, tokenizer: Tokenizer, ends: Collection[int], size: int = 0, cache_bytes: int = 1 << 28
    ) -> None:
        tokenizer.encode_special_tokens = True
        tokenizer.no_padding()
        tokenizer.no_truncation()
        self._tokenizer = tokenizer
        self._ends = frozenset(ends)
        self._size = max(size, tokenizer.get_vocab_size(with_added_tokens=True))
        self._fingerprint = compute_fingerprint(tokenizer)
        self._spellings = SpellingCache(cache_bytes)
        self._free_tokens: dict[frozenset[str], FreeTokens] = {}

    @property
    def size(self) -> int:
        return self._size

    @property
    def text_tokens(self) -> int:
        """The number of tokens that texts consist of, without those that the tokenizer adds."""
        return int(self._tokenizer.get_vocab_size(with_added_tokens=False))

    @property
    def ends(self) -> frozenset[int]:
        return self._ends

    @property
    def fingerprint(self) -> str:
        return self._fingerprint

    @property
    def growth(self) -> int:
        return 1 if self._tokenizer.normalizer is None else _GROWS

    @property
    def longest_token(self) -> int:
        return LONGEST_TOKEN

    def encode(self, text: str) -> Tokens:
        return tokens_of(self.spell([text])[0])

    def encode_marked(self, text: str) -> Tokens:
        """The tokens of a text of our own, in which special tokens are read as such."""
        return tuple(self._marked.encode(text, add_special_tokens=False).ids)

    @cached_property
    def _marked(self) -> Tokenizer:
        """The same tokenizer, which reads special tokens."""
        return type(self._tokenizer).from_str(self._tokenizer.to_str())

    def spell(self, texts: Sequence[str]) -> list[Spelling]:
        known = self._spellings.find_spellings(texts)
        fresh = list(dict.fromkeys(t for t, row in zip(texts, known, strict=True) if row is None))
        if not fresh:
            return known  # type: ignore[return-value]
        spelled = dict(zip(fresh, self._spell_batches(fresh), strict=True))
        self._spellings.keep_spellings(spelled)
        return [spelled[t] if row is None else row for t, row in zip(texts, known, strict=True)]

    def decode(self, tokens: Sequence[int]) -> str:
        return str(self._tokenizer.decode(list(tokens), skip_special_tokens=False))

    def free_tokens(self, stop: frozenset[str]) -> FreeTokens:
        tokens = self._free_tokens.get(stop)
        if tokens is None:
            tokens = self._free_tokens[stop] = FreeTokens(self._token_bytes, stop)
        return tokens

    @cached_property
    def _token_bytes(self) -> list[bytes]:
        listed = list_token_bytes(self._tokenizer, self._size)
        for end in self._ends:
            listed[end] = b""
        return listed

    def _spell_batches(self, texts: Sequence[str]) -> Iterable[Spelling]:
        for start in range(0, len(texts), _BATCH):
            batch = list(texts[start : start + _BATCH])
            for encoding in self._tokenizer.encode_batch_fast(batch, add_special_tokens=False):
                yield spelling_of(encoding.ids)


class SpellingCache:
    """A cache of spellings by text, of at most `limit` bytes.

    A spelling depends on its text alone, so none gets stale: when names in the graph change, new
    texts enter and unused ones leave. There are two generations of half the bytes each; when the
    young one is full, the old one is dropped and the young one takes its place.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit // 2
        self._young: dict[str, Spelling] = {}
        self._old: dict[str, Spelling] = {}
        self._bytes = 0

    def find_spellings(self, texts: Iterable[str]) -> list[Spelling | None]:
        """The spelling of each text, or None where it is not in the cache."""
        young, old = self._young.get, self._old.get
        return [young(text) or old(text) for text in texts]

    def keep_spellings(self, spellings: dict[str, Spelling]) -> None:
        """Remember spellings, unless they alone exceed the limit."""
        size = sum(len(text) + len(row) + 200 for text, row in spellings.items())
        if self._bytes + size > self._limit:
            self._old, self._young, self._bytes = self._young, {}, 0
        if size <= self._limit:
            self._young.update(spellings)
            self._bytes += size


def spelling_of(tokens: Sequence[int]) -> Spelling:
    """Tokens as a spelling."""
    return struct.pack(f">{len(tokens)}i", *tokens)


def tokens_of(spelling: Spelling) -> Tokens:
    """A spelling as tokens."""
    return tuple(np.frombuffer(spelling, ">i4").tolist())


def compute_fingerprint(tokenizer: Tokenizer) -> str:
    """A short hash of all that decides a tokenizer's spellings."""
    return hashlib.sha256(tokenizer.to_str().encode()).hexdigest()[:16]
