"""The read subset of Cypher as a syntax tree, by recursive descent.

MATCH and OPTIONAL MATCH of paths with labels, property maps and WHERE; WITH and one RETURN with
expressions, aggregates, ORDER BY, SKIP and LIMIT; EXISTS and COUNT of patterns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NoReturn

from trellis.automata.cypher.expressions import (
    Access,
    Arithmetic,
    Comparison,
    Expression,
    FunctionCall,
    Junction,
    LabelTest,
    ListLiteral,
    Literal,
    MatchClause,
    Negation,
    NodePattern,
    NullTest,
    Projection,
    ProjectionItem,
    QuerySyntax,
    RelationshipPattern,
    SortKey,
    Subquery,
    Variable,
    split_conjunction,
)
from trellis.automata.cypher.lexer import LexerToken, split_tokens
from trellis.automata.cypher.query import Direction
from trellis.domain.errors import CypherReadError
from trellis.domain.graph import Scalar

_COMPARED = {"=": "=", "<>": "<>", "!=": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_TEMPORAL = frozenset({"date", "time", "localtime", "datetime", "localdatetime", "duration"})
_UNREAD = {
    "UNION": "two queries joined by UNION",
    "UNWIND": "the items of a list (UNWIND)",
    "CALL": "a procedure or subquery (CALL)",
    "FOREACH": "FOREACH",
    "CASE": "a choice (CASE)",
}


def parse_query(text: str, params: Mapping[str, Scalar]) -> QuerySyntax:
    """The syntax of a query; raises CypherReadError with the place of what is not of the subset."""
    return _Parser(text, params).read_query()


class _Parser:
    """Reads from left to right; each method reads what it is named after."""

    def __init__(self, text: str, params: Mapping[str, Scalar]) -> None:
        self._tokens = list(split_tokens(text))
        self._params = params
        self._at = 0
        self._unnamed = 0

    def read_query(self) -> QuerySyntax:
        clauses: list[MatchClause | Projection] = []
        while not self._is_word("RETURN"):
            if clauses and self._accept_word("WITH"):
                clauses.append(self._read_projection(is_return=False))
            else:
                clauses.append(self._read_match_clause(bool(clauses)))
        self._expect_word("RETURN")
        clauses.append(self._read_projection(is_return=True))
        self._accept_mark(";")
        if self._current.kind != "end":
            self._fail("the end of the query")
        return QuerySyntax(tuple(clauses))

    def _read_match_clause(self, may_return: bool) -> MatchClause:
        is_optional = self._accept_word("OPTIONAL")
        if not self._accept_word("MATCH"):
            self._fail("MATCH, WITH or RETURN" if may_return else "MATCH")
        return self._read_match(is_optional)

    def _read_match(self, is_optional: bool = False) -> MatchClause:
        pattern = _PatternParts()
        self._read_path(pattern)
        while self._accept_mark(","):
            self._read_path(pattern)
        if self._accept_word("WHERE"):
            pattern.conditions += split_conjunction(self._read_expression())
        return pattern.make_clause(is_optional)

    def _read_path(self, pattern: _PatternParts) -> None:
        if self._is_name() and self._is_next_mark("="):
            self._at += 2  # the path's own name
        source = self._read_node(pattern)
        while self._current.value in ("-", "<") and self._current.kind == "mark":
            source = self._read_relationship(source, pattern)

    def _read_node(self, pattern: _PatternParts) -> str:
        self._expect_mark("(")
        named = self._is_name() and not self._current.is_word("WHERE")
        variable = self._read_name() if named else self._make_variable()
        label = self._read_label() if self._accept_mark(":") else ""
        pattern.nodes.append(NodePattern(variable, label))
        self._read_inner_conditions(variable, pattern)
        self._expect_mark(")")
        return variable

    def _read_label(self) -> str:
        label = self._read_name()
        if self._current.kind == "mark" and self._current.value in ("|", "&", ":"):
            self._fail("one label")
        return label

    def _read_inner_conditions(self, variable: str, pattern: _PatternParts) -> None:
        """The property map of a node or relationship, and its WHERE."""
        if self._accept_mark("{"):
            while not self._accept_mark("}"):
                of = Access(Variable(variable), self._read_name())
                self._expect_mark(":")
                pattern.conditions.append(Comparison("=", of, self._read_sum()))
                if not self._accept_mark(","):
                    self._expect_mark("}")
                    break
        if self._accept_word("WHERE"):
            pattern.conditions += split_conjunction(self._read_expression())

    def _make_variable(self) -> str:
        """A variable for what has none; no name begins with a digit."""
        self._unnamed += 1
        return str(self._unnamed - 1)

    def _read_relationship(self, source: str, pattern: _PatternParts) -> str:
        before = self._accept_mark("<")
        self._expect_mark("-")
        variable, kind = self._make_variable(), ""
        if self._accept_mark("["):
            if self._is_name():
                variable = self._read_name()
            kind = self._read_name() if self._accept_mark(":") else ""
            if self._current.kind == "mark" and self._current.value in ("|", "*", "&", "!"):
                self._fail("one relationship of one type")
            self._read_inner_conditions(variable, pattern)
            self._expect_mark("]")
        self._expect_mark("-")
        after = self._accept_mark(">")
        if not kind:
            self._fail("a relationship of one type")
        target = self._read_node(pattern)
        direction: Direction = "any" if before == after else "in" if before else "out"
        relationship = RelationshipPattern(variable, source, target, kind, direction)
        pattern.relationships.append(relationship)
        return target

    def _read_projection(self, is_return: bool) -> Projection:
        distinct = self._accept_word("DISTINCT")
        passes_all = self._accept_mark("*")
        items: list[ProjectionItem] = []
        while not passes_all or self._accept_mark(","):
            items.append(self._read_projection_item())
            if not self._is_mark(","):
                break
            if not passes_all:
                self._expect_mark(",")
        orders = self._read_orders() if self._accept_word("ORDER") else ()
        skip = self._read_count() if self._accept_word("SKIP") else 0
        limit = self._read_count() if self._accept_word("LIMIT") else None
        conditions: tuple[Expression, ...] = ()
        if not is_return and self._accept_word("WHERE"):
            conditions = tuple(split_conjunction(self._read_expression()))
        return Projection(
            tuple(items), is_return, distinct, passes_all, conditions, orders, skip, limit
        )

    def _read_projection_item(self) -> ProjectionItem:
        expression = self._read_expression()
        return ProjectionItem(expression, self._read_name() if self._accept_word("AS") else "")

    def _read_orders(self) -> tuple[SortKey, ...]:
        self._expect_word("BY")
        orders = [self._read_order()]
        while self._accept_mark(","):
            orders.append(self._read_order())
        return tuple(orders)

    def _read_order(self) -> SortKey:
        expression = self._read_expression()
        down = self._accept_word("DESC") or self._accept_word("DESCENDING")
        if not down and not self._accept_word("ASC"):
            self._accept_word("ASCENDING")
        return SortKey(expression, down)

    def _read_count(self) -> int:
        value = self._read_unary()
        if not isinstance(value, Literal) or type(value.value) is not int or value.value < 0:
            self._fail("a number of rows")
        return value.value

    def _read_expression(self) -> Expression:
        return self._read_junction("OR", self._read_conjunction)

    def _read_conjunction(self) -> Expression:
        return self._read_junction("AND", self._read_negation)

    def _read_junction(self, word: str, read: Callable[[], Expression]) -> Expression:
        parts = [read()]
        while self._accept_word(word):
            parts.append(read())
        return parts[0] if len(parts) == 1 else Junction(word, tuple(parts))

    def _read_negation(self) -> Expression:
        return Negation(self._read_negation()) if self._accept_word("NOT") else self._read_test()

    def _read_test(self) -> Expression:
        """A comparison, or what can stand alone."""
        left = self._read_sum()
        if self._current.kind == "mark" and self._current.value in _COMPARED:
            operator = _COMPARED[self._take_token().value]
            first = Comparison(operator, left, self._read_sum())
            if self._current.kind == "mark" and self._current.value in _COMPARED:
                second = _COMPARED[self._take_token().value]
                return Junction("AND", (first, Comparison(second, first.right, self._read_sum())))
            return first
        for words in (("CONTAINS",), ("STARTS", "WITH"), ("ENDS", "WITH"), ("IN",)):
            if self._is_word(words[0]):
                for word in words:
                    self._expect_word(word)
                return Comparison(" ".join(words), left, self._read_sum())
        if self._accept_word("IS"):
            is_negated = self._accept_word("NOT")
            self._expect_word("NULL")
            return NullTest(left, is_negated)
        if self._accept_mark(":"):
            return LabelTest(left, self._read_name())
        return left

    def _read_sum(self) -> Expression:
        return self._read_arithmetic(("+", "-"), self._read_product)

    def _read_product(self) -> Expression:
        return self._read_arithmetic(("*", "/", "%", "^"), self._read_unary)

    def _read_arithmetic(
        self, marks: tuple[str, ...], read: Callable[[], Expression]
    ) -> Expression:
        left = read()
        while self._current.kind == "mark" and self._current.value in marks:
            left = Arithmetic(self._take_token().value, left, read())
        return left

    def _read_unary(self) -> Expression:
        sign = -1 if self._accept_mark("-") else 1
        if self._current.kind == "number":
            text = self._take_token().value
            return Literal(sign * (int(text) if text.isdigit() else float(text)))
        if sign < 0:
            self._fail("a number")
        expression = self._read_atom()
        while self._is_mark("."):
            self._expect_mark(".")
            expression = Access(expression, self._read_name())
        if self._is_mark("["):
            self._fail("no item or slice of a list")
        return expression

    def _read_atom(self) -> Expression:
        token = self._current
        if token.kind == "parameter" and token.value in self._params:
            return Literal(self._params[self._take_token().value])
        if token.kind == "text":
            return Literal(self._take_token().value)
        if self._accept_word("TRUE") or self._accept_word("FALSE"):
            return Literal(token.is_word("TRUE"))
        if self._accept_mark("["):
            return self._read_list()
        if token.kind == "mark" and token.value == "(":
            return self._read_pattern_predicate() if self._is_pattern() else self._read_group()
        if token.kind == "name" and self._is_subquery():
            return self._read_subquery()
        if self._is_name() and self._is_next_mark("("):
            return self._read_call()
        if not self._is_name() or token.is_word("CASE"):
            self._fail("a value")
        return Variable(self._read_name())

    def _read_group(self) -> Expression:
        self._expect_mark("(")
        inside = self._read_expression()
        self._expect_mark(")")
        return inside

    def _read_list(self) -> Expression:
        items: list[Expression] = []
        while not self._accept_mark("]"):
            items.append(self._read_sum())
            if not self._accept_mark(","):
                self._expect_mark("]")
                break
        return ListLiteral(tuple(items))

    def _read_call(self) -> Expression:
        name = self._read_name().lower()
        self._expect_mark("(")
        distinct = self._accept_word("DISTINCT")
        if name == "count" and self._accept_mark("*"):
            self._expect_mark(")")
            return FunctionCall(name, ())
        if name == "exists" and self._is_mark("(") and self._is_pattern():
            found = self._read_pattern_predicate()
            self._expect_mark(")")
            return found
        arguments: list[Expression] = []
        while not self._accept_mark(")"):
            arguments.append(self._read_expression())
            if not self._accept_mark(","):
                self._expect_mark(")")
                break
        if name in _TEMPORAL and len(arguments) == 1 and isinstance(arguments[0], Literal):
            return Literal(arguments[0].value, name)
        return FunctionCall(name, tuple(arguments), distinct)

    def _is_subquery(self) -> bool:
        word = self._current.value.upper()
        return word in ("EXISTS", "COUNT") and self._is_next_mark("{")

    def _read_subquery(self) -> Expression:
        """A pattern in braces, with MATCH before it or without."""
        is_count = self._take_token().is_word("COUNT")
        self._expect_mark("{")
        self._accept_word("MATCH")
        matches = [self._read_match()]
        while self._accept_word("MATCH"):
            matches.append(self._read_match())
        self._expect_mark("}")
        return Subquery(tuple(matches), is_count)

    def _read_pattern_predicate(self) -> Expression:
        pattern = _PatternParts()
        self._read_path(pattern)
        return Subquery((pattern.make_clause(False),))

    def _is_pattern(self) -> bool:
        """Whether the parenthesis here is a node's, with a relationship behind it."""
        depth = 0
        for at in range(self._at, len(self._tokens)):
            token = self._tokens[at]
            if token.kind == "mark" and token.value in "([{":
                depth += 1
            elif token.kind == "mark" and token.value in ")]}":
                depth -= 1
                if not depth:
                    return self._begins_relationship(at + 1)
        return False

    def _begins_relationship(self, at: int) -> bool:
        marks = "".join(token.value for token in self._tokens[at : at + 3] if token.kind == "mark")
        return marks.startswith(("-[", "<-[", "--", "<--"))

    @property
    def _current(self) -> LexerToken:
        return self._tokens[self._at]

    def _take_token(self) -> LexerToken:
        token = self._current
        self._at += token.kind != "end"
        return token

    def _is_name(self) -> bool:
        return self._current.kind in ("name", "quoted")

    def _is_word(self, word: str) -> bool:
        return self._current.is_word(word)

    def _is_mark(self, mark: str) -> bool:
        return self._current.kind == "mark" and self._current.value == mark

    def _is_next_mark(self, mark: str) -> bool:
        following = self._tokens[min(self._at + 1, len(self._tokens) - 1)]
        return following.kind == "mark" and following.value == mark

    def _accept_mark(self, mark: str) -> bool:
        found = self._is_mark(mark)
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
        token = self._current
        found = repr(token.value) if token.value else "the end"
        unread = _UNREAD.get(token.value.upper()) if token.kind == "name" else None
        if unread:
            raise CypherReadError(
                f"{unread}, at offset {token.at}, cannot be said", "ask for each part by itself"
            )
        raise CypherReadError(
            f"the query has {found} at offset {token.at}, where {wanted} is read",
            "write it in the subset: MATCH paths, WHERE, WITH, RETURN, ORDER BY, LIMIT",
        )


class _PatternParts:
    """What was read of a pattern so far."""

    def __init__(self) -> None:
        self.nodes: list[NodePattern] = []
        self.relationships: list[RelationshipPattern] = []
        self.conditions: list[Expression] = []

    def make_clause(self, is_optional: bool) -> MatchClause:
        return MatchClause(
            tuple(self.nodes), tuple(self.relationships), tuple(self.conditions), is_optional
        )
