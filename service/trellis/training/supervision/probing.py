"""How far explanations have to look, chosen on some of the questions."""

from __future__ import annotations

from collections.abc import Sequence

_GAIN = 0.02  # what a further hop must explain more of


def choose_hops(fits: Sequence[float]) -> int | None:
    """The fewest hops that explain answers about as well as more would; None where none does.

    `fits`: for 1, 2, … hops, how well explanations of up to so many hops give the answers.
    """
    chosen: int | None = None
    best = 0.0
    for hops, fit in enumerate(fits, start=1):
        if fit > best + _GAIN:
            chosen, best = hops, fit
    return chosen
