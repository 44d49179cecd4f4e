"""Parses expressions by recursive descent: conditions, comparisons, arithmetic and values."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from trellis.automata.cypher.meaning.value_rendering import PART_FUNCTIONS
from trellis.automata.cypher.reading.cursor import TokenCursor
from trellis.automata.cypher.reading.expressions import (
    AGGREGATES,
    Access,
    Arithmetic,
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
from trellis.automata.cypher.reading.path_parser import PathParser
from trellis.domain.errors import CypherReadError
from trellis.domain.graphs.graph import Scalar

_COMPARED = {"=": "=", "<>": "<>", "!=": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_COMPARING_WORDS = (("CONTAINS",), ("STARTS", "WITH"), ("ENDS", "WITH"), ("IN",))
_OF_ONE_ARGUMENT = AGGREGATES | {name.lower() for name in PART_FUNCTIONS.values()}
_TEMPORAL = frozenset({"date", "time", "localtime", "datetime", "localdatetime", "duration"})


class ExpressionParser:
    """Parses expressions, the patterns inside them included. `params` are the values that
    parameters stand for."""

    def __init__(self, cursor: TokenCursor, params: Mapping[str, Scalar]) -> None:
        self._cursor = cursor
        self._params = params
        self.paths = PathParser(cursor, self.parse_expression, self._parse_sum)

    def parse_expression(self) -> Expression:
        """Parse all that can stand in a WHERE or be returned."""
        return self._parse_junction("OR", self._parse_conjunction)

    def parse_number(self) -> Expression:
        """Parse a number, or a value with the properties that are taken of it."""
        cursor = self._cursor
        sign = -1 if cursor.accept_mark("-") else 1
        if cursor.current.kind == "number":
            text = cursor.take_token().value
            return Literal(sign * (int(text) if text.isdigit() else float(text)))
        if sign < 0:
            cursor.fail("a number")
        expression = self._parse_atom()
        while cursor.accept_mark("."):
            expression = Access(expression, cursor.expect_name())
        if cursor.is_mark("["):
            cursor.fail("no item or slice of a list")
        return expression

    def _parse_conjunction(self) -> Expression:
        return self._parse_junction("AND", self._parse_negation)

    def _parse_junction(self, word: str, parse_part: Callable[[], Expression]) -> Expression:
        parts = [parse_part()]
        while self._cursor.accept_word(word):
            parts.append(parse_part())
        return parts[0] if len(parts) == 1 else Junction(word, tuple(parts))

    def _parse_negation(self) -> Expression:
        is_negated = self._cursor.accept_word("NOT")
        return Negation(self._parse_negation()) if is_negated else self._parse_test()

    def _parse_test(self) -> Expression:
        """Parse a comparison, or an expression that stands alone."""
        cursor = self._cursor
        left = self._parse_sum()
        if cursor.is_mark(*_COMPARED):
            return self._parse_comparison(left)
        for words in _COMPARING_WORDS:
            if cursor.is_word(words[0]):
                for word in words:
                    cursor.expect_word(word)
                return Comparison(" ".join(words), left, self._parse_sum())
        if cursor.accept_word("IS"):
            is_negated = cursor.accept_word("NOT")
            cursor.expect_word("NULL")
            return NullTest(left, is_negated)
        if cursor.accept_mark(":"):
            return LabelTest(left, cursor.expect_name())
        return left

    def _parse_comparison(self, left: Expression) -> Expression:
        """Parse a comparison from its operator on: of two expressions, or of three in a row."""
        operator = _COMPARED[self._cursor.take_token().value]
        first = Comparison(operator, left, self._parse_sum())
        if not self._cursor.is_mark(*_COMPARED):
            return first
        second = _COMPARED[self._cursor.take_token().value]
        return Junction("AND", (first, Comparison(second, first.right, self._parse_sum())))

    def _parse_sum(self) -> Expression:
        return self._parse_arithmetic(("+", "-"), self._parse_product)

    def _parse_product(self) -> Expression:
        return self._parse_arithmetic(("*", "/", "%", "^"), self.parse_number)

    def _parse_arithmetic(
        self, operators: tuple[str, ...], parse_part: Callable[[], Expression]
    ) -> Expression:
        left = parse_part()
        while self._cursor.is_mark(*operators):
            left = Arithmetic(self._cursor.take_token().value, left, parse_part())
        return left

    def _parse_atom(self) -> Expression:
        """Parse what has no parts that an operator joins."""
        cursor, token = self._cursor, self._cursor.current
        if token.kind == "parameter" and token.value in self._params:
            return Literal(self._params[cursor.take_token().value])
        if token.kind == "text":
            return Literal(cursor.take_token().value)
        if cursor.accept_word("TRUE") or cursor.accept_word("FALSE"):
            return Literal(token.is_word("TRUE"))
        if cursor.accept_mark("["):
            return self._parse_list()
        if cursor.is_mark("("):
            return self.paths.parse_path_predicate() if cursor.is_path() else self._parse_group()
        if token.kind == "name" and self._is_subquery():
            return self._parse_subquery()
        if cursor.is_name() and cursor.is_next_mark("("):
            return self._parse_call()
        if not cursor.is_name() or token.is_word("CASE"):
            cursor.fail("a value")
        return Variable(cursor.expect_name())

    def _parse_group(self) -> Expression:
        """Parse an expression in parentheses."""
        self._cursor.expect_mark("(")
        inside = self.parse_expression()
        self._cursor.expect_mark(")")
        return inside

    def _parse_list(self) -> Expression:
        return ListLiteral(self._parse_items("]", self._parse_sum))

    def _parse_items(
        self, closing: str, parse_item: Callable[[], Expression]
    ) -> tuple[Expression, ...]:
        """Parse what commas set apart, up to a closing mark."""
        items: list[Expression] = []
        while not self._cursor.accept_mark(closing):
            items.append(parse_item())
            if not self._cursor.accept_mark(","):
                self._cursor.expect_mark(closing)
                break
        return tuple(items)

    def _parse_call(self) -> Expression:
        """Parse a call of a function or an aggregate."""
        cursor = self._cursor
        name = cursor.expect_name().lower()
        cursor.expect_mark("(")
        distinct = cursor.accept_word("DISTINCT")
        if name == "count" and cursor.accept_mark("*"):
            cursor.expect_mark(")")
            return FunctionCall(name, ())
        if name == "exists" and cursor.is_mark("(") and cursor.is_path():
            predicate = self.paths.parse_path_predicate()
            cursor.expect_mark(")")
            return predicate
        arguments = self._parse_items(")", self.parse_expression)
        if name in _OF_ONE_ARGUMENT and len(arguments) != 1:
            raise CypherReadError(f"{name}(…) takes one argument, and has {len(arguments)}")
        if name in _TEMPORAL and len(arguments) == 1 and isinstance(arguments[0], Literal):
            return Literal(arguments[0].value, name)
        return FunctionCall(name, arguments, distinct)

    def _is_subquery(self) -> bool:
        word = self._cursor.current.value.upper()
        return word in ("EXISTS", "COUNT") and self._cursor.is_next_mark("{")

    def _parse_subquery(self) -> Expression:
        """Parse a pattern in braces, with MATCH before it or without."""
        cursor = self._cursor
        is_count = cursor.take_token().is_word("COUNT")
        cursor.expect_mark("{")
        cursor.accept_word("MATCH")
        matches = [self.paths.parse_match()]
        while cursor.accept_word("MATCH"):
            matches.append(self.paths.parse_match())
        cursor.expect_mark("}")
        return Subquery(tuple(matches), is_count)
