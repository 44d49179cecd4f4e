"""A query graph: nodes with filters, relationships in clauses, and what is returned of them.

It is what a sentence means, and what a Cypher text is read into. It refers to nodes, relationships
and linked values by their indices.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from trellis.automata.cypher.meaning.items import ReturnItem, ReturnOrder

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
    "<= OR NULL",
    ">= OR NULL",
]
"""The comparison of a property. `HAS`: a list has the value as an item. `OR NULL`: it holds of what
has no value, too, as of what has not ended; no sentence says that, it is added to queries."""

ORDERED_OPERATORS: tuple[Operator, ...] = ("<", "<=", ">", ">=")

FIGURES = ("sum", "avg")
"""The functions whose value depends on how often a value is counted."""

OPEN_OPERATORS: dict[Operator, str] = {"<= OR NULL": "<=", ">= OR NULL": ">="}
"""The operators that hold of what has no value, and the comparison of what has one."""

Direction = Literal["any", "out", "in"]

ScopeKind = Literal["some", "none", "optional", "number", "first"]
"""What a part of the pattern does: it must match (`some`), it must not (`none`), its matches are
added where there are any (`optional`), the `number` of its matches is compared, or it finds the
`first` nodes in an order."""

TURNED: dict[Direction, Direction] = {"any": "any", "out": "in", "in": "out"}

SWAPPED: dict[Operator, Operator] = {
    "=": "=",
    "<>": "<>",
    "<": ">",
    "<=": ">=",
    ">": "<",
    ">=": "<=",
}
"""The operator of the same comparison with its sides exchanged, where there is one."""


@dataclass(frozen=True, slots=True)
class PropertyReference:
    """A property of a node, or a part of its value (`year` of a date, `size` of a list). `type`:
    that of its values where it decides how they are compared, which does not change the meaning."""

    node: int
    property: str
    part: str = ""
    type: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class QueryFilter:
    """A property that is compared with a linked value: one of `values`, which share a name.

    `alternatives`: further choices like `values`, of which one may hold instead; with `<>` none of
    them may. `reference`: the property that takes the place of a value. `is_negated`: the
    comparison must not hold. `part`: the part of the property's value that is compared.
    """

    property: str
    operator: Operator
    values: tuple[int, ...] = ()
    alternatives: tuple[tuple[int, ...], ...] = ()
    reference: PropertyReference | None = None
    is_negated: bool = False
    part: str = ""

    def list_choices(self) -> tuple[tuple[int, ...], ...]:
        """Its values and the alternatives to them, each with the linked values that it may mean."""
        return tuple(choice for choice in (self.values, *self.alternatives) if choice)


@dataclass(frozen=True, slots=True)
class QueryNode:
    """A node of the pattern; without a label it may be any node.

    `same`: the earlier node that it stands for, where the pattern comes back to one. `scope`: the
    number of the scope that it belongs to, from 1, or 0 for none.
    """

    label: str = ""
    filters: tuple[QueryFilter, ...] = ()
    same: int | None = None
    scope: int = 0


@dataclass(frozen=True, slots=True)
class QueryEdge:
    """A relationship of the pattern, `out` if it runs from `source` to `target`.

    Cypher matches the edges of one `clause` (one `MATCH`) to different relationships; edges of two
    clauses may match the same one. An edge without a type is no relationship: its `target` begins a
    separate part. `scope`: the number of the scope that it belongs to, from 1, or 0 for none.
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
    """A part of the pattern that restricts the rest, or is optional.

    `operator` and `values` compare the `number` of its matches. A `first` scope has the `node`
    whose first matches are taken, their `order`, how many are taken (`limit`), and how many are
    left out before them (`skip`).
    """

    kind: ScopeKind
    operator: Operator = ">"
    values: tuple[int, ...] = ()
    node: int = 0
    order: ReturnOrder | None = None
    limit: int | None = None
    skip: int = 0


@dataclass(frozen=True, slots=True)
class GroupCondition:
    """An aggregate that is compared with a number; it must hold of each group."""

    item: ReturnItem
    operator: Operator
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class QueryGraph:
    """A pattern, which begins with node 0, and what is returned of it.

    `groups`: the nodes that rows are grouped by, beside what is returned. `conditions` must hold of
    each group. Of the rows, the first `skip` are left out, and `limit` are returned at most.
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
        """Whether Cypher must group before it returns: by nodes, for conditions on groups, or for
        an order by an aggregate that is not returned."""
        returned = {item.column for item in self.items}
        hidden = any(o.item.is_aggregate and o.item.column not in returned for o in self.orders)
        return bool(self.groups or self.conditions or hidden)

    def find_node_once(self) -> int | None:
        """The node whose values are summed or averaged, each node's once, however often the pattern
        matches it; None where a query does something else, or matches each node once anyway."""
        nodes = {item.node for item in self.items}
        has_edges = any(self.is_visible(edge.scope) for edge in self.edges)
        is_plain = not (self.orders or self.skip or self.limit or self.needs_grouping_first)
        is_once = is_plain and has_edges and len(nodes) == 1
        return nodes.pop() if is_once and all(map(_is_figure, self.items)) else None

    @property
    def last_clause(self) -> int:
        """The clause of the last relationship that is in no scope."""
        return self.find_last_clause(0)

    @property
    def open_rank(self) -> int:
        """The number of a `first` scope whose order is still open; 0 where there is none."""
        last = self.scopes[-1:]
        return len(self.scopes) if last and last[0].kind == "first" and not last[0].order else 0

    def find_rank(self) -> int:
        """The number of the `first` scope; 0 where there is none."""
        kinds = [scope.kind for scope in self.scopes]
        return kinds.index("first") + 1 if "first" in kinds else 0

    def find_last_clause(self, scope: int) -> int:
        """The clause of the last relationship of a scope."""
        return next((edge.clause for edge in reversed(self.edges) if edge.scope == scope), 0)

    def is_returnable(self, node: int) -> bool:
        """Whether a node can be returned: it is in no scope, or in an optional one."""
        return self.nodes[node].same is None and self.is_visible(self.nodes[node].scope)

    def is_visible(self, scope: int) -> bool:
        """Whether nodes and relationships of a scope can be returned."""
        return not scope or self.scopes[scope - 1].kind == "optional"

    def iterate_filters(self) -> Iterator[QueryFilter]:
        """The filters of all nodes and relationships."""
        for node in self.nodes:
            yield from node.filters
        for edge in self.edges:
            yield from edge.filters

    def list_choices(self) -> tuple[tuple[int, ...], ...]:
        """All choices of linked values in the query, each once."""
        of_filters = (choice for each in self.iterate_filters() for choice in each.list_choices())
        of_scopes = (scope.values for scope in self.scopes if scope.values)
        of_groups = (condition.values for condition in self.conditions)
        return tuple(dict.fromkeys((*of_filters, *of_scopes, *of_groups)))

    def list_operands(self) -> Iterator[ReturnItem]:
        """All items that are returned, that rows are ordered by, or that groups are chosen by."""
        yield from self.items
        yield from (order.item for order in self.orders)
        yield from (condition.item for condition in self.conditions)

    def list_operand_edges(self) -> Iterator[int]:
        """The relationships that have a property which an item or an order names."""
        ranked = (scope.order.item for scope in self.scopes if scope.order)
        for item in (*self.list_operands(), *ranked):
            for edge in (item.edge, item.term.edge if item.term else None):
                if edge is not None:
                    yield edge


def _is_figure(item: ReturnItem) -> bool:
    """Whether an item is a sum or an average of one property of a node."""
    return item.form.function in FIGURES and item.edge is None and item.term is None
