"""Code points as tokens: the vocabulary through which a language reads plain text."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

from trellis.automata.vocabulary import Spelling, Tokens


@dataclass(frozen=True, slots=True)
class Characters:
    """A vocabulary whose tokens are code points: every text has one spelling, and no id ends
    one."""

    size: int = sys.maxunicode + 1
    ends: frozenset[int] = frozenset()
    fingerprint: str = "characters"
    growth: int = 1

    def encode(self, text: str) -> Tokens:
        return tuple(map(ord, text))

    def spell(self, texts: Sequence[str]) -> list[Spelling]:
        return [text.encode("utf-32-be", "surrogatepass") for text in texts]

    def decode(self, tokens: Sequence[int]) -> str:
        return "".join(map(chr, tokens))
