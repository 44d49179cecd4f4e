"""Patterns as they grow from values to the answer: trees whose root is what is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from trellis.automata.cypher.meaning.items import RETURN_FORMS, ReturnItem, ReturnOrder
from trellis.automata.cypher.meaning.query import (
    Direction,
    Operator,
    QueryEdge,
    QueryFilter,
    QueryGraph,
    QueryNode,
)
from trellis.automata.cypher.words.wording import split_name

Part = tuple[str, ...]
"""A kind of part of an explanation, and the names that it consists of."""

PART_KINDS = ("return", "order", "edge", "filter", "shape", "any")
SILENT_KINDS = ("shape",)  # parts that bring no words
_ANY: Part = ("any",)  # brings what any question says
_COUNTING = ("many", "number", "count")
_FORM = {form.word: form for form in RETURN_FORMS}


@dataclass(frozen=True, slots=True, order=True)
class Meaning:
    """What a mention may mean: values (by index) of a label's property, and how they compare."""

    mention: int
    label: str
    property: str
    values: tuple[int, ...]
    operator: Operator = "="


@dataclass(frozen=True, slots=True, order=True)
class Branch:
    """A relationship, as seen from the node that it is a branch of, and all behind it."""

    type: str
    direction: Direction
    to: PatternTree


@dataclass(frozen=True, slots=True, order=True)
class PatternTree:
    """A node with its filters and branches, both sorted. `labels`: those that it may have."""

    labels: tuple[str, ...]
    meanings: tuple[Meaning, ...] = ()
    branches: tuple[Branch, ...] = ()

    @property
    def label(self) -> str:
        """The label that is said; none where several are possible."""
        return self.labels[0] if len(self.labels) == 1 else ""

    @property
    def size(self) -> int:
        return 1 + sum(branch.to.size for branch in self.branches)

    @property
    def depth(self) -> int:
        return max((1 + branch.to.depth for branch in self.branches), default=0)

    def meanings_below(self) -> Iterator[Meaning]:
        """All filters of the tree."""
        yield from self.meanings
        for branch in self.branches:
            yield from branch.to.meanings_below()

    def branches_below(self) -> Iterator[Branch]:
        """All relationships of the tree."""
        for branch in self.branches:
            yield branch
            yield from branch.to.branches_below()

    def join_tree(self, other: PatternTree) -> PatternTree:
        """Both of one node."""
        return PatternTree(
            tuple(label for label in self.labels if label in other.labels),
            tuple(sorted((*self.meanings, *other.meanings))),
            tuple(sorted((*self.branches, *other.branches))),
        )


@dataclass(frozen=True, slots=True)
class TreeReturn:
    """What is returned of the root: `form` is a word of FORMS, `key` the property it is of.

    `order`: the property by which the first one alone is returned; empty: all are.
    """

    form: str = "list"
    key: str = ""
    order: str = ""
    descending: bool = False


@dataclass(frozen=True, slots=True)
class Candidate:
    """A pattern, what is returned of it, and how well that gives the answers.

    `hits`: the share of the answers that it gives; `precision`: the share of what it gives that is
    among them; `ties`: how many could come first as well, where one alone is returned.
    """

    tree: PatternTree
    head: TreeReturn
    hits: float
    precision: float
    ties: int = 1

    @property
    def fit(self) -> float:
        """The harmonic mean of hits and precision."""
        return 2 * self.hits * self.precision / max(self.hits + self.precision, 1e-9)


def make_query(tree: PatternTree, head: TreeReturn, *, apart: bool = False) -> QueryGraph:
    """The query graph, its root node 0; each branch of the root in a clause of its own, `apart`
    each relationship."""
    nodes: list[QueryNode] = []
    edges: list[QueryEdge] = []
    _add_node(tree, nodes, edges, None)
    if apart:
        edges = [replace(edge, clause=number) for number, edge in enumerate(edges)]
    orders = (ReturnOrder.by_property(0, head.order, head.descending),) if head.order else ()
    items = (ReturnItem(_FORM[head.form], 0, head.key),)
    return QueryGraph(tuple(nodes), tuple(edges), items, orders, 1 if orders else None)


def _add_node(
    tree: PatternTree, nodes: list[QueryNode], edges: list[QueryEdge], clause: int | None
) -> None:
    source = len(nodes)
    filters = tuple(QueryFilter(m.property, m.operator, m.values) for m in tree.meanings)
    nodes.append(QueryNode(tree.label, filters))
    for index, branch in enumerate(tree.branches):
        number = index if clause is None else clause
        edges.append(QueryEdge(source, len(nodes), branch.type, branch.direction, number))
        _add_node(branch.to, nodes, edges, number)


def list_structure(candidate: Candidate) -> tuple[Part, ...]:
    """The parts of an explanation, from its root on, which bring the words of a question."""
    tree, head = candidate.tree, candidate.head
    parts: list[Part] = [
        _ANY,
        ("shape", str(tree.size), head.form, "first" if head.order else "all"),
        ("return", head.form, tree.label, head.key),
    ]
    if head.order:
        parts.append(("order", head.order, "descending" if head.descending else "ascending"))
    return (*parts, *_list_tree_parts(tree))


def _list_tree_parts(tree: PatternTree) -> Iterator[Part]:
    for meaning in tree.meanings:
        yield "filter", meaning.label, meaning.property, meaning.operator
    for branch in tree.branches:
        yield "edge", branch.type, branch.direction
        yield from _list_tree_parts(branch.to)


def list_name_words(part: Part) -> tuple[str, ...]:
    """The words of a part's names: of labels, types and properties."""
    names = {"return": part[2:], "order": part[1:2], "edge": part[1:2], "filter": part[1:3]}
    words = split_name(" ".join(names.get(part[0], ()))).split()
    return (*words, *_COUNTING) if part[:2] == ("return", "count") else tuple(words)
