"""Draws query graphs from a schema alone, in the shapes and lengths that given questions lack.

What the graph has often is drawn more often, though far less than in proportion: answers,
relationships and conditions. A pattern is a tree, mostly a chain with a condition at its end.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from trellis.automata.cypher.items import RETURN_FORMS, ReturnItem, ReturnOrder
from trellis.automata.cypher.query import Direction, QueryEdge, QueryFilter, QueryGraph, QueryNode
from trellis.domain.schema import LabelKind, PropertyKind, RelationshipKind, Schema

T = TypeVar("T")

_FLAT = 0.3  # exponent of a count in its weight
_SIZES = (0.06, 0.30, 0.32, 0.22, 0.10)  # shares of patterns with one node to five
_BRANCH = 0.3  # probability that a relationship starts at any node, not at the last
_EITHER_WAY = 0.7  # probability of no direction between nodes of one label
_CONDITIONS = {"leaf": 0.9, "inner": 0.2, "answer": 0.2}  # probability, by place in the tree
_FORM = {form.word: form for form in RETURN_FORMS}
_SHARES = {"list": 4.0, "show": 2.0, "count": 4.0, "list best": 2.0, "show best": 1.5}
_ORDERED = ("INTEGER", "FLOAT", "DATE", "LOCAL DATETIME", "ZONED DATETIME", "LOCAL TIME")
_ORDERED_WORDS = ("date", "time", "year", "age", "duration", "number", "count", "size", "amount")


@dataclass(frozen=True, slots=True)
class Condition:
    """The label and property that a filter compares; value `i` of a query belongs to the `i`-th."""

    label: str
    kind: PropertyKind


@dataclass(frozen=True, slots=True)
class DrawnQuery:
    """A query graph, and the conditions that its values belong to."""

    query: QueryGraph
    conditions: tuple[Condition, ...]


class QueryGraphs:
    """Draws query graphs. Equal seeds give equal graphs.

    `most`: the nodes that a pattern has at most. `apart`: whether each relationship is in a clause
    of its own.
    """

    def __init__(self, schema: Schema, seed: int, most: int = 5, *, apart: bool = False) -> None:
        self._random = random.Random(seed)
        self._labels = {kind.label: kind for kind in schema.labels}
        self._beside: dict[str, list[tuple[RelationshipKind, bool]]] = {}
        for kind in schema.relationships:
            self._beside.setdefault(kind.start_label, []).append((kind, False))
            self._beside.setdefault(kind.end_label, []).append((kind, True))
        self._most = most
        self._apart = apart

    def draw_query(self) -> DrawnQuery | None:
        """A query graph; None where the schema does not allow what was drawn."""
        count = self._random.choices(range(1, len(_SIZES) + 1), _SIZES)[0]
        root = self._draw_weighted(list(self._labels), [k.count for k in self._labels.values()])
        labels, edges = [root], list[QueryEdge]()
        while len(labels) < min(count, self._most):
            last = len(labels) - 1
            source = self._random.randrange(len(labels))
            source = source if self._random.random() < _BRANCH else last
            ways = self._beside.get(labels[source], [])
            if not ways:
                return None
            kind, back = self._draw_weighted(ways, [way.count for way, _ in ways])
            clause = edges[-1].clause + (self._apart or source != last) if edges else 0
            edges.append(
                QueryEdge(source, len(labels), kind.type, self._draw_direction(kind, back), clause)
            )
            labels.append(kind.start_label if back else kind.end_label)
        return self._add_conditions(labels, edges)

    def _add_conditions(
        self, labels: Sequence[str], edges: Sequence[QueryEdge]
    ) -> DrawnQuery | None:
        """The pattern with conditions, and with a head that returns its first node."""
        conditions: list[Condition] = []
        nodes = [self._draw_node(i, label, edges, conditions) for i, label in enumerate(labels)]
        query = QueryGraph(tuple(nodes), tuple(edges))
        head = self._draw_head(query, self._labels.get(labels[0]))
        if head is None or (len(nodes) == 1 and not conditions and not head.orders):
            return None
        return DrawnQuery(head, tuple(conditions))

    def _draw_node(
        self, index: int, label: str, edges: Sequence[QueryEdge], conditions: list[Condition]
    ) -> QueryNode:
        leaf = all(edge.source != index for edge in edges)
        place = "answer" if index == 0 else "leaf" if leaf else "inner"
        kinds = [
            k for k in self._list_properties(label) if not k.type.startswith(("LIST", "POINT"))
        ]
        if not kinds or self._random.random() >= _CONDITIONS[place]:
            return QueryNode(label)
        kind = self._random.choice(kinds)
        conditions.append(Condition(label, kind))
        return QueryNode(label, (QueryFilter(kind.name, "=", (len(conditions) - 1,)),))

    def _draw_head(self, query: QueryGraph, label: LabelKind | None) -> QueryGraph | None:
        """The query with what it returns: nodes, a property, a count, or the first in an order."""
        kinds = label.properties if label else ()
        ordered = [kind for kind in kinds if _is_orderable(kind)]
        word = self._random.choices(list(_SHARES), list(_SHARES.values()))[0]
        if (word.startswith("show") and not kinds) or ("best" in word and not ordered):
            return None
        form = _FORM[word.split()[0]]
        key = "" if form.is_whole_node else self._random.choice(kinds).name
        query = replace(query, items=(ReturnItem(form, 0, key),))
        if "best" not in word:
            return query
        by = self._random.choice(ordered).name
        order = ReturnOrder.by_property(0, by, self._random.random() < 0.5)
        return replace(query, orders=(order,), limit=1)

    def _draw_direction(self, kind: RelationshipKind, back: bool) -> Direction:
        """The direction of a relationship; mostly none between nodes of one label."""
        if kind.start_label == kind.end_label and self._random.random() < _EITHER_WAY:
            return "any"
        return "in" if back else "out"

    def _list_properties(self, label: str) -> Sequence[PropertyKind]:
        kind = self._labels.get(label)
        return kind.properties if kind else ()

    def _draw_weighted(self, options: Sequence[T], counts: Sequence[int]) -> T:
        return self._random.choices(options, [max(1, n) ** _FLAT for n in counts])[0]


def _is_orderable(kind: PropertyKind) -> bool:
    """Whether people sort by a property: a number, or a date, which may be stored as text."""
    return kind.type in _ORDERED or any(word in kind.name.lower() for word in _ORDERED_WORDS)
