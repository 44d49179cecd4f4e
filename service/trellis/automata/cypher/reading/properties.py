"""The properties and values that expressions name."""

from __future__ import annotations

from trellis.automata.cypher.reading.expressions import (
    Access,
    Expression,
    FunctionCall,
    Literal,
    Variable,
)
from trellis.automata.cypher.value_rendering import PART_FUNCTIONS
from trellis.domain.errors import CypherReadError

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
