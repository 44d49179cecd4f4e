"""The read subset of Cypher as a syntax tree, by recursive descent.

MATCH clauses of paths with labels, property maps and WHERE (comparisons joined by AND), one
RETURN with aggregates, ORDER BY one expression, LIMIT.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NoReturn

from trellis.automata.cypher.lexer import LexerToken, split_tokens
from trellis.automata.cypher.query import Direction, Operator
from trellis.domain.errors import CypherReadError
from trellis.domain.graph import Scalar

_SWAPPED: dict[str, Operator] = {"=": "=", "<>": "<>", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_MEANT: dict[str, Operator] = {operator: operator for operator in _SWAPPED.values()} | {"!=": "<>"}
_TEMPORAL = frozenset({"date", "time", "localtime", "datetime", "localdatetime", "duration"})
_FUNCTIONS = frozenset({"count", "min", "max", "sum", "avg", "collect"})


@dataclass(frozen=True, slots=True)
class SyntaxCondition:
    """A variable's property compared with a value."""

    variable: str
    property: str
    operator: Operator
    value: Scalar


@dataclass(frozen=True, slots=True)
class SyntaxRelation:
    """A relationship between two variables of a path, `out` from the first."""

    source: str
    target: str
    type: str
    direction: Direction
    clause: int


@dataclass(frozen=True, slots=True)
class SyntaxExpression:
    """A variable, its property, or an aggregate of it; `count(*)` has no variable."""

    variable: str
    property: str = ""
    function: str = ""
    distinct: bool = False


@dataclass(frozen=True, slots=True)
class QuerySyntax:
    """A query as it is written. `labels`: of each variable, in the order of their coming; those
    without a name are called by a number. `sort`: an expression, and whether it is descending."""

    labels: Mapping[str, str]
    conditions: tuple[SyntaxCondition, ...]
    relations: tuple[SyntaxRelation, ...]
    items: tuple[SyntaxExpression, ...]
    distinct: bool
    sort: tuple[SyntaxExpression, bool] | None
    limit: int | None


def parse_query(text: str, params: Mapping[str, Scalar]) -> QuerySyntax:
    """The syntax of a query; raises CypherReadError with the place of what is not of the subset."""
    return _Parser(text, params).read_query()


