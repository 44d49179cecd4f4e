"""Keeps of a table of words what a card holds: the frequent ones, rounded."""

from __future__ import annotations

from collections.abc import Mapping


def keep_frequent_words(
    words: Mapping[str, float], least: float, most: int | None
) -> dict[str, float]:
    """The words that come at least so often, `most` of them at most (None: all), frequent ones
    first."""
    kept = ((word, round(often, 4)) for word, often in words.items() if often >= least)
    return dict(sorted(kept, key=lambda pair: (-pair[1], pair[0]))[:most])
