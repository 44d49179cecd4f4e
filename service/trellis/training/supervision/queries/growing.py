"""Patterns around the values of a question: one hop, two, three, values met on the way, or in the
answer.

Each is a tree with the nodes that its root can be. It grows from the nodes that hold a value, by
the relationships that the schema knows, and only where the answers can still be reached.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from trellis.automata.cypher.meaning.query import TURNED, Direction
from trellis.automata.paths.frontier import Nodes
from trellis.domain.graphs.schema import Schema
from trellis.training.supervision.queries.pattern_trees import Branch, Meaning, PatternTree
from trellis.training.supervision.queries.relations import (
    Relations,
    TakenRelationships,
    keep_arriving,
)

NODES = 5
"""Nodes of a pattern, at most: what the language says."""

_MOST_GROWN = 4_000  # patterns of a question that grow step by step
_MOST_MET = 20_000  # pairs of a question that are tried for meeting

Alive = Callable[[Nodes, int], bool]
"""Whether answers can be reached from some of the nodes in so many steps; None: from all."""


@dataclass(frozen=True, eq=False, slots=True)
class GrownTree:
    """A pattern and the nodes that its root can be. `said`: its mentions, as bits."""

    tree: PatternTree
    nodes: Nodes
    said: int
    last: TakenRelationships | None = None


class SchemaSteps:
    """How a pattern can go on from a node of some labels.

    `either`, `apart`: as SearchRules have them.
    """

    def __init__(self, schema: Schema, *, either: bool, apart: bool) -> None:
        self._schema = schema
        self._either = either
        self.apart = apart
        self._known: dict[tuple[str, ...], tuple[tuple[str, Direction, tuple[str, ...]], ...]] = {}

    def of(self, labels: tuple[str, ...]) -> tuple[tuple[str, Direction, tuple[str, ...]], ...]:
        """Types, directions, and the labels that are come to; sorted."""
        steps = self._known.get(labels)
        if steps is None:
            steps = self._known[labels] = tuple(sorted(self._list_steps(set(labels))))
        return steps

    def _list_steps(self, labels: set[str]) -> Iterator[tuple[str, Direction, tuple[str, ...]]]:
        out: dict[str, set[str]] = {}
        into: dict[str, set[str]] = {}
        for kind in self._schema.relationships:
            if kind.start_label in labels:
                out.setdefault(kind.type, set()).add(kind.end_label)
            if kind.end_label in labels:
                into.setdefault(kind.type, set()).add(kind.start_label)
        both = out.keys() & into.keys() if self._either else set()
        yield from ((name, "any", tuple(sorted(out[name] | into[name]))) for name in both)
        ways: tuple[tuple[Direction, dict[str, set[str]]], ...] = (("out", out), ("in", into))
        for direction, ends in ways:
            for name in ends.keys() - both:
                yield name, direction, tuple(sorted(ends[name]))


def grow_trees(
    leaves: Sequence[tuple[Meaning, Nodes]],
    relations: Relations,
    ways: SchemaSteps,
    hops: int,
    alive: Alive | None,
) -> list[GrownTree]:
    """All patterns of up to `hops` steps from the nodes that hold what mentions mean."""
    growing = _TreeGrower(relations, ways, alive)
    single = [
        GrownTree(PatternTree((meaning.label,), (meaning,)), nodes, 1 << meaning.mention)
        for meaning, nodes in leaves
        if len(nodes)
    ]
    together = growing.find_meetings(single, single)
    level = [*single, *together, *growing.find_meetings(together, single)]
    at_hand, trees = list(level), list(level)
    for left in reversed(range(hops)):
        stepped = list(islice(growing.step_patterns(level, left), _MOST_GROWN))
        level = stepped + growing.find_meetings(stepped, at_hand if left else single)
        trees += level
        if left == hops - 1:
            at_hand += stepped
    return _drop_doubles(trees)


def find_meeting_trees(trees: Sequence[GrownTree], relations: Relations) -> list[GrownTree]:
    """Patterns whose roots are the same: two or three values that meet in the answer."""
    growing = _TreeGrower(relations, None, None)
    pairs = growing.find_meetings(trees, trees)
    return _drop_doubles([*pairs, *growing.find_meetings(pairs, trees)])


class _TreeGrower:
    def __init__(self, relations: Relations, ways: SchemaSteps | None, alive: Alive | None) -> None:
        self._relations = relations
        self._ways = ways
        self._alive = alive
        self._tried = 0

    def step_patterns(self, level: Iterable[GrownTree], left: int) -> Iterator[GrownTree]:
        """Each pattern with one more relationship, that ends in its new root."""
        assert self._ways
        for grown in level:
            last = None if self._ways.apart else grown.last
            for type, direction, labels in self._ways.of(grown.tree.labels):
                taken = self._relations.follow_type(grown.nodes, type, direction, last)
                nodes = np.unique(taken.targets)
                if not len(nodes) or grown.tree.size >= NODES:
                    continue
                if self._alive is None or self._alive(nodes, left):
                    branch = Branch(type, TURNED[direction], grown.tree)
                    yield GrownTree(PatternTree(labels, (), (branch,)), nodes, grown.said, taken)

    def find_meetings(
        self, some: Sequence[GrownTree], others: Sequence[GrownTree]
    ) -> list[GrownTree]:
        """The pairs of patterns that have a root in common, and no mention."""
        meetings: list[GrownTree] = []
        if len({grown.said for grown in others} | {grown.said for grown in some}) < 2:
            return meetings
        mask = np.zeros(self._relations.count, bool)
        for grown in some:
            mask[grown.nodes] = True
            meetings += (
                met for other in others if (met := self._join_patterns(grown, other, mask))
            )
            mask[grown.nodes] = False
            if self._tried > _MOST_MET:
                break
        return meetings

    def _join_patterns(
        self, grown: GrownTree, other: GrownTree, mask: np.ndarray
    ) -> GrownTree | None:
        if grown.said & other.said or grown.tree.size + other.tree.size > NODES + 1:
            return None
        tree = grown.tree.join_tree(other.tree)
        if not tree.labels:
            return None
        self._tried += 1
        nodes = other.nodes[mask[other.nodes]]
        if not len(nodes):
            return None
        return GrownTree(tree, nodes, grown.said | other.said, keep_arriving(grown.last, nodes))


def _drop_doubles(trees: Iterable[GrownTree]) -> list[GrownTree]:
    """Each pattern once: two that meet do so either way round."""
    return list({grown.tree: grown for grown in trees}.values())