class _Parser:
    """Reads from left to right; each method reads what it is named after."""

    def __init__(self, text: str, params: Mapping[str, Scalar]) -> None:
        self._tokens = list(split_tokens(text))
        self._params = params
        self._at = 0
        self._clause = 0
        self._labels: dict[str, str] = {}
        self._conditions: list[SyntaxCondition] = []
        self._relations: list[SyntaxRelation] = []
        self._aliases: dict[str, SyntaxExpression] = {}

    def read_query(self) -> QuerySyntax:
        self._expect_word("MATCH")
        self._read_match()
        while self._accept_word("MATCH"):
            self._read_match()
        self._expect_word("RETURN")
        distinct = self._accept_word("DISTINCT")
        items = [self._read_item()]
        while self._accept_mark(","):
            items.append(self._read_item())
        sort = self._read_sort() if self._accept_word("ORDER") else None
        limit = self._read_limit() if self._accept_word("LIMIT") else None
        self._accept_mark(";")
        if self._current.kind != "end":
            self._fail("the end of the query")
        listed = tuple(self._conditions), tuple(self._relations), tuple(items)
        return QuerySyntax(self._labels, *listed, distinct, sort, limit)

    def _read_match(self) -> None:
        self._read_path()
        while self._accept_mark(","):
            self._read_path()
        if self._accept_word("WHERE"):
            self._read_conditions("")
        self._clause += 1

    def _read_path(self) -> None:
        source = self._read_node()
        while self._current.value in ("-", "<") and self._current.kind == "mark":
            source = self._read_relation(source)

    def _read_node(self) -> str:
        self._expect_mark("(")
        variable = (
            self._read_name() if self._is_name() and not self._current.is_word("WHERE") else ""
        )
        variable = variable or str(len(self._labels))
        label = self._read_name() if self._accept_mark(":") else ""
        if label and self._labels.get(variable) not in (None, "", label):
            self._fail(f"one label for {variable}")
        self._labels[variable] = label or self._labels.get(variable, "")
        if self._accept_mark("{"):
            self._read_property_map(variable)
        if self._accept_word("WHERE"):
            self._read_conditions(variable)
        self._expect_mark(")")
        return variable

    def _read_property_map(self, variable: str) -> None:
        while not self._accept_mark("}"):
            name = self._read_name()
            self._expect_mark(":")
            self._add_condition(SyntaxCondition(variable, name, "=", self._read_literal()))
            if not self._accept_mark(","):
                self._expect_mark("}")
                return

    def _read_relation(self, source: str) -> str:
        before = self._accept_mark("<")
        self._expect_mark("-")
        kind = ""
        if self._accept_mark("["):
            if self._is_name():
                self._read_name()
            kind = self._read_name() if self._accept_mark(":") else ""
            self._expect_mark("]")
        self._expect_mark("-")
        after = self._accept_mark(">")
        if not kind:
            self._fail("a relationship of one type")
        target = self._read_node()
        direction: Direction = "any" if before == after else "in" if before else "out"
        self._relations.append(SyntaxRelation(source, target, kind, direction, self._clause))
        return target

    def _read_conditions(self, variable: str) -> None:
        """Comparisons joined by AND; `variable`: the node in whose pattern they stand, or empty."""
        if self._accept_mark("("):
            self._read_conditions(variable)
            self._expect_mark(")")
        else:
            self._read_comparison()
        if self._accept_word("AND"):
            self._read_conditions(variable)

    def _read_comparison(self) -> None:
        first = None if self._is_variable() else self._read_literal()
        if first is not None:
            operator = _SWAPPED[self._read_operator()]
            of = self._read_property()
            return self._add_condition(SyntaxCondition(of.variable, of.property, operator, first))
        of = self._read_property()
        self._add_condition(
            SyntaxCondition(of.variable, of.property, self._read_operator(), self._read_literal())
        )
        return None

    def _add_condition(self, condition: SyntaxCondition) -> None:
        if condition not in self._conditions:
            self._conditions.append(condition)

    def _read_operator(self) -> Operator:
        found = _MEANT.get(self._current.value) if self._current.kind == "mark" else None
        if not found:
            self._fail("a comparison")
        self._at += 1
        return found

    def _read_literal(self) -> Scalar:
        token = self._current
        if token.kind == "name" and token.value.lower() in _TEMPORAL and self._is_next_mark("("):
            self._at += 2
            value = self._read_literal()
            self._expect_mark(")")
            return value
        if token.kind == "parameter" and token.value in self._params:
            return self._params[self._take_token().value]
        if self._accept_word("TRUE") or self._accept_word("FALSE"):
            return token.is_word("TRUE")
        if token.kind == "text":
            return self._take_token().value
        return self._read_number()

    def _read_number(self) -> int | float:
        sign = -1 if self._accept_mark("-") else 1
        if self._current.kind != "number":
            self._fail("a value")
        text = self._take_token().value
        return sign * (int(text) if text.isdigit() else float(text))

    def _read_item(self) -> SyntaxExpression:
        found = self._read_expression()
        if self._accept_word("AS"):
            self._aliases[self._read_name()] = found
        return found

    def _read_expression(self) -> SyntaxExpression:
        if self._is_name() and self._is_next_mark("("):
            return self._read_aggregate()
        variable = self._read_name()
        return SyntaxExpression(variable, self._read_name() if self._accept_mark(".") else "")

    def _read_aggregate(self) -> SyntaxExpression:
        function = self._read_name().lower()
        if function not in _FUNCTIONS:
            self._at -= 1
            self._fail(f"one of the functions {', '.join(sorted(_FUNCTIONS))}")
        self._expect_mark("(")
        distinct = self._accept_word("DISTINCT")
        star = function == "count" and not distinct and self._accept_mark("*")
        of = SyntaxExpression("") if star else self._read_expression()
        self._expect_mark(")")
        return SyntaxExpression(of.variable, of.property, function, distinct)

    def _read_property(self) -> SyntaxExpression:
        variable = self._read_name()
        self._expect_mark(".")
        return SyntaxExpression(variable, self._read_name())

    def _read_sort(self) -> tuple[SyntaxExpression, bool]:
        self._expect_word("BY")
        found = self._read_expression()
        if not found.property and not found.function:
            found = self._aliases.get(found.variable, found)
        down = self._accept_word("DESC") or self._accept_word("DESCENDING")
        if not down and not self._accept_word("ASC"):
            self._accept_word("ASCENDING")
        return found, down

    def _read_limit(self) -> int:
        value = self._read_literal()
        if not isinstance(value, int) or value < 0:
            self._fail("a number of rows")
        return value

    @property
    def _current(self) -> LexerToken:
        return self._tokens[self._at]

    def _take_token(self) -> LexerToken:
        token = self._current
        self._at += token.kind != "end"
        return token

    def _is_name(self) -> bool:
        return self._current.kind in ("name", "quoted")

    def _is_variable(self) -> bool:
        return self._is_name() and self._is_next_mark(".")

    def _is_next_mark(self, mark: str) -> bool:
        following = self._tokens[min(self._at + 1, len(self._tokens) - 1)]
        return following.kind == "mark" and following.value == mark

    def _accept_mark(self, mark: str) -> bool:
        found = self._current.kind == "mark" and self._current.value == mark
        self._at += found
        return found

    def _accept_word(self, word: str) -> bool:
        found = self._current.is_word(word)
        self._at += found
        return found

    def _read_name(self) -> str:
        if not self._is_name():
            self._fail("a name")
        return self._take_token().value

    def _expect_mark(self, mark: str) -> None:
        if not self._accept_mark(mark):
            self._fail(f"{mark!r}")

    def _expect_word(self, word: str) -> None:
        if not self._accept_word(word):
            self._fail(word)

    def _fail(self, wanted: str) -> NoReturn:
        found = repr(self._current.value) if self._current.value else "the end"
        raise CypherReadError(
            f"the query has {found} at offset {self._current.at}, where {wanted} is read",
            "write it in the subset: MATCH paths, WHERE comparisons, RETURN, ORDER BY, LIMIT",
        )
