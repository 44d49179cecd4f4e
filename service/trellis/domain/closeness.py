"""How like two names are in spelling."""

from __future__ import annotations

import unicodedata
from difflib import SequenceMatcher

from trellis.domain.text import name_key

_SAME_WORD = 0.8
_PART = 0.65


def closeness(text: str, name: str) -> float:
    """Likeness of spelling in [0, 1]; 1 is the same but for case, accents and marks.

    A text that is part of a name, word by word (`Einstein` of `Albert Einstein`), is at least
    0.65 like it, and more the more of the name it says.
    """
    a, b = _bare(text), _bare(name)
    if not a or not b:
        return 0.0
    whole = _ratio(" ".join(a), " ".join(b))
    return max(whole, _part(a, b)) if len(a) < len(b) else whole


def _part(a: list[str], b: list[str]) -> float:
    likeness = [max(_ratio(word, other) for other in b) for word in a]
    if min(likeness) < _SAME_WORD:
        return 0.0
    said = min(1.0, sum(map(len, a)) / sum(map(len, b)))
    return (_PART + (1 - _PART) * said) * min(likeness)


def _ratio(a: str, b: str) -> float:
    return 1.0 if a == b else SequenceMatcher(None, a, b, autojunk=False).ratio()


def _bare(text: str) -> list[str]:
    """The words of a text without case, accents and marks."""
    folded = unicodedata.normalize("NFKD", name_key(text))
    kept = (c for c in folded if not unicodedata.combining(c))
    return "".join(c if c.isalnum() else " " for c in kept).split()
