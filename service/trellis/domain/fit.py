"""How well a node of an ambiguous name fits a question: by the words for what it is and has."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from trellis.domain.text import bare_words

_STEM, _ENDING = 4, 2  # letters: the least that forms of a word share, the most they do not


def fit(question: Collection[str], labels: Iterable[str], relations: Iterable[str]) -> int:
    """How many of the question's words are near a word of the node's labels and relations."""
    own = {word for name in (*labels, *relations) for word in bare_words(_apart(name))}
    return sum(any(_near(word, other) for other in own) for word in question)


def _apart(name: str) -> str:
    """`HAS_CAPITAL` and `hasCapital` as words."""
    spaced = (f" {c}" if c.isupper() and before.islower() else c for before, c in _pairs(name))
    return "".join(spaced)


def _pairs(name: str) -> Iterable[tuple[str, str]]:
    return zip(f" {name}", name, strict=False)


def _near(word: str, other: str) -> bool:
    """Two forms of one word: `borders` and `bordering`, `countries` and `country`."""
    most = max(_STEM, min(len(word), len(other)) - _ENDING)
    return word == other or (len(word) >= most and word[:most] == other[:most])
