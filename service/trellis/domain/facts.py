"""Facts: relationships of the graph that together show an answer, and their text.

A fact may have any shape: a walk, the tree or cycle of a query's row, a single relationship. A fact
about a node's property has no relationship at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from trellis.domain.graph import Node, Triple, Walk


@dataclass(frozen=True, slots=True)
class Fact:
    """One item of evidence.

    `triples`: its relationships as they stand in the graph, none reversed. `nodes`: the nodes that
    it mentions.
    """

    text: str
    nodes: tuple[Node, ...]
    triples: tuple[Triple, ...] = ()

    @classmethod
    def of_walk(cls, walk: Walk) -> Self:
        """The fact of a walk, written from its anchor on."""
        return cls(describe_walk(walk), walk.nodes, walk.triples())

    @classmethod
    def of_triples(cls, triples: Sequence[Triple]) -> Self:
        """The fact of relationships of any shape, written in their order."""
        nodes = dict.fromkeys(node for triple in triples for node in (triple.head, triple.tail))
        return cls(describe_triples(triples), tuple(nodes), tuple(triples))

    @classmethod
    def of_value(cls, node: Node, key: str, value: object) -> Self:
        """The fact that a node's property has a value."""
        return cls(f"{node.name} -{key}-> {value}", (node,))


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
