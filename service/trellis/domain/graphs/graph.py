"""Values of the graph: nodes, relationships, walks and the neighbourhood of anchors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

NodeId = str
"""The element id of a node in Neo4j."""


Revisit = Literal["any", "not_topic", "simple"]
"""Where a walk may come back to: any node, any but its anchor, or no node."""


Scalar = str | int | float | bool | None
"""A property value or parameter that exists in both JSON and Cypher."""


@dataclass(frozen=True, slots=True)
class Node:
    """A node of the graph; `name` is the one that answers show.

    `properties`: those of a node in a query's rows; None where they were not read.
    """

    id: NodeId
    name: str
    labels: tuple[str, ...] = ()
    properties: Mapping[str, Any] | None = field(default=None, compare=False, repr=False)

    @property
    def has_name(self) -> bool:
        """Whether it is called by more than its id, which stands for the name of one without."""
        return self.name != self.id


@dataclass(frozen=True, slots=True)
class Triple:
    """One relationship as it stands in the graph, never reversed.

    `properties`: those of a relationship in a query's rows; None where they were not read.
    """

    head: Node
    relation: str
    tail: Node
    properties: Mapping[str, Any] | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, order=True)
class Step:
    """One relationship type, and whether a walk takes it from tail to head (`reversed`)."""

    relation: str
    reversed: bool = False

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `name` (forward) or `^name` (backward)."""
        return cls(text[1:], True) if text.startswith("^") else cls(text, False)

    def __str__(self) -> str:
        return f"^{self.relation}" if self.reversed else self.relation

    def turn(self) -> Step:
        """The step back."""
        return Step(self.relation, not self.reversed)


@dataclass(frozen=True, slots=True)
class Walk:
    """A walk that exists in the graph: `len(steps) + 1` nodes; step i joins nodes i and i + 1."""

    nodes: tuple[Node, ...]
    steps: tuple[Step, ...]

    @property
    def anchor(self) -> Node:
        return self.nodes[0]

    @property
    def tail(self) -> Node:
        return self.nodes[-1]

    def triples(self) -> tuple[Triple, ...]:
        """The walk's relationships as they stand in the graph."""
        pairs = zip(self.nodes, self.nodes[1:], self.steps, strict=False)
        return tuple(
            Triple(b, step.relation, a) if step.reversed else Triple(a, step.relation, b)
            for a, b, step in pairs
        )


@dataclass(frozen=True, slots=True)
class RelationPath:
    """The walks from any of `anchors` along `steps`.

    `nodes`: in the `full` rendering, for each step the nodes that the name after it can mean; empty
    where the text contains relations only. `mention`: the index of the mention the anchors are of.
    """

    anchors: tuple[NodeId, ...]
    steps: tuple[Step, ...]
    nodes: tuple[tuple[NodeId, ...], ...] = ()
    mention: int = 0


@dataclass(frozen=True, slots=True)
class PathQuery:
    """One sentence of the KG-Trie: a path, or several that meet in their tails."""

    paths: tuple[RelationPath, ...]

    def relations(self) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(map(str, path.steps)) for path in self.paths)


@dataclass(frozen=True, slots=True)
class BudgetCut:
    """An edge budget left out relationships: `kept` of `total` of a node, type and direction."""

    node_id: NodeId
    relation: str
    outgoing: bool
    kept: int
    total: int


@dataclass(frozen=True, slots=True)
class AdjacencyEntry:
    """One relationship in the row of one of its nodes; `target`: the row of the other node."""

    target: int
    relation: str
    outgoing: bool

    @property
    def step(self) -> Step:
        """The step from the row's node."""
        return Step(self.relation, not self.outgoing)


@dataclass(frozen=True, eq=False)
class Neighbourhood:
    """The L-hop neighbourhood of some anchors as adjacency arrays (n nodes, m entries).

    Every relationship of an expanded node is an entry of that node's row: `targets[offsets[i]:
    offsets[i + 1]]` are node i's neighbours, sorted by (direction, type, target).
    """

    nodes: tuple[NodeId, ...]
    names: tuple[str, ...]  # n, or empty where names were not requested
    relation_types: tuple[str, ...]
    levels: NDArray[np.int32]  # n: distance from the nearest anchor
    offsets: NDArray[np.int32]  # n + 1
    targets: NDArray[np.int32]  # m
    types: NDArray[np.int32]  # m: index into relation_types
    directions: NDArray[np.uint8]  # m: 0 leaves the row's node, 1 arrives at it
    anchors: NDArray[np.int32]  # indices of the anchors
    hops: int
    cuts: tuple[BudgetCut, ...] = ()
    cut: bool = False

    @property
    def edges(self) -> int:
        return len(self.targets)

    def entries_of(self, row: int) -> Iterator[AdjacencyEntry]:
        """The entries of a node's row, in the order of the arrays."""
        for entry in range(self.offsets[row], self.offsets[row + 1]):
            relation = self.relation_types[self.types[entry]]
            yield AdjacencyEntry(int(self.targets[entry]), relation, not self.directions[entry])

    def find_rows(self, nodes: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The first entry of the row of each of some nodes, and how many entries it has."""
        starts = self.offsets[nodes].astype(np.int64)
        return starts, self.offsets[nodes + 1] - starts

    def step_of_key(self, key: int) -> Step:
        """The step that a key of `keys` stands for."""
        kinds = len(self.relation_types)
        return Step(self.relation_types[key % kinds], key >= kinds)

    @cached_property
    def keys(self) -> NDArray[np.integer]:
        """For each entry [m]: `direction * len(relation_types) + type`.

        The type is int16 where it suffices, because numpy sorts that by radix.
        """
        kinds = len(self.relation_types)
        small = np.int16 if 2 * kinds < 1 << 15 else np.int32
        keys: NDArray[np.integer] = np.add(self.directions * small(kinds), self.types, dtype=small)
        return keys


@dataclass(frozen=True, slots=True)
class ReachedNode:
    """A node that a relation path reaches, one walk to it, and the number of walks to it.

    `other_walks`: where several paths meet in the node, one walk of each further path.
    """

    node: Node
    walk: Walk
    walks: int = 1
    other_walks: tuple[Walk, ...] = ()
