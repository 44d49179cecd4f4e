"""Values of a review: what a reasoner says of answers that were found."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CitedName:
    """The name of an answer, and the indices of the facts that the reasoner cites for it."""

    name: str
    facts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Review:
    """A reasoner's opinion. It is a proposal: `apply_review` decides what of it is followed.

    `ranked`: names of answers, best first. `left_out`: names of answers that it holds to be wrong.
    `sentence`: the answer in words. `shown_count`: how many facts it was shown, the first ones.
    """

    ranked: tuple[CitedName, ...] = ()
    left_out: tuple[CitedName, ...] = ()
    sentence: str = ""
    shown_count: int = 0
