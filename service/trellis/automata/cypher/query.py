"""A query as a graph: nodes with filters, relationships in clauses, what is returned of them.

It is what a sentence means, and what a Cypher text is read into. Nodes and values are indices.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Operator = Literal["=", "<>", "<", "<=", ">", ">="]
Direction = Literal["any", "out", "in"]

TURNED: dict[Direction, Direction] = {"any": "any", "out": "in", "in": "out"}


@dataclass(frozen=True, slots=True)
class QueryFilter:
    """A property compared with a linked value: one of `values`, which are said alike."""

    property: str
    operator: Operator
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class QueryNode:
    """A node of the pattern; without a label it may be any."""

    label: str = ""
    filters: tuple[QueryFilter, ...] = ()


@dataclass(frozen=True, slots=True)
class QueryEdge:
    """A relationship of the pattern, `out` if it runs from `source` to `target`.

    Those of one `clause` (one `MATCH`) are different relationships; of two clauses they may be
    one and the same.
    """

    source: int
    target: int
    type: str
    direction: Direction
    clause: int = 0


@dataclass(frozen=True, slots=True)
class ReturnForm:
    """How an item is returned. `word`: how that is said; `function` as in Cypher, or empty.

    `distinct` stands inside an aggregate, and behind RETURN otherwise. `is_whole_node`: of the node
    itself, not of one of its properties. `needs_numbers`: only of numbers.
    """

    word: str
    function: str = ""
    distinct: bool = False
    is_whole_node: bool = False
    needs_numbers: bool = False


RETURN_FORMS = (
    ReturnForm("list", is_whole_node=True),
    ReturnForm("show"),
    ReturnForm("list distinct", distinct=True, is_whole_node=True),
    ReturnForm("show distinct", distinct=True),
    ReturnForm("count", "count", distinct=True, is_whole_node=True),
    ReturnForm("count distinct", "count", distinct=True),
    ReturnForm("count all", "count", is_whole_node=True),
    ReturnForm("count values", "count"),
    ReturnForm("minimum", "min"),
    ReturnForm("maximum", "max"),
    ReturnForm("sum", "sum", needs_numbers=True),
    ReturnForm("average", "avg", needs_numbers=True),
    ReturnForm("collect", "collect"),
    ReturnForm("collect distinct", "collect", distinct=True),
)


@dataclass(frozen=True, slots=True)
class ReturnItem:
    """What is returned: a node or one of its properties, or an aggregate of either.

    `key`: the name of the property; empty for the node itself.
    """

    form: ReturnForm
    node: int
    key: str

    @property
    def is_aggregate(self) -> bool:
        return bool(self.form.function)

    @property
    def column(self) -> tuple[str, bool, int, str]:
        """What tells its column from others."""
        inside = self.is_aggregate and self.form.distinct
        return self.form.function, inside, self.node, self.key


@dataclass(frozen=True, slots=True)
class ReturnOrder:
    """Rows in the order of a property (`item` is None), or of what the item of that index says."""

    node: int
    property: str
    descending: bool
    item: int | None = None


@dataclass(frozen=True, slots=True)
class QueryGraph:
    """A tree-shaped pattern and what is returned of it. Node 0 is where the tree begins."""

    nodes: tuple[QueryNode, ...] = ()
    edges: tuple[QueryEdge, ...] = ()
    items: tuple[ReturnItem, ...] = ()
    sort: ReturnOrder | None = None
    limit: int | None = None

    @property
    def is_distinct(self) -> bool:
        """Whether equal rows are returned once."""
        return any(item.form.distinct and not item.is_aggregate for item in self.items)

    @property
    def is_grouped(self) -> bool:
        return any(item.is_aggregate for item in self.items)

    @property
    def last_clause(self) -> int:
        """The clause of the relationship said last."""
        return self.edges[-1].clause if self.edges else 0
