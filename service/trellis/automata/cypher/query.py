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
class Filter:
    """A property compared with a linked value: one of `values`, which are said alike."""

    property: str
    operator: Operator
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Node:
    """A node of the pattern; without a label it may be any."""

    label: str = ""
    filters: tuple[Filter, ...] = ()


@dataclass(frozen=True, slots=True)
class Edge:
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
class Form:
    """How an item is returned. `word`: how that is said; `function` as in Cypher, or empty.

    `distinct` stands inside an aggregate, and behind RETURN otherwise. `whole`: of the node itself,
    not of one of its properties. `numeric`: only of numbers.
    """

    word: str
    function: str = ""
    distinct: bool = False
    whole: bool = False
    numeric: bool = False


FORMS = (
    Form("list", whole=True),
    Form("show"),
    Form("list distinct", distinct=True, whole=True),
    Form("show distinct", distinct=True),
    Form("count", "count", distinct=True, whole=True),
    Form("count distinct", "count", distinct=True),
    Form("count all", "count", whole=True),
    Form("count values", "count"),
    Form("minimum", "min"),
    Form("maximum", "max"),
    Form("sum", "sum", numeric=True),
    Form("average", "avg", numeric=True),
    Form("collect", "collect"),
    Form("collect distinct", "collect", distinct=True),
)


@dataclass(frozen=True, slots=True)
class Item:
    """What is returned: a node or one of its properties, or an aggregate of either.

    `key`: the name of the property; empty for the node itself.
    """

    form: Form
    node: int
    key: str

    @property
    def aggregate(self) -> bool:
        return bool(self.form.function)

    @property
    def column(self) -> tuple[str, bool, int, str]:
        """What tells its column from others."""
        inside = self.aggregate and self.form.distinct
        return self.form.function, inside, self.node, self.key


@dataclass(frozen=True, slots=True)
class Sort:
    """Rows in the order of a property (`item` is None), or of what the item of that index says."""

    node: int
    property: str
    descending: bool
    item: int | None = None


@dataclass(frozen=True, slots=True)
class QueryGraph:
    """A tree-shaped pattern and what is returned of it. Node 0 is where the tree begins."""

    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()
    items: tuple[Item, ...] = ()
    sort: Sort | None = None
    limit: int | None = None

    @property
    def distinct(self) -> bool:
        """Whether equal rows are returned once."""
        return any(item.form.distinct and not item.aggregate for item in self.items)

    @property
    def grouped(self) -> bool:
        return any(item.aggregate for item in self.items)

    @property
    def clause(self) -> int:
        """The clause of the relationship said last."""
        return self.edges[-1].clause if self.edges else 0
