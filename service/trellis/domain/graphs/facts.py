"""Facts: statements of the graph that together show an answer, and their text.

A statement is a relationship, or the value of a node's property. A fact may have any shape: a walk,
the tree or cycle of a query's row, a single relationship, one property.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from trellis.domain.graphs.graph import Node, Triple, Walk
from trellis.domain.structures.cypher import write_value

LONGEST_TEXT = 1_000
"""The most characters of a property's value that a fact holds."""

MOST_ITEMS = 100
"""The most items of a property's list that a fact holds."""

_LEAST_TEXT = 60  # characters of a value that is read as a text


@dataclass(frozen=True, slots=True)
class PropertyFact:
    """A node's property and its value: a scalar, or a tuple of them.

    `length`: of a value that is cut, its whole number of characters or items; None where it is
    whole. `start`: the character of the whole text at which a passage of it begins.
    """

    node: Node
    key: str
    value: Any
    length: int | None = None
    start: int = 0

    @classmethod
    def of(cls, node: Node, key: str, value: Any) -> Self:
        """The fact of a value as the graph gives it; a long one is cut."""
        if isinstance(value, list | tuple):
            kept = tuple(_cut_text(item)[0] for item in value[:MOST_ITEMS])
            is_cut = kept != tuple(value)
            return cls(node, key, kept, len(value) if is_cut else None)
        return cls(node, key, *_cut_text(value))

    @property
    def text(self) -> str:
        """The fact as a path: `Nile -length_km-> 6650`."""
        return f"{self.node.name} -{self.key}-> {self.value_text}"

    @property
    def is_text(self) -> bool:
        """Whether its value is a text to read, whole or a passage of one."""
        is_long = self.length is not None or len(str(self.value)) >= _LEAST_TEXT
        return isinstance(self.value, str) and is_long

    @property
    def value_text(self) -> str:
        """The value as text: one to read as a quote, and of one that is cut, where."""
        if self.is_text:
            return self._quote_text()
        parts = self.value if isinstance(self.value, tuple) else (self.value,)
        text = ", ".join(map(write_value, parts))
        return text if self.length is None else f"{text}… (cut: {self.length:,} items in all)"

    def _quote_text(self) -> str:
        if self.length is None:
            return f"“{self.value}”"
        before = "…" if self.start else ""
        after = "…" if self.start + len(self.value) < self.length else ""
        place = f"from character {self.start:,} of" if self.start else "the beginning of"
        unit = "" if self.start else " characters"
        return f"“{before}{self.value}{after}” ({place} {self.length:,}{unit})"


Statement = Triple | PropertyFact
"""What the graph states: a relationship, or the value of a property."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One item of evidence.

    `triples`: its relationships as they stand in the graph, none reversed. `nodes`: the nodes that
    it mentions. `properties`: the values of properties that it states.
    """

    text: str
    nodes: tuple[Node, ...]
    triples: tuple[Triple, ...] = ()
    properties: tuple[PropertyFact, ...] = ()

    @classmethod
    def of_walk(cls, walk: Walk) -> Self:
        """The fact of a walk, written from its anchor on."""
        return cls(describe_walk(walk), walk.nodes, walk.triples())

    @classmethod
    def of_triples(cls, triples: Sequence[Triple]) -> Self:
        """The fact of relationships of any shape, written in their order."""
        return cls.of_statements(triples, ())

    @classmethod
    def of_value(cls, node: Node, key: str, value: object) -> Self:
        """The fact that a node's property has a value."""
        return cls.of_statements((), (PropertyFact.of(node, key, value),))

    @classmethod
    def of_statements(cls, triples: Sequence[Triple], properties: Sequence[PropertyFact]) -> Self:
        """The fact of relationships and of values of properties, written in this order."""
        ends = [node for triple in triples for node in (triple.head, triple.tail)]
        nodes = dict.fromkeys((*ends, *(each.node for each in properties)))
        parts = (describe_triples(triples), *(each.text for each in properties))
        text = "; ".join(filter(None, parts))
        return cls(text, tuple(nodes), tuple(triples), tuple(properties))

    @property
    def statements(self) -> tuple[Statement, ...]:
        """Its relationships, then its values of properties."""
        return (*self.triples, *self.properties)


def _cut_text(value: Any) -> tuple[Any, int | None]:
    """A value, and its number of characters where it is a text that had to be cut. Values of types
    that JSON lacks become their texts."""
    value = str(value) if isinstance(value, str) else value
    if isinstance(value, str) and len(value) > LONGEST_TEXT:
        return value[:LONGEST_TEXT], len(value)
    return value, None


def describe_walk(walk: Walk) -> str:
    """The text of a walk: `Paris <-HAS_CAPITAL- France`, with arrows as in the graph."""
    parts = [walk.nodes[0].name]
    for step, node in zip(walk.steps, walk.nodes[1:], strict=True):
        arrow = f"<-{step.relation}-" if step.reversed else f"-{step.relation}->"
        parts += [arrow, node.name]
    return " ".join(parts)


def describe_triples(triples: Sequence[Triple]) -> str:
    """The text of relationships: `Mombasa -IN_COUNTRY-> Kenya -HAS_CAPITAL-> Nairobi`.

    A relationship that does not touch the last node begins a new chain behind a semicolon.
    """
    chains: list[str] = []
    end: Node | None = None
    for number, triple in enumerate(triples):
        following = triples[number + 1] if number + 1 < len(triples) else None
        if end not in (triple.head, triple.tail):
            end = _find_first_node(triple, following)
            chains.append(end.name)
        if end == triple.head:
            chains[-1] += f" -{triple.relation}-> {triple.tail.name}"
            end = triple.tail
        else:
            chains[-1] += f" <-{triple.relation}- {triple.head.name}"
            end = triple.head
    return "; ".join(chains)


def _find_first_node(triple: Triple, following: Triple | None) -> Node:
    """The node that a chain begins at: the one that the following relationship does not touch."""
    touched = (following.head, following.tail) if following else ()
    return triple.tail if triple.head in touched and triple.tail not in touched else triple.head
