"""The properties and values that expressions name."""

from __future__ import annotations

from trellis.automata.cypher.meaning.value_rendering import INSTANT, PART_FUNCTIONS
from trellis.automata.cypher.reading.expressions import (
    Access,
    Arithmetic,
    Expression,
    FunctionCall,
    Literal,
    Variable,
)
from trellis.domain.errors import CypherReadError

_PRECISIONS = {"date": "datetime", "localtime": "time"}
"""The functions that make values less precise, each with that of the type that they are made of."""

_PARTS = {"year": "year", "month": "month", "day": "day"}
_FUNCTION_PARTS = {function.lower(): part for part, function in PART_FUNCTIONS.items()}

NamedProperty = tuple[Variable, str, str]
"""A property: the variable that has it, its name, and the part of its value, or empty."""


def find_property(expression: Expression) -> NamedProperty | None:
    """The property that an expression is; None where it is anything else."""
    match expression:
        case Access(of=Variable() as variable, name=name):
            return variable, name, ""
        case Access(of=Access(of=Variable() as variable, name=name), name=part):
            return (variable, name, _PARTS[part]) if part in _PARTS else None
        case FunctionCall(
            name=function, arguments=(Access(of=Variable() as variable, name=name),)
        ) if function in _FUNCTION_PARTS:
            return variable, name, _FUNCTION_PARTS[function]
    return None


def strip_precision(expression: Expression) -> Expression:
    """What is compared, without what makes it comparable: a property whose instant, day or clock
    counts, or that stands behind a day."""
    match expression:
        case Access(of=Access() as whole, name=name) if name == INSTANT:
            return whole
        case FunctionCall(name=maker, arguments=(Access() as whole,)) if maker in _PRECISIONS:
            return whole
    return find_length(expression) or expression


def find_length(expression: Expression) -> Expression | None:
    """The length of time that stands behind a day; None where an expression is anything else."""
    match expression:
        case Arithmetic(operator="+", left=Literal(function="localdatetime"), right=length):
            return length
    return None


def find_reference_type(expression: Expression) -> str:
    """The type of the values of a property by how it is written to be compared with another one;
    empty where that says nothing."""
    match expression:
        case Access(of=Access(), name=name) if name == INSTANT:
            return "ZONED DATETIME"
        case Arithmetic() if find_length(expression):
            return "DURATION"
    return ""


def refine_literal(left: Expression, right: Expression) -> Expression:
    """A value as one of the type of the property that it is compared with: a day is one of instants
    where their days are compared, and a length of time stands behind a day as that does."""
    match left, right:
        case FunctionCall(name=maker), Literal(value=value, function=function) if (
            maker == function and maker in _PRECISIONS
        ):
            return Literal(value, _PRECISIONS[maker])
        case Arithmetic(), Arithmetic() if length := find_length(right):
            return length
    return right


def expect_property(expression: Expression) -> NamedProperty:
    """The property that an expression is; raises CypherReadError where it is anything else."""
    named = find_property(expression)
    if named is None:
        raise CypherReadError(
            f"only properties can be compared, no {type(expression).__name__.lower()}"
        )
    return named


def expect_literal(expression: Expression) -> Literal:
    """The value that an expression is; raises CypherReadError where it is anything else."""
    if not isinstance(expression, Literal):
        raise CypherReadError("a property is compared with something that is no value")
    return expression
