"""Reads what is returned, ordered by or compared: nodes, properties, aggregates, arithmetic."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from trellis.automata.cypher.meaning.items import (
    LIST,
    RETURN_FORMS,
    SHOW,
    WIDE_FORMS,
    ArithmeticOperator,
    ArithmeticTerm,
    ReturnForm,
    ReturnItem,
)
from trellis.automata.cypher.reading.expressions import (
    AGGREGATES,
    Arithmetic,
    Expression,
    FunctionCall,
    Literal,
    Variable,
)
from trellis.automata.cypher.reading.matched_pattern import MatchedPattern
from trellis.automata.cypher.reading.properties import find_property
from trellis.automata.cypher.words.wording import TERM_WORDS
from trellis.domain.errors import CypherReadError

_TERMS: Mapping[str, ArithmeticOperator] = {operator: operator for operator in TERM_WORDS}


def read_item(pattern: MatchedPattern, expression: Expression) -> ReturnItem:
    """Read what is returned, ordered by or compared; its aliases are resolved already.

    Raises CypherReadError where the language has no item for it.
    """
    if isinstance(expression, FunctionCall) and expression.name in AGGREGATES:
        return _read_aggregate(pattern, expression)
    if isinstance(expression, FunctionCall) and expression.name == "size":
        (of,) = expression.arguments
        if isinstance(of, FunctionCall) and of.name == "collect":
            return _read_aggregate(pattern, replace(of, name="count"))
    return _make_item(pattern, "", expression, False)


def find_form(function: str, is_whole_node: bool, distinct: bool) -> ReturnForm:
    """The form of an item; raises CypherReadError where there is none."""
    idle = function in ("min", "max")  # the same with DISTINCT as without
    if not function and not distinct:
        return LIST if is_whole_node else SHOW
    for form in (*RETURN_FORMS, *WIDE_FORMS):
        same = form.distinct == (distinct and not idle)
        if (form.function, form.is_whole_node) == (function, is_whole_node) and same:
            return form
    of = "a node" if is_whole_node else "a property"
    raise CypherReadError(f"{function}({'DISTINCT ' if distinct else ''}…) of {of} cannot be said")


def _read_aggregate(pattern: MatchedPattern, call: FunctionCall) -> ReturnItem:
    if not call.arguments:
        return ReturnItem(find_form("count", True, False), 0, "")
    (of,) = call.arguments
    edge = pattern.find_edge(of)
    if edge is not None and call.name == "count" and not call.distinct:
        target = pattern.query.edges[edge].target
        return ReturnItem(find_form("count", True, False), target, "")
    return _make_item(pattern, call.name, of, call.distinct)


def _make_item(
    pattern: MatchedPattern, function: str, of: Expression, distinct: bool
) -> ReturnItem:
    """The item of a node, a property, or two properties that are combined."""
    node = pattern.find_node(of)
    if node is not None:
        return ReturnItem(find_form(function, True, distinct), node, "")
    if isinstance(of, Arithmetic) and of.operator in _TERMS:
        item = _make_item(pattern, function, of.left, distinct)
        other = _make_item(pattern, "", of.right, False)
        if item.key and other.key and not (item.term or other.term):
            owner = (other.node, other.key, other.part, other.edge)
            return replace(item, term=ArithmeticTerm(_TERMS[of.operator], *owner))
        raise CypherReadError("arithmetic with more than two properties cannot be said")
    return _make_property_item(pattern, function, of, distinct)


def _make_property_item(
    pattern: MatchedPattern, function: str, of: Expression, distinct: bool
) -> ReturnItem:
    """The item of one property, of a relationship or of a node."""
    named = find_property(of)
    if named is None:
        raise CypherReadError(f"{_describe_expression(of)} cannot be returned, or ordered by")
    variable, name, part = named
    form = find_form(function, False, distinct)
    if (edge := pattern.find_edge(variable)) is not None:
        return ReturnItem(form, pattern.query.edges[edge].target, name, part, edge)
    node = pattern.find_node(variable)
    if node is None:
        raise CypherReadError(f"{variable.name!r} is no node of the pattern")
    return ReturnItem(form, node, name, part)


def _describe_expression(expression: Expression) -> str:
    """What an expression is, for an error."""
    match expression:
        case FunctionCall(name=name):
            return f"{name}(…)"
        case Arithmetic():
            return "arithmetic of this kind"
        case Literal(value=value):
            return f"the value {value!r}"
        case Variable(name=name):
            return repr(name)
        case _:
            return f"a {type(expression).__name__.lower()}"
