"""Code points as tokens: the vocabulary through which a language reads plain text."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from trellis.automata.tokens.free_tokens import FreeTokens
from trellis.automata.tokens.vocabulary import Spelling, Tokens


@dataclass(frozen=True, slots=True)
class Characters:
    """A vocabulary whose tokens are code points: every text has one spelling, and no id ends
    one."""

    size: int = sys.maxunicode + 1
    ends: frozenset[int] = frozenset()
    fingerprint: str = "characters"
    growth: int = 1
    longest_token: int = 1

    def encode(self, text: str) -> Tokens:
        return tuple(map(ord, text))

    def spell(self, texts: Sequence[str]) -> list[Spelling]:
        return [text.encode("utf-32-be", "surrogatepass") for text in texts]

    def decode(self, tokens: Sequence[int]) -> str:
        return "".join(map(chr, tokens))

    def free_tokens(self, stop: frozenset[str]) -> FreeTokens:
        return _make_free_characters(stop)


class CharacterBytes(Sequence[bytes]):
    """All code points in UTF-8, by their number."""

    def __len__(self) -> int:
        return sys.maxunicode + 1

    def __getitem__(self, token: Any) -> Any:
        return chr(token).encode("utf-8", "surrogatepass")


class FreeCharacters(FreeTokens):
    """Free text by code points, of which none begins inside a character."""

    def _list_candidates(self, condition: int) -> Iterable[int]:
        return (ord(" "),) if self.expects_space(condition) else range(len(self.token_bytes))


@lru_cache(maxsize=16)
def _make_free_characters(stop: frozenset[str]) -> FreeTokens:
    return FreeCharacters(CharacterBytes(), stop)
