"""Parses the paths of a MATCH clause: nodes, relationships, and the conditions inside them."""

from __future__ import annotations

from collections.abc import Callable

from trellis.automata.cypher.meaning.query import Direction
from trellis.automata.cypher.reading.cursor import TokenCursor
from trellis.automata.cypher.reading.expressions import (
    Access,
    Comparison,
    Expression,
    MatchClause,
    NodePattern,
    RelationshipPattern,
    Subquery,
    Variable,
    split_conjunction,
)

ParseExpression = Callable[[], Expression]
"""Parses the expression at the cursor."""


class PathParser:
    """Parses patterns. `parse_expression` parses a condition, `parse_value` what a property map
    holds for a property."""

    def __init__(
        self, cursor: TokenCursor, parse_expression: ParseExpression, parse_value: ParseExpression
    ) -> None:
        self._cursor = cursor
        self._parse_expression = parse_expression
        self._parse_value = parse_value
        self._unnamed = 0  # the number of nodes and relationships without a variable

    def parse_match(self, is_optional: bool = False) -> MatchClause:
        """Parse the paths of a clause, and its WHERE."""
        pattern = _PatternParts()
        self._parse_path(pattern)
        while self._cursor.accept_mark(","):
            self._parse_path(pattern)
        self._parse_where(pattern)
        return pattern.make_clause(is_optional)

    def parse_path_predicate(self) -> Subquery:
        """Parse a path that stands for a condition: that the path exists."""
        pattern = _PatternParts()
        self._parse_path(pattern)
        return Subquery((pattern.make_clause(False),))

    def _parse_path(self, pattern: _PatternParts) -> None:
        cursor = self._cursor
        if cursor.is_name() and cursor.is_next_mark("="):
            cursor.take_token()  # the path's own name
            cursor.take_token()
        source = self._parse_node(pattern)
        while cursor.is_mark("-", "<"):
            source = self._parse_relationship(source, pattern)

    def _parse_node(self, pattern: _PatternParts) -> str:
        """Parse a node, and return its variable."""
        cursor = self._cursor
        cursor.expect_mark("(")
        is_named = cursor.is_name() and not cursor.is_word("WHERE")
        variable = cursor.expect_name() if is_named else self._make_variable()
        label = self._parse_label() if cursor.accept_mark(":") else ""
        pattern.nodes.append(NodePattern(variable, label))
        self._parse_inner_conditions(variable, pattern)
        cursor.expect_mark(")")
        return variable

    def _parse_label(self) -> str:
        label = self._cursor.expect_name()
        if self._cursor.is_mark("|", "&", ":"):
            self._cursor.fail("one label")
        return label

    def _parse_relationship(self, source: str, pattern: _PatternParts) -> str:
        """Parse a relationship and the node behind it, and return that node's variable."""
        cursor = self._cursor
        before = cursor.accept_mark("<")
        cursor.expect_mark("-")
        variable, type_name = self._parse_relationship_details(pattern)
        cursor.expect_mark("-")
        after = cursor.accept_mark(">")
        if not type_name:
            cursor.fail("a relationship of one type")
        target = self._parse_node(pattern)
        direction: Direction = "any" if before == after else "in" if before else "out"
        relationship = RelationshipPattern(variable, source, target, type_name, direction)
        pattern.relationships.append(relationship)
        return target

    def _parse_relationship_details(self, pattern: _PatternParts) -> tuple[str, str]:
        """Parse the brackets of a relationship, and return its variable and its type."""
        cursor = self._cursor
        variable, type_name = self._make_variable(), ""
        if cursor.accept_mark("["):
            if cursor.is_name():
                variable = cursor.expect_name()
            type_name = cursor.expect_name() if cursor.accept_mark(":") else ""
            if cursor.is_mark("|", "*", "&", "!"):
                cursor.fail("one relationship of one type")
            self._parse_inner_conditions(variable, pattern)
            cursor.expect_mark("]")
        return variable, type_name

    def _parse_inner_conditions(self, variable: str, pattern: _PatternParts) -> None:
        """Parse the property map of a node or relationship, and its WHERE."""
        cursor = self._cursor
        if cursor.accept_mark("{"):
            while not cursor.accept_mark("}"):
                of = Access(Variable(variable), cursor.expect_name())
                cursor.expect_mark(":")
                pattern.conditions.append(Comparison("=", of, self._parse_value()))
                if not cursor.accept_mark(","):
                    cursor.expect_mark("}")
                    break
        self._parse_where(pattern)

    def _parse_where(self, pattern: _PatternParts) -> None:
        if self._cursor.accept_word("WHERE"):
            pattern.conditions += split_conjunction(self._parse_expression())

    def _make_variable(self) -> str:
        """A variable for what has none; no name in a query begins with a digit."""
        self._unnamed += 1
        return str(self._unnamed - 1)


class _PatternParts:
    """The parts of a pattern that were parsed so far."""

    def __init__(self) -> None:
        self.nodes: list[NodePattern] = []
        self.relationships: list[RelationshipPattern] = []
        self.conditions: list[Expression] = []

    def make_clause(self, is_optional: bool) -> MatchClause:
        return MatchClause(
            tuple(self.nodes), tuple(self.relationships), tuple(self.conditions), is_optional
        )
