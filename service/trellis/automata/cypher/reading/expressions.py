"""The syntax tree of a Cypher text: expressions, patterns and clauses, as they are written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from trellis.automata.cypher.meaning.query import Direction
from trellis.domain.graphs.graph import Scalar


@dataclass(frozen=True, slots=True)
class Literal:
    """A value. `function`: the temporal function that makes it from a text (`date`), or empty."""

    value: Scalar
    function: str = ""


@dataclass(frozen=True, slots=True)
class Variable:
    name: str


@dataclass(frozen=True, slots=True)
class Access:
    """A property of an expression, or a part of its value: `x.date`, `x.date.year`."""

    of: Expression
    name: str


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """A call of a function or an aggregate; `count(*)` has no arguments."""

    name: str
    arguments: tuple[Expression, ...]
    distinct: bool = False


@dataclass(frozen=True, slots=True)
class ListLiteral:
    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two expressions and the operator between them: `=`, `CONTAINS`, `IN`, …"""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Arithmetic:
    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class NullTest:
    """`IS NULL`, or `IS NOT NULL` where it is negated."""

    of: Expression
    is_negated: bool


@dataclass(frozen=True, slots=True)
class LabelTest:
    of: Expression
    label: str


@dataclass(frozen=True, slots=True)
class Negation:
    of: Expression


@dataclass(frozen=True, slots=True)
class Junction:
    """Expressions joined by `AND`, or by `OR`."""

    operator: str
    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Subquery:
    """A pattern that must exist, or whose matches are counted (`is_count`)."""

    matches: tuple[MatchClause, ...]
    is_count: bool = False


Expression = (
    Literal
    | Variable
    | Access
    | FunctionCall
    | ListLiteral
    | Comparison
    | Arithmetic
    | NullTest
    | LabelTest
    | Negation
    | Junction
    | Subquery
)


@dataclass(frozen=True, slots=True)
class NodePattern:
    """A node of a path. One without a variable gets one that no query can write."""

    variable: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class RelationshipPattern:
    """A relationship between two nodes of a path; `out` leads away from the source."""

    variable: str
    source: str
    target: str
    type: str
    direction: Direction


@dataclass(frozen=True, slots=True)
class MatchClause:
    """A `MATCH`: its nodes, its relationships, and the conditions that all must hold."""

    nodes: tuple[NodePattern, ...]
    relationships: tuple[RelationshipPattern, ...]
    conditions: tuple[Expression, ...]
    is_optional: bool = False


@dataclass(frozen=True, slots=True)
class ProjectionItem:
    expression: Expression
    alias: str = ""


@dataclass(frozen=True, slots=True)
class SortKey:
    expression: Expression
    descending: bool


@dataclass(frozen=True, slots=True)
class Projection:
    """A `WITH` or the `RETURN`. `passes_all`: it has a star."""

    items: tuple[ProjectionItem, ...]
    is_return: bool
    distinct: bool = False
    passes_all: bool = False
    conditions: tuple[Expression, ...] = ()
    orders: tuple[SortKey, ...] = ()
    skip: int = 0
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class QuerySyntax:
    """A query as it is written; the last clause is its `RETURN`."""

    clauses: tuple[MatchClause | Projection, ...]


AGGREGATES = frozenset({"count", "min", "max", "sum", "avg", "collect"})


def has_aggregate(expression: Expression) -> bool:
    """Whether an expression aggregates anywhere."""
    if isinstance(expression, FunctionCall) and expression.name in AGGREGATES:
        return True
    return any(map(has_aggregate, iterate_operands(expression)))


def iterate_operands(expression: Expression) -> Iterator[Expression]:
    """The expressions that an expression is made of, without those inside subqueries."""
    match expression:
        case FunctionCall(arguments=parts) | ListLiteral(items=parts) | Junction(parts=parts):
            yield from parts
        case Comparison(left=left, right=right) | Arithmetic(left=left, right=right):
            yield from (left, right)
        case Access(of=of) | NullTest(of=of) | LabelTest(of=of) | Negation(of=of):
            yield of
        case _:
            return


def split_conjunction(expression: Expression) -> Iterator[Expression]:
    """The parts of an expression that are joined by AND."""
    if isinstance(expression, Junction) and expression.operator == "AND":
        for part in expression.parts:
            yield from split_conjunction(part)
    else:
        yield expression
