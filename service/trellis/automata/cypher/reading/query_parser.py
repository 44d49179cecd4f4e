"""Parses the subset of Cypher that only reads into a syntax tree.

The subset: MATCH and OPTIONAL MATCH of paths with labels, property maps and WHERE; WITH and one
RETURN with expressions, aggregates, ORDER BY, SKIP and LIMIT; EXISTS and COUNT of patterns.
"""

from __future__ import annotations

from collections.abc import Mapping

from trellis.automata.cypher.reading.cursor import TokenCursor
from trellis.automata.cypher.reading.expression_parser import ExpressionParser
from trellis.automata.cypher.reading.expressions import (
    Expression,
    Literal,
    MatchClause,
    Projection,
    ProjectionItem,
    QuerySyntax,
    SortKey,
    split_conjunction,
)
from trellis.domain.graphs.graph import Scalar


def parse_query(text: str, params: Mapping[str, Scalar]) -> QuerySyntax:
    """Parse a query; raises CypherReadError with the place of what is not of the subset."""
    return _QueryParser(text, params).parse_query()


class _QueryParser:
    """Parses the clauses of a query."""

    def __init__(self, text: str, params: Mapping[str, Scalar]) -> None:
        self._cursor = TokenCursor(text)
        self._expressions = ExpressionParser(self._cursor, params)

    def parse_query(self) -> QuerySyntax:
        cursor = self._cursor
        clauses: list[MatchClause | Projection] = []
        while not cursor.is_word("RETURN"):
            if clauses and cursor.accept_word("WITH"):
                clauses.append(self._parse_projection(is_return=False))
            else:
                clauses.append(self._parse_match_clause(bool(clauses)))
        cursor.expect_word("RETURN")
        clauses.append(self._parse_projection(is_return=True))
        cursor.accept_mark(";")
        if cursor.current.kind != "end":
            cursor.fail("the end of the query")
        return QuerySyntax(tuple(clauses))

    def _parse_match_clause(self, may_return: bool) -> MatchClause:
        is_optional = self._cursor.accept_word("OPTIONAL")
        if not self._cursor.accept_word("MATCH"):
            self._cursor.fail("MATCH, WITH or RETURN" if may_return else "MATCH")
        return self._expressions.paths.parse_match(is_optional)

    def _parse_projection(self, is_return: bool) -> Projection:
        """Parse what stands behind WITH or RETURN."""
        cursor = self._cursor
        distinct = cursor.accept_word("DISTINCT")
        passes_all = cursor.accept_mark("*")
        items = self._parse_projection_items(passes_all)
        orders = self._parse_orders() if cursor.accept_word("ORDER") else ()
        skip = self._parse_count() if cursor.accept_word("SKIP") else 0
        limit = self._parse_count() if cursor.accept_word("LIMIT") else None
        conditions: tuple[Expression, ...] = ()
        if not is_return and cursor.accept_word("WHERE"):
            conditions = tuple(split_conjunction(self._expressions.parse_expression()))
        return Projection(items, is_return, distinct, passes_all, conditions, orders, skip, limit)

    def _parse_projection_items(self, passes_all: bool) -> tuple[ProjectionItem, ...]:
        """Parse the items of a projection; behind a star there may be none."""
        items: list[ProjectionItem] = []
        while not passes_all or self._cursor.accept_mark(","):
            items.append(self._parse_projection_item())
            if not self._cursor.is_mark(","):
                break
            if not passes_all:
                self._cursor.expect_mark(",")
        return tuple(items)

    def _parse_projection_item(self) -> ProjectionItem:
        expression = self._expressions.parse_expression()
        has_alias = self._cursor.accept_word("AS")
        return ProjectionItem(expression, self._cursor.expect_name() if has_alias else "")

    def _parse_orders(self) -> tuple[SortKey, ...]:
        self._cursor.expect_word("BY")
        orders = [self._parse_order()]
        while self._cursor.accept_mark(","):
            orders.append(self._parse_order())
        return tuple(orders)

    def _parse_order(self) -> SortKey:
        cursor = self._cursor
        expression = self._expressions.parse_expression()
        is_descending = cursor.accept_word("DESC") or cursor.accept_word("DESCENDING")
        if not is_descending and not cursor.accept_word("ASC"):
            cursor.accept_word("ASCENDING")
        return SortKey(expression, is_descending)

    def _parse_count(self) -> int:
        """Parse a number of rows."""
        value = self._expressions.parse_number()
        if not isinstance(value, Literal) or type(value.value) is not int or value.value < 0:
            self._cursor.fail("a number of rows")
        return value.value
