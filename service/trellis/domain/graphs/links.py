"""Values of linking: spans of a question, and the nodes and values that they may mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from trellis.domain.graphs.graph import Node, Scalar

MatchKind = Literal[
    "exact",  # the text as it is stored, up to case
    "spelling",  # the same up to punctuation, spaces, accents, or numbers in words
    "date",  # the same day in another notation
    "time",  # the same time of day in another notation
    "number",  # the same number, or a number where numbers are compared
    "plural",  # the singular of the text
    "words",  # the value's words, in another order or form
    "part",  # a part of the value
]
"""How the text of a question says a value."""

LinkKind = MatchKind | Literal["given", "exact-case", "alias", "text", "vector"]
"""How a mention says a node or a value, or which search found it."""


@dataclass(frozen=True, slots=True)
class NodeName:
    """A node and one of its names: its own, or the text of another property (an alias)."""

    node: Node
    text: str

    @property
    def is_alias(self) -> bool:
        return self.text != self.node.name


@dataclass(frozen=True, slots=True)
class StoredValue:
    """A value of a property, as it is stored.

    `label`: the label whose property it is, or the relationship type. Without label and property it
    is a literal of the question, which need not be stored anywhere. `type`: Neo4j's value type, as
    in `PropertyKind.type`; YEAR of a literal number that says when. Temporal values are ISO 8601
    texts here; `date($value)` and the like turn them into the graph's values.
    """

    label: str
    property: str
    value: Scalar
    type: str = "STRING"

    def is_literal(self) -> bool:
        """Whether it is of no label and no property."""
        return not self.label and not self.property


@dataclass(frozen=True, slots=True)
class Link:
    """A node or a stored value that a mention may mean; `score` in (0, 1], `how` it was found."""

    target: Node | StoredValue
    score: float
    how: LinkKind

    @property
    def is_similar(self) -> bool:
        """Whether searching found it, by a name that is only like the text."""
        return self.how in ("text", "vector")

    @property
    def node(self) -> Node:
        """The node, where names are linked, which mean nodes only."""
        assert isinstance(self.target, Node)
        return self.target

    @property
    def stored(self) -> StoredValue:
        """The stored value, where values are linked."""
        assert isinstance(self.target, StoredValue)
        return self.target


@dataclass(frozen=True, slots=True)
class Mention:
    """A span `[start, end)` of a question's characters, and what it may mean, best first."""

    start: int
    end: int
    text: str
    links: tuple[Link, ...]

    @property
    def best(self) -> Link:
        return self.links[0]

    @property
    def score(self) -> float:
        """The score of the best link; 0 without links."""
        return self.best.score if self.links else 0.0


@dataclass(frozen=True, slots=True)
class WordMatch:
    """A stored value some of whose words were said.

    `share`: the weight of these words, of 1 in all. `word_indices`: the indices of the words that
    said them.
    """

    stored: StoredValue
    share: float
    word_indices: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NearName:
    """The name of a relationship type or label, and the L2 distance of its words' unit vector, from
    0 to 2."""

    name: str
    distance: float
