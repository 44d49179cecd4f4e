"""The read subset of Cypher as a syntax tree, by recursive descent.

MATCH clauses of paths with labels, property maps and WHERE (comparisons joined by AND), one
RETURN with aggregates, ORDER BY one expression, LIMIT.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NoReturn

from trellis.automata.cypher.lexer import Token, tokens
from trellis.automata.cypher.query import Direction, Operator
from trellis.domain.errors import CypherReadError
from trellis.domain.graph import Scalar

_SWAPPED: dict[str, Operator] = {"=": "=", "<>": "<>", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_MEANT: dict[str, Operator] = {operator: operator for operator in _SWAPPED.values()} | {"!=": "<>"}
_TEMPORAL = frozenset({"date", "time", "localtime", "datetime", "localdatetime", "duration"})
_FUNCTIONS = frozenset({"count", "min", "max", "sum", "avg", "collect"})


@dataclass(frozen=True, slots=True)
class Condition:
    """A variable's property compared with a value."""

    variable: str
    property: str
    operator: Operator
    value: Scalar


@dataclass(frozen=True, slots=True)
class Relation:
    """A relationship between two variables of a path, `out` from the first."""

    source: str
    target: str
    type: str
    direction: Direction
    clause: int


@dataclass(frozen=True, slots=True)
class Expression:
    """A variable, its property, or an aggregate of it; `count(*)` has no variable."""

    variable: str
    property: str = ""
    function: str = ""
    distinct: bool = False


@dataclass(frozen=True, slots=True)
class Syntax:
    """A query as it is written. `labels`: of each variable, in the order of their coming; those
    without a name are called by a number. `sort`: an expression, and whether it is descending."""

    labels: Mapping[str, str]
    conditions: tuple[Condition, ...]
    relations: tuple[Relation, ...]
    items: tuple[Expression, ...]
    distinct: bool
    sort: tuple[Expression, bool] | None
    limit: int | None


def parsed(text: str, params: Mapping[str, Scalar]) -> Syntax:
    """The syntax of a query; raises CypherReadError with the place of what is not of the subset."""
    return _Parser(text, params).query()


