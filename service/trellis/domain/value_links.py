"""The question's literals, as values that stand in the graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from trellis.domain.values import Scalar

HowMeant = Literal[
    "exact",  # the text as it is stored, up to case
    "spelling",  # but for marks, spaces, accents, or numbers in words
    "date",  # the same day, written otherwise
    "time",  # the same time of day, written otherwise
    "number",  # the same number, or a number where numbers are compared
    "plural",  # the singular of the text
    "words",  # the value's words, in another order or form
    "part",  # a part of the value
]
"""How the text of a question says a value."""


@dataclass(frozen=True, slots=True)
class StoredValue:
    """A value of a label's property, as it is stored.

    `type`: Neo4j's value type, as in `PropertyKind.type`. Temporal values are ISO 8601 texts
    here: `date($value)` and its like make them what they are in the graph.
    """

    label: str
    property: str
    value: Scalar
    type: str = "STRING"


@dataclass(frozen=True, slots=True)
class ValueLink:
    """Characters `[start, end)` of a question, and one stored value that they may mean.

    `score` in (0, 1]: best first among the links of a question.
    """

    start: int
    end: int
    text: str
    stored: StoredValue
    score: float
    how: HowMeant

    @property
    def label(self) -> str:
        return self.stored.label

    @property
    def value(self) -> Scalar:
        return self.stored.value

    @property
    def property(self) -> str:  # last: it hides the decorator from here on
        return self.stored.property
