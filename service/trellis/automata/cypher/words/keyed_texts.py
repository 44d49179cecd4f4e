"""Texts of moves with the key of these texts, which is made once."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from trellis.automata.paths.segments import digest_texts

_FEW = 64


@dataclass(frozen=True, slots=True, eq=False)
class KeyedTexts:
    """Texts that many states offer, and their key. Equal keys have equal texts."""

    texts: tuple[str, ...]
    key: Hashable

    @classmethod
    def of(cls, texts: Iterable[str]) -> KeyedTexts:
        listed = tuple(texts)
        return cls(listed, make_texts_key(listed))


def make_texts_key(texts: Sequence[str]) -> Hashable:
    """Some texts as a key: themselves, or a digest of many."""
    return tuple(texts) if len(texts) <= _FEW else digest_texts(texts)
