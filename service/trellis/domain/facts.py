"""Facts: relationships of the graph that show an answer together, and the text that tells them.

A fact may have any shape: the walk that a path runs along, the tree or cycle of a query's row, a
single relationship; or no relationship at all, where it tells what a node's property says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from trellis.domain.graph import Node, Triple, Walk


@dataclass(frozen=True, slots=True)
class Fact:
    """What evidence consists of.

    `triples`: as they stand in the graph, none reversed. `nodes`: those that it speaks of.
    """

    text: str
    nodes: tuple[Node, ...]
    triples: tuple[Triple, ...] = ()

    @classmethod
    def of_walk(cls, walk: Walk) -> Self:
        """A walk, told from its anchor on."""
        return cls(tell_walk(walk), walk.nodes, walk.triples())

    @classmethod
    def of_triples(cls, triples: Sequence[Triple]) -> Self:
        """Relationships of any shape, told in their order."""
        nodes = dict.fromkeys(node for triple in triples for node in (triple.head, triple.tail))
        return cls(tell_triples(triples), tuple(nodes), tuple(triples))

    @classmethod
    def of_value(cls, node: Node, key: str, value: object) -> Self:
        """What a property of a node says."""
        return cls(f"{node.name} -{key}-> {value}", (node,))


def tell_walk(walk: Walk) -> str:
    """A walk to read: `Paris <-HAS_CAPITAL- France`, arrows as they stand in the graph."""
    parts = [walk.nodes[0].name]
    for step, node in zip(walk.steps, walk.nodes[1:], strict=True):
        arrow = f"<-{step.relation}-" if step.reversed else f"-{step.relation}->"
        parts += [arrow, node.name]
    return " ".join(parts)


def tell_triples(triples: Sequence[Triple]) -> str:
    """Relationships to read: `Mombasa -IN_COUNTRY-> Kenya -HAS_CAPITAL-> Nairobi`.

    What does not go on from the node told last begins anew behind a semicolon.
    """
    chains: list[str] = []
    end: Node | None = None
    for number, triple in enumerate(triples):
        following = triples[number + 1] if number + 1 < len(triples) else None
        if end not in (triple.head, triple.tail):
            end = _first_node(triple, following)
            chains.append(end.name)
        if end == triple.head:
            chains[-1] += f" -{triple.relation}-> {triple.tail.name}"
            end = triple.tail
        else:
            chains[-1] += f" <-{triple.relation}- {triple.head.name}"
            end = triple.head
    return "; ".join(chains)


def _first_node(triple: Triple, following: Triple | None) -> Node:
    """The node that a chain begins at: that which the following relationship does not touch."""
    touched = (following.head, following.tail) if following else ()
    return triple.tail if triple.head in touched and triple.tail not in touched else triple.head
