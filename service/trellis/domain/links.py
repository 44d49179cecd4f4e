"""Values of linking: what a span of a question may stand for in the graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from trellis.domain.graph import Node, Scalar

How = Literal[
    "given",
    "exact-case",
    "exact",
    "alias",
    "spelling",
    "text",
    "vector",
    "date",
    "time",
    "number",
    "plural",
    "words",
    "part",
]
"""How a mention says a node or a value (`value_links.HowMeant`), or which search found it."""


@dataclass(frozen=True, slots=True)
class Called:
    """A node, and one text that calls it: its name, or what another property says."""

    node: Node
    text: str

    @property
    def is_alias(self) -> bool:
        return self.text != self.node.name


@dataclass(frozen=True, slots=True)
class Link:
    """A node that a mention may stand for; `score` in (0, 1], `how` says how it was found.

    A stored value is a node without an id; `property`: whose value it is, of nodes of its labels.
    """

    node: Node
    score: float
    how: How
    property: str = ""


@dataclass(frozen=True, slots=True)
class Mention:
    """A span `[start, end)` of the question's characters, and its nodes, best first."""

    start: int
    end: int
    text: str
    links: tuple[Link, ...]

    @property
    def score(self) -> float:
        return self.links[0].score if self.links else 0.0


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


@dataclass(frozen=True, slots=True)
class Worded:
    """A value of which some words were said: their share of its weight, and which were said."""

    stored: StoredValue
    share: float
    said: tuple[int, ...]
