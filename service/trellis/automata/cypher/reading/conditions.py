"""Reads conditions: comparisons, alternatives, tests of null and patterns that must exist."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from trellis.automata.cypher.meaning.query import (
    OPEN_OPERATORS,
    SWAPPED,
    Operator,
    PropertyReference,
    QueryFilter,
    QueryScope,
)
from trellis.automata.cypher.reading.expressions import (
    Access,
    Comparison,
    Expression,
    FunctionCall,
    Junction,
    LabelTest,
    ListLiteral,
    Literal,
    Negation,
    NullTest,
    Subquery,
    Variable,
)
from trellis.automata.cypher.reading.matched_pattern import MatchedPattern
from trellis.automata.cypher.reading.meanings import ComparedProperty, Meanings
from trellis.automata.cypher.reading.properties import (
    expect_literal,
    expect_property,
    find_property,
    find_reference_type,
    refine_literal,
    strip_precision,
)
from trellis.domain.errors import CypherReadError

_OPERATORS: dict[str, Operator] = {
    "=": "=",
    "<>": "<>",
    "<": "<",
    "<=": "<=",
    ">": ">",
    ">=": ">=",
    "CONTAINS": "CONTAINS",
    "STARTS WITH": "STARTS WITH",
    "ENDS WITH": "ENDS WITH",
    **{operator: operator for operator in OPEN_OPERATORS},
}
_OPEN: dict[str, Operator] = {compared: open_ for open_, compared in OPEN_OPERATORS.items()}
_NEGATED: dict[str, str] = {"=": "<>", "<>": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
"""The comparison that holds where another does not; neither holds of null."""

ReadSubquery = Callable[[Subquery, QueryScope], None]
"""Reads a pattern inside a condition as a scope of the query."""


class ConditionReader:
    """Adds what conditions say to a pattern."""

    def __init__(
        self, pattern: MatchedPattern, meanings: Meanings, read_subquery: ReadSubquery
    ) -> None:
        self._pattern = pattern
        self._meanings = meanings
        self._read_subquery = read_subquery

    def read_conditions(self, conditions: Sequence[Expression]) -> None:
        """Read conditions that all must hold."""
        for condition in conditions:
            self._read_condition(condition)

    def _read_condition(self, condition: Expression, is_negated: bool = False) -> None:
        match condition:
            case Negation(of=of):
                self._read_condition(of, not is_negated)
            case Junction(operator="AND", parts=parts) if not is_negated:
                self.read_conditions(parts)
            case Junction(operator="OR", parts=parts) if is_negated:
                for part in parts:
                    self._read_condition(part, is_negated=True)
            case Junction(operator="OR", parts=parts):
                self._read_alternatives(parts)
            case NullTest(of=of, is_negated=is_known):
                self._read_null_test(of, is_known != is_negated)
            case LabelTest(of=Variable(name=name), label=label) if not is_negated:
                self._pattern.add_label(name, label)
            case Subquery(is_count=False):
                self._read_subquery(condition, QueryScope("none" if is_negated else "some"))
            case Comparison():
                self._read_comparison(condition, is_negated)
            case FunctionCall(name="exists", arguments=(of,)):
                self._read_null_test(of, not is_negated)
            case Access() | Variable():
                truth = Comparison("=", condition, Literal(not is_negated))
                self._read_comparison(truth, is_negated=False)
            case _:
                raise CypherReadError(f"a condition of this kind cannot be said: {condition}")

    def _read_null_test(self, of: Expression, is_known: bool) -> None:
        operator: Operator = "IS NOT NULL" if is_known else "IS NULL"
        node = self._pattern.find_node(of)
        if node is not None and self._pattern.query.nodes[node].scope:
            raise CypherReadError("whether an optional node is there cannot be said")
        owner, name, part = expect_property(of)
        self._pattern.add_filter(owner, QueryFilter(name, operator, part=part))

    def _read_alternatives(self, parts: Sequence[Expression]) -> None:
        """Read comparisons of one property, of which one must hold, or that it has no value."""
        if self._read_open_end(parts):
            return
        compared = [part for part in parts if isinstance(part, Comparison)]
        same = {(part.operator, str(part.left)) for part in compared}
        if len(compared) < len(parts) or len(same) != 1:
            raise CypherReadError("OR joins different properties, which cannot be said")
        first = compared[0]
        rights = [item for part in compared for item in _list_compared_items(part)]
        operator = "=" if first.operator == "IN" else first.operator
        self._read_values(operator, first.left, rights, is_negated=False)

    def _read_open_end(self, parts: Sequence[Expression]) -> bool:
        """Read that a property is at most or at least a value, or has none; False where parts say
        anything else."""
        match parts:
            case (Comparison(operator=compared, left=left, right=right), NullTest(of=of)) if (
                operator := _OPEN.get(compared)
            ) and strip_precision(left) == of:
                self._read_values(operator, left, (right,), is_negated=False)
                return True
        return False

    def _read_comparison(self, condition: Comparison, is_negated: bool) -> None:
        if condition.operator in _NEGATED and is_negated:
            operator, is_negated = _NEGATED[condition.operator], False
        else:
            operator = condition.operator
        left, operator, right = _turn_comparison(condition.left, operator, condition.right)
        if isinstance(left, Subquery):
            self._read_number(left, operator, right)
        elif operator == "IN":
            self._read_membership(left, right, is_negated)
        elif self._is_node(left) and self._is_node(right):
            self._read_difference(left, operator, right)
        elif find_property(strip_precision(right)) and find_property(strip_precision(left)):
            self._read_reference(left, operator, right)
        else:
            self._read_values(operator, left, (right,), is_negated)

    def _is_node(self, expression: Expression) -> bool:
        return self._pattern.find_node(expression) is not None

    def _read_membership(self, left: Expression, right: Expression, is_negated: bool) -> None:
        """Read that a property is among values, or a value among those of a list."""
        if isinstance(right, ListLiteral):
            operator = "<>" if is_negated else "="
            self._read_values(operator, left, right.items, is_negated=False)
        else:
            owner, name, part = expect_property(right)
            compared = ComparedProperty(
                *self._pattern.find_owner(owner), name, "HAS", part, is_negated
            )
            self._add_values(owner, compared, [left])

    def _read_values(
        self, operator: str, left: Expression, rights: Sequence[Expression], is_negated: bool
    ) -> None:
        """Read that a property is compared with one value, or with several of which one holds."""
        if operator not in _OPERATORS:
            raise CypherReadError(f"the comparison {operator} cannot be said")
        owner, name, part = expect_property(strip_precision(left))
        literals = [refine_literal(left, _unfold_case(right, part)) for right in rights]
        if not literals:
            raise CypherReadError("a comparison with no value at all holds never")
        compared = ComparedProperty(
            *self._pattern.find_owner(owner), name, _OPERATORS[operator], part, is_negated
        )
        self._add_values(owner, compared, literals)

    def _add_values(
        self, owner: Variable, compared: ComparedProperty, values: Sequence[Expression]
    ) -> None:
        """Add the filter that a property is compared with some values."""
        choices = [self._meanings.find_values(compared, expect_literal(value)) for value in values]
        first, *others = dict.fromkeys(choices)
        self._pattern.add_filter(
            owner,
            QueryFilter(
                compared.property,
                compared.operator,
                first,
                tuple(others),
                is_negated=compared.is_negated,
                part=compared.part,
            ),
        )

    def _read_reference(self, left: Expression, operator: str, right: Expression) -> None:
        """Read that two properties are compared."""
        owner, name, part = expect_property(strip_precision(left))
        other, other_name, other_part = expect_property(strip_precision(right))
        node = self._pattern.find_node(other)
        if operator not in SWAPPED or node is None or not self._is_node(owner):
            raise CypherReadError("only properties of nodes can be compared with one another")
        reference = PropertyReference(node, other_name, other_part, find_reference_type(right))
        self._pattern.add_filter(
            owner, QueryFilter(name, _OPERATORS[operator], reference=reference, part=part)
        )

    def _read_difference(self, left: Expression, operator: str, right: Expression) -> None:
        """Read that two nodes must not be one."""
        node = self._pattern.find_node(right)
        if operator != "<>" or node is None or not isinstance(left, Variable):
            raise CypherReadError("of two nodes only that they differ can be said")
        reference = PropertyReference(node, "")
        self._pattern.add_filter(left, QueryFilter("", "<>", reference=reference))

    def _read_number(self, counted: Subquery, operator: str, right: Expression) -> None:
        """Read that the number of a pattern's matches is compared."""
        if operator not in SWAPPED or not counted.is_count:
            raise CypherReadError("the number of matches is compared with a number only")
        number = expect_literal(right)
        is_zero = number.value == 0 and not isinstance(number.value, bool)
        if is_zero and operator in ("=", "<="):
            scope = QueryScope("none")
        elif is_zero and operator in (">", "<>"):
            scope = QueryScope("some")
        else:
            values = self._meanings.find_number(number)
            scope = QueryScope("number", _OPERATORS[operator], values)
        self._read_subquery(counted, scope)


def _turn_comparison(
    left: Expression, operator: str, right: Expression
) -> tuple[Expression, str, Expression]:
    """The same comparison with its value on the right, and the number of a pattern on the left."""
    if isinstance(left, Literal) and operator in SWAPPED:
        return right, SWAPPED[_OPERATORS[operator]], left
    return left, operator, right


def _list_compared_items(compared: Comparison) -> Sequence[Expression]:
    """The values that a comparison has on its right."""
    if compared.operator == "IN" and isinstance(compared.right, ListLiteral):
        return compared.right.items
    return (compared.right,)


def _unfold_case(right: Expression, part: str) -> Expression:
    """The value that a property in lower case is compared with, without its own `toLower`."""
    if part == "lower" and isinstance(right, FunctionCall) and right.name == "tolower":
        return right.arguments[0]
    return right
