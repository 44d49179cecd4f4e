"""What the aliases of a query stand for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from trellis.automata.cypher.reading.expressions import (
    Access,
    Arithmetic,
    Comparison,
    Expression,
    FunctionCall,
    Negation,
    NullTest,
    ProjectionItem,
    Variable,
    has_aggregate,
    iterate_operands,
)
from trellis.domain.errors import CypherReadError


class AliasTable:
    """The aliases that projections gave so far, each with the expression that it stands for."""

    def __init__(self) -> None:
        self._expressions: dict[str, Expression] = {}

    def add_items(self, items: Sequence[ProjectionItem]) -> None:
        """Let the aliases of a projection stand for what they are made of."""
        resolved = {
            item.alias or _get_variable(item.expression): self.resolve_aliases(item.expression)
            for item in items
        }
        self._expressions |= {name: of for name, of in resolved.items() if of != Variable(name)}

    def drop_aggregates(self) -> None:
        """Forget the aliases of aggregates."""
        kept = {name: of for name, of in self._expressions.items() if not has_aggregate(of)}
        self._expressions = kept

    def resolve_aliases(self, expression: Expression) -> Expression:
        """An expression in which aliases are what they stand for."""
        match expression:
            case Variable(name=name):
                return self._expressions.get(name, expression)
            case Access(of=of):
                return replace(expression, of=self.resolve_aliases(of))
            case NullTest(of=of) | Negation(of=of):
                return replace(expression, of=self.resolve_aliases(of))
            case FunctionCall(arguments=arguments):
                return replace(expression, arguments=tuple(map(self.resolve_aliases, arguments)))
            case Comparison(left=left, right=right) | Arithmetic(left=left, right=right):
                resolved = self.resolve_aliases(left), self.resolve_aliases(right)
                return replace(expression, left=resolved[0], right=resolved[1])
            case _ if any(map(self._has_alias, iterate_operands(expression))):
                raise CypherReadError("an alias in an expression of this kind cannot be said")
        return expression

    def _has_alias(self, expression: Expression) -> bool:
        return self.resolve_aliases(expression) != expression


def _get_variable(expression: Expression) -> str:
    return expression.name if isinstance(expression, Variable) else ""
