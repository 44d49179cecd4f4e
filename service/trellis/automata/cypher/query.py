"""A query as a graph: nodes with filters, relationships in clauses, what is returned of them.

It is what a sentence means, and what a Cypher text is read into. Nodes and values are indices.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from trellis.automata.cypher.items import ReturnItem, ReturnOrder

Operator = Literal[
    "=",
    "<>",
    "<",
    "<=",
    ">",
    ">=",
    "CONTAINS",
    "STARTS WITH",
    "ENDS WITH",
    "HAS",
    "IS NULL",
    "IS NOT NULL",
]
"""How a property is compared. `HAS`: a list has the value as an item."""

Direction = Literal["any", "out", "in"]

ScopeKind = Literal["some", "none", "optional", "number", "first"]
"""How a part of the pattern counts: there is `some` match of it, there is `none`, its matches are
added where there are any (`optional`), their `number` is compared, or of the nodes that it matches
the `first` in an order are taken."""

TURNED: dict[Direction, Direction] = {"any": "any", "out": "in", "in": "out"}

SWAPPED: dict[Operator, Operator] = {
    "=": "=",
    "<>": "<>",
    "<": ">",
    "<=": ">=",
    ">": "<",
    ">=": "<=",
}
"""The same comparison with its sides exchanged; only of operators that have one."""


@dataclass(frozen=True, slots=True)
class PropertyReference:
    """A property of a node, or a part of its value (`year` of a date, `size` of a list)."""

    node: int
    property: str
    part: str = ""


@dataclass(frozen=True, slots=True)
class QueryFilter:
    """A property compared with a linked value: one of `values`, which are said alike.

    `alternatives`: further values, of which one may hold instead, each as `values` is; behind
    `<>` none of them may. `reference`: the property that it is compared with in place of a value.
    `is_negated`: the comparison must not hold. `part`: what of the property is compared.
    """

    property: str
    operator: Operator
    values: tuple[int, ...] = ()
    alternatives: tuple[tuple[int, ...], ...] = ()
    reference: PropertyReference | None = None
    is_negated: bool = False
    part: str = ""

    def list_choices(self) -> tuple[tuple[int, ...], ...]:
        """Its values and the alternatives to them, each as the linked values that it may mean."""
        return tuple(choice for choice in (self.values, *self.alternatives) if choice)


@dataclass(frozen=True, slots=True)
class QueryNode:
    """A node of the pattern; without a label it may be any.

    `same`: the earlier node that it is, where the pattern comes back to one. `scope`: 0, or which
    of the query's scopes it belongs to, from 1.
    """

    label: str = ""
    filters: tuple[QueryFilter, ...] = ()
    same: int | None = None
    scope: int = 0


@dataclass(frozen=True, slots=True)
class QueryEdge:
    """A relationship of the pattern, `out` if it runs from `source` to `target`.

    Those of one `clause` (one `MATCH`) are different relationships; of two clauses they may be
    one and the same. Without a type there is no relationship: `target` begins a part of its own.
    `scope`: 0, or which of the query's scopes it belongs to, from 1.
    """

    source: int
    target: int
    type: str
    direction: Direction
    clause: int = 0
    filters: tuple[QueryFilter, ...] = ()
    scope: int = 0


@dataclass(frozen=True, slots=True)
class QueryScope:
    """A part of the pattern that restricts, or is optional. `operator` and `values`: what the
    `number` of its matches is compared with. `node`, `order`, `limit` and `skip`: of which node
    the `first` ones are taken, in which order, how many, and how many are left out."""

    kind: ScopeKind
    operator: Operator = ">"
    values: tuple[int, ...] = ()
    node: int = 0
    order: ReturnOrder | None = None
    limit: int | None = None
    skip: int = 0


@dataclass(frozen=True, slots=True)
class GroupCondition:
    """An aggregate compared with a number: what holds of each group that is returned."""

    item: ReturnItem
    operator: Operator
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class QueryGraph:
    """A pattern and what is returned of it. Node 0 is where the pattern begins.

    `groups`: the nodes by which aggregates are made, beside what is returned. `conditions` hold
    of each group. Of the rows, `skip` are left out, and `limit` returned.
    """

    nodes: tuple[QueryNode, ...] = ()
    edges: tuple[QueryEdge, ...] = ()
    items: tuple[ReturnItem, ...] = ()
    orders: tuple[ReturnOrder, ...] = ()
    limit: int | None = None
    skip: int = 0
    scopes: tuple[QueryScope, ...] = ()
    groups: tuple[int, ...] = ()
    conditions: tuple[GroupCondition, ...] = ()

    @property
    def is_distinct(self) -> bool:
        """Whether equal rows are returned once."""
        return any(item.form.distinct and not item.is_aggregate for item in self.items)

    @property
    def is_grouped(self) -> bool:
        return bool(self.groups or self.conditions) or any(
            item.is_aggregate for item in (*self.items, *(order.item for order in self.orders))
        )

    @property
    def needs_grouping_first(self) -> bool:
        """Whether groups are made before rows are: by nodes, for conditions, or for an order by an
        aggregate that is not returned."""
        returned = {item.column for item in self.items}
        hidden = any(o.item.is_aggregate and o.item.column not in returned for o in self.orders)
        return bool(self.groups or self.conditions or hidden)

    @property
    def last_clause(self) -> int:
        """The clause of the relationship said last, of those in no scope."""
        return self.find_last_clause(0)

    @property
    def open_rank(self) -> int:
        """The scope, from 1, of which first nodes are taken in an order not said yet; else 0."""
        last = self.scopes[-1:]
        return len(self.scopes) if last and last[0].kind == "first" and not last[0].order else 0

    def find_rank(self) -> int:
        """The scope, from 1, of which first nodes are taken; 0 where there is none."""
        kinds = [scope.kind for scope in self.scopes]
        return kinds.index("first") + 1 if "first" in kinds else 0

    def find_last_clause(self, scope: int) -> int:
        """The clause of the relationship said last in a scope."""
        return next((edge.clause for edge in reversed(self.edges) if edge.scope == scope), 0)

    def is_returnable(self, node: int) -> bool:
        """Whether a node can be returned: it is in no scope, or in an optional one."""
        return self.nodes[node].same is None and self.is_visible(self.nodes[node].scope)

    def is_visible(self, scope: int) -> bool:
        """Whether what belongs to a scope can be returned."""
        return not scope or self.scopes[scope - 1].kind == "optional"

    def iterate_filters(self) -> Iterator[QueryFilter]:
        """The filters of all nodes and relationships."""
        for node in self.nodes:
            yield from node.filters
        for edge in self.edges:
            yield from edge.filters

    def list_choices(self) -> tuple[tuple[int, ...], ...]:
        """All that is said of linked values, each as those that it may mean."""
        of_filters = (choice for each in self.iterate_filters() for choice in each.list_choices())
        of_scopes = (scope.values for scope in self.scopes if scope.values)
        of_groups = (condition.values for condition in self.conditions)
        return tuple(dict.fromkeys((*of_filters, *of_scopes, *of_groups)))

    def list_operands(self) -> Iterator[ReturnItem]:
        """All that is returned, ordered by or a condition on groups."""
        yield from self.items
        yield from (order.item for order in self.orders)
        yield from (condition.item for condition in self.conditions)

    def list_operand_edges(self) -> Iterator[int]:
        """The relationships of which a property is returned, ordered by or compared."""
        ranked = (scope.order.item for scope in self.scopes if scope.order)
        for item in (*self.list_operands(), *ranked):
            for edge in (item.edge, item.term.edge if item.term else None):
                if edge is not None:
                    yield edge
