"""A set with one more filter, in a noun phrase or in a whole question."""

from __future__ import annotations

from dataclasses import dataclass

from trellis.training.synthesis.operators.drawing import Drawing
from trellis.training.synthesis.operators.patterns import AskedSet


@dataclass(frozen=True, slots=True)
class RestrictedSet:
    """A set with one more filter; `is_question`: its words are a whole question."""

    asked: AskedSet
    is_question: bool = False


def fill_restriction(
    drawing: Drawing, kind: str, asked: AskedSet, condition: str, **slots: str | None
) -> RestrictedSet | None:
    """A set with one more condition in the words of a kind's frames; None where none fits."""
    filled = drawing.words.fill_either(kind, s=asked.text, **slots)
    if filled is None:
        return None
    return RestrictedSet(asked.restrict(filled.text, condition), filled.is_question)