class _Parser:
    """Reads from left to right; each method reads what it is named after."""

    def __init__(self, text: str, params: Mapping[str, Scalar]) -> None:
        self._tokens = list(tokens(text))
        self._params = params
        self._at = 0
        self._clause = 0
        self._labels: dict[str, str] = {}
        self._conditions: list[Condition] = []
        self._relations: list[Relation] = []
        self._aliases: dict[str, Expression] = {}

    def query(self) -> Syntax:
        self._expect_word("MATCH")
        self._match()
        while self._word("MATCH"):
            self._match()
        self._expect_word("RETURN")
        distinct = self._word("DISTINCT")
        items = [self._item()]
        while self._mark(","):
            items.append(self._item())
        sort = self._sort() if self._word("ORDER") else None
        limit = self._limit() if self._word("LIMIT") else None
        self._mark(";")
        if self._now.kind != "end":
            self._fail("the end of the query")
        listed = tuple(self._conditions), tuple(self._relations), tuple(items)
        return Syntax(self._labels, *listed, distinct, sort, limit)

    def _match(self) -> None:
        self._path()
        while self._mark(","):
            self._path()
        if self._word("WHERE"):
            self._condition("")
        self._clause += 1

    def _path(self) -> None:
        source = self._node()
        while self._now.value in ("-", "<") and self._now.kind == "mark":
            source = self._relation(source)

    def _node(self) -> str:
        self._expect("(")
        variable = self._name() if self._is_name() and not self._now.is_word("WHERE") else ""
        variable = variable or str(len(self._labels))
        label = self._name() if self._mark(":") else ""
        if label and self._labels.get(variable) not in (None, "", label):
            self._fail(f"one label for {variable}")
        self._labels[variable] = label or self._labels.get(variable, "")
        if self._mark("{"):
            self._map(variable)
        if self._word("WHERE"):
            self._condition(variable)
        self._expect(")")
        return variable

    def _map(self, variable: str) -> None:
        while not self._mark("}"):
            name = self._name()
            self._expect(":")
            self._add(Condition(variable, name, "=", self._literal()))
            if not self._mark(","):
                self._expect("}")
                return

    def _relation(self, source: str) -> str:
        before = self._mark("<")
        self._expect("-")
        kind = ""
        if self._mark("["):
            if self._is_name():
                self._name()
            kind = self._name() if self._mark(":") else ""
            self._expect("]")
        self._expect("-")
        after = self._mark(">")
        if not kind:
            self._fail("a relationship of one type")
        target = self._node()
        direction: Direction = "any" if before == after else "in" if before else "out"
        self._relations.append(Relation(source, target, kind, direction, self._clause))
        return target

    def _condition(self, of: str) -> None:
        """Comparisons joined by AND; `of`: the node in whose pattern they stand, or empty."""
        if self._mark("("):
            self._condition(of)
            self._expect(")")
        else:
            self._comparison()
        if self._word("AND"):
            self._condition(of)

    def _comparison(self) -> None:
        first = None if self._is_variable() else self._literal()
        if first is not None:
            operator = _SWAPPED[self._operator()]
            of = self._property()
            return self._add(Condition(of.variable, of.property, operator, first))
        of = self._property()
        self._add(Condition(of.variable, of.property, self._operator(), self._literal()))
        return None

    def _add(self, condition: Condition) -> None:
        if condition not in self._conditions:
            self._conditions.append(condition)

    def _operator(self) -> Operator:
        found = _MEANT.get(self._now.value) if self._now.kind == "mark" else None
        if not found:
            self._fail("a comparison")
        self._at += 1
        return found

    def _literal(self) -> Scalar:
        token = self._now
        if token.kind == "name" and token.value.lower() in _TEMPORAL and self._peek("("):
            self._at += 2
            value = self._literal()
            self._expect(")")
            return value
        if token.kind == "parameter" and token.value in self._params:
            return self._params[self._next().value]
        if self._word("TRUE") or self._word("FALSE"):
            return token.is_word("TRUE")
        if token.kind == "text":
            return self._next().value
        return self._number()

    def _number(self) -> int | float:
        sign = -1 if self._mark("-") else 1
        if self._now.kind != "number":
            self._fail("a value")
        text = self._next().value
        return sign * (int(text) if text.isdigit() else float(text))

    def _item(self) -> Expression:
        found = self._expression()
        if self._word("AS"):
            self._aliases[self._name()] = found
        return found

    def _expression(self) -> Expression:
        if self._is_name() and self._peek("("):
            return self._aggregate()
        variable = self._name()
        return Expression(variable, self._name() if self._mark(".") else "")

    def _aggregate(self) -> Expression:
        function = self._name().lower()
        if function not in _FUNCTIONS:
            self._at -= 1
            self._fail(f"one of the functions {', '.join(sorted(_FUNCTIONS))}")
        self._expect("(")
        distinct = self._word("DISTINCT")
        star = function == "count" and not distinct and self._mark("*")
        of = Expression("") if star else self._expression()
        self._expect(")")
        return Expression(of.variable, of.property, function, distinct)

    def _property(self) -> Expression:
        variable = self._name()
        self._expect(".")
        return Expression(variable, self._name())

    def _sort(self) -> tuple[Expression, bool]:
        self._expect_word("BY")
        found = self._expression()
        if not found.property and not found.function:
            found = self._aliases.get(found.variable, found)
        down = self._word("DESC") or self._word("DESCENDING")
        if not down and not self._word("ASC"):
            self._word("ASCENDING")
        return found, down

    def _limit(self) -> int:
        value = self._literal()
        if not isinstance(value, int) or value < 0:
            self._fail("a number of rows")
        return value

    @property
    def _now(self) -> Token:
        return self._tokens[self._at]

    def _next(self) -> Token:
        token = self._now
        self._at += token.kind != "end"
        return token

    def _is_name(self) -> bool:
        return self._now.kind in ("name", "quoted")

    def _is_variable(self) -> bool:
        return self._is_name() and self._peek(".")

    def _peek(self, mark: str) -> bool:
        following = self._tokens[min(self._at + 1, len(self._tokens) - 1)]
        return following.kind == "mark" and following.value == mark

    def _mark(self, mark: str) -> bool:
        found = self._now.kind == "mark" and self._now.value == mark
        self._at += found
        return found

    def _word(self, word: str) -> bool:
        found = self._now.is_word(word)
        self._at += found
        return found

    def _name(self) -> str:
        if not self._is_name():
            self._fail("a name")
        return self._next().value

    def _expect(self, mark: str) -> None:
        if not self._mark(mark):
            self._fail(f"{mark!r}")

    def _expect_word(self, word: str) -> None:
        if not self._word(word):
            self._fail(word)

    def _fail(self, wanted: str) -> NoReturn:
        found = repr(self._now.value) if self._now.value else "the end"
        raise CypherReadError(
            f"the query has {found} at offset {self._now.at}, where {wanted} is read",
            "write it in the subset: MATCH paths, WHERE comparisons, RETURN, ORDER BY, LIMIT",
        )
