"""Order methods: which of them are asked, and when another one is worth its time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

_SECOND = 0.1
"""What a second of waiting is worth: as much as ten questions of a hundred answered right."""

_MOST_WAITING = 8
"""Others whose waiting counts, at most: where nothing was found, a fast method is asked however
many wait."""

_RESCUE = 0.5
"""How often a method is right where those before it were wrong, if nothing is known of it."""

_CLOSE = 0.01
"""Methods whose accuracies differ by this much are as good as one another: the faster is asked."""


@dataclass(frozen=True, slots=True)
class MethodTraits:
    """What is known of a method before it is asked.

    `seconds`: what a question usually takes. `accuracy`: the share of questions kept apart that
    it answered right; None where this was not measured. `least`: the confidence below which it
    abstains. `says_operators`: whether it can say more than relations.
    """

    name: str
    seconds: float
    accuracy: float | None = None
    least: float = 0.0
    says_operators: bool = False


def order_methods(traits: Sequence[MethodTraits]) -> list[MethodTraits]:
    """The methods in the order in which they are asked.

    Where all accuracies are known, the fastest of those as accurate as the best comes first, then
    the others by what they are expected to bring; else they are left as they are.
    """
    known = [each.accuracy for each in traits if each.accuracy is not None]
    if len(known) < len(traits):
        return list(traits)
    best = max(known, default=0.0)
    return sorted(traits, key=lambda each: _rank(each, best))


def _rank(traits: MethodTraits, best: float) -> tuple[bool, float]:
    accuracy = traits.accuracy or 0.0
    if accuracy >= best - _CLOSE:
        return (False, traits.seconds)
    return (True, -compute_worth(traits, 0.0))


def compute_worth(traits: MethodTraits, confidence: float, waiting: int = 0) -> float:
    """The expected value of asking a method where what is known is right with `confidence`, less
    the price of its time: for the one who asks, and for those who wait meanwhile."""
    rescue = _RESCUE if traits.accuracy is None else traits.accuracy * _RESCUE
    kept_waiting = 1 + min(waiting, _MOST_WAITING)
    return (1 - confidence) * rescue - _SECOND * traits.seconds * kept_waiting


def choose_next(
    left: Sequence[MethodTraits],
    confidence: float,
    seconds: float,
    at_once: int,
    waiting: int = 0,
) -> list[MethodTraits]:
    """The methods to ask next, side by side: up to `at_once` that are worth asking while so many
    others wait, and that end, as a rule, within `seconds`."""
    worthy = [
        each
        for each in left
        if each.seconds <= seconds and compute_worth(each, confidence, waiting) > 0
    ]
    return worthy[:at_once]


def choose_first(ordered: Sequence[MethodTraits], seconds: float) -> MethodTraits:
    """The method that is asked first: of those that end within `seconds` as a rule, the first; the
    fastest if there is none."""
    in_time = [each for each in ordered if each.seconds <= seconds]
    return in_time[0] if in_time else min(ordered, key=lambda each: each.seconds)
