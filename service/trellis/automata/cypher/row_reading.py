"""Reads what a query returns: items, groups, orders, through all its projections."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from trellis.automata.cypher.expressions import (
    AGGREGATES,
    Access,
    Arithmetic,
    Comparison,
    Expression,
    FunctionCall,
    Literal,
    MatchClause,
    Negation,
    NullTest,
    Projection,
    ProjectionItem,
    SortKey,
    Subquery,
    Variable,
    has_aggregate,
    iterate_operands,
)
from trellis.automata.cypher.pattern_reading import PatternReader
from trellis.automata.cypher.query import (
    LIST,
    RETURN_FORMS,
    SHOW,
    SWAPPED,
    WHETHER,
    WIDE_FORMS,
    ArithmeticOperator,
    ArithmeticTerm,
    GroupCondition,
    Operator,
    QueryGraph,
    ReturnForm,
    ReturnItem,
    ReturnOrder,
)
from trellis.automata.cypher.wording import TERM_WORDS
from trellis.domain.errors import CypherReadError

_OPERATORS: Mapping[str, Operator] = {operator: operator for operator in SWAPPED}
_TERMS: Mapping[str, ArithmeticOperator] = {operator: operator for operator in TERM_WORDS}


class RowReader:
    """What a query's clauses come to. `names`: what each alias stands for."""

    def __init__(self, pattern: PatternReader) -> None:
        self._pattern = pattern
        self._names: dict[str, Expression] = {}
        self._groups: list[int] | None = None  # once rows were grouped
        self._made: set[Expression] = set()  # aggregates, and keys of groups, that were made
        self._conditions: list[GroupCondition] = []
        self._orders: tuple[ReturnOrder, ...] = ()
        self._skip = 0
        self._limit: int | None = None
        self._passed: list[int] = []  # nodes that the last projection passed on
        self._query = QueryGraph()

    def read_clause(self, clause: MatchClause | Projection) -> None:
        """One clause, in the order of the text."""
        if isinstance(clause, MatchClause):
            if self._groups is not None or self._limit is not None:
                self._close_stage()
            self._orders = ()
            self._pattern.read_match(self._resolve_match(clause))
        elif clause.is_return:
            self._read_return(clause)
        else:
            self._read_with(clause)

    def build_query(self) -> QueryGraph:
        """The whole query."""
        return replace(
            self._query,
            nodes=self._pattern.query.nodes,
            edges=self._pattern.query.edges,
            scopes=self._pattern.query.scopes,
            orders=self._orders,
            skip=self._skip,
            limit=self._limit,
            groups=tuple(self._groups or ()),
            conditions=tuple(self._conditions),
        )

    def _close_stage(self) -> None:
        """What was matched so far gives the first of some nodes; the query goes on from them."""
        kept = self._groups if self._groups is not None else self._passed
        if len(kept) != 1 or len(self._orders) != 1 or self._limit is None or self._conditions:
            raise CypherReadError(
                "a query can go on from groups or from some rows only if these are the first of "
                "one node in one order"
            )
        self._pattern.rank_node(kept[0], self._orders[0], self._limit, self._skip)
        self._names = {n: of for n, of in self._names.items() if not has_aggregate(of)}
        self._groups, self._limit, self._skip = None, None, 0
        self._made.clear()

    def _resolve_match(self, clause: MatchClause) -> MatchClause:
        return replace(clause, conditions=tuple(map(self._resolve, clause.conditions)))

    def _read_with(self, clause: Projection) -> None:
        """A projection that the query goes on from."""
        self._begin_stage(clause)
        if clause.passes_all and clause.items:
            raise CypherReadError("WITH * beside other items cannot be said")
        groups = clause.distinct or any(has_aggregate(item.expression) for item in clause.items)
        if groups:
            self._make_groups(clause)
        else:
            self._rename(clause.items)
        found = [self._pattern.find_node(self._resolve(i.expression)) for i in clause.items]
        self._passed = [node for node in found if node is not None]
        self._read_rows(clause)
        for condition in clause.conditions:
            self._read_condition(self._resolve(condition))

    def _make_groups(self, clause: Projection) -> None:
        """Rows are grouped by all that is no aggregate."""
        if self._groups is not None or self._limit is not None:
            raise CypherReadError("groups of groups, or of some rows only, cannot be said")
        resolved = [replace(i, expression=self._resolve(i.expression)) for i in clause.items]
        self._groups = []
        for item in resolved:
            node = self._pattern.find_node(item.expression)
            if node is not None:
                self._groups.append(node)
            else:
                self._make_operand(item.expression)  # refuses what cannot be said
                self._made.add(item.expression)
        self._rename(clause.items)

    def _rename(self, items: Sequence[ProjectionItem]) -> None:
        """Let aliases stand for what they are made of."""
        resolved = {
            item.alias or _get_variable(item.expression): self._resolve(item.expression)
            for item in items
        }
        self._names |= {name: of for name, of in resolved.items() if of != Variable(name)}

    def _read_condition(self, condition: Expression) -> None:
        """What must hold behind a projection: of groups, or of what was matched."""
        if not has_aggregate(condition):
            if self._limit is not None:
                self._close_stage()
                self._orders = ()
            self._pattern.read_conditions([condition])
            return
        match condition:
            case Comparison(operator=operator, left=left, right=Literal() as right) if (
                operator in _OPERATORS
            ):
                self._add_group_condition(left, _OPERATORS[operator], right)
            case Comparison(operator=operator, left=Literal() as left, right=right) if (
                operator in _OPERATORS
            ):
                self._add_group_condition(right, SWAPPED[_OPERATORS[operator]], left)
            case _:
                raise CypherReadError("aggregates are compared with numbers only")

    def _add_group_condition(
        self, aggregate: Expression, operator: Operator, number: Literal
    ) -> None:
        values = self._pattern.meanings.find_number(number)
        item = self._make_operand(aggregate)
        self._conditions.append(GroupCondition(item, operator, values))

    def _begin_stage(self, clause: Projection) -> None:
        """Go on from the first of some nodes where a projection does more than return them."""
        aggregates = [has_aggregate(item.expression) for item in clause.items]
        orders = bool(clause.orders) or clause.limit is not None or bool(clause.skip)
        does_more = clause.distinct or orders or bool(clause.conditions) or any(aggregates)
        if self._limit is None or not does_more:
            return
        resolved = [self._resolve(item.expression) for item in clause.items]
        if any(aggregates) == any(map(has_aggregate, resolved)):
            self._close_stage()

    def _read_return(self, clause: Projection) -> None:
        self._begin_stage(clause)
        if clause.passes_all:
            raise CypherReadError("RETURN * cannot be said: name what is returned")
        resolved = [self._resolve(item.expression) for item in clause.items]
        self._check_grouped(resolved)
        if self._groups is None and (clause.distinct or any(map(has_aggregate, resolved))):
            if self._limit is not None or self._skip:
                raise CypherReadError("groups of some rows only cannot be said")
            self._orders = ()
        if len(resolved) == 1 and _is_truth(resolved[0]):
            if not _is_any_row(resolved[0]):
                self._pattern.read_conditions(resolved)
            self._query = replace(self._query, items=(ReturnItem(WHETHER, 0, ""),))
            return
        items = [self._make_operand(expression) for expression in resolved]
        self._query = replace(self._query, items=self._mark_distinct(items, clause.distinct))
        self._rename(clause.items)
        self._read_rows(clause)

    def _check_grouped(self, expressions: Iterable[Expression]) -> None:
        """Refuse aggregates of what was aggregated, and what a group does not have."""
        if self._groups is None:
            return
        for expression in expressions:
            if expression in self._made or self._is_of_group(expression):
                continue
            raise CypherReadError("something is made of groups that cannot be said")

    def _is_of_group(self, expression: Expression) -> bool:
        """Whether an expression is the node of a group, or a property of it."""
        found = self._pattern.read_property(expression)
        node = self._pattern.find_node(found[0] if found else expression)
        return node is not None and node in (self._groups or ())

    def _mark_distinct(self, items: list[ReturnItem], distinct: bool) -> tuple[ReturnItem, ...]:
        """DISTINCT is said with the first item, and idle beside an aggregate."""
        if not distinct or any(item.is_aggregate for item in items):
            return tuple(items)
        if self._groups is not None:
            raise CypherReadError("distinct rows of groups cannot be said")
        first = _find_form("", not items[0].key, distinct=True)
        return (replace(items[0], form=first), *items[1:])

    def _read_rows(self, clause: Projection) -> None:
        """The order of rows and their number; those of the last projection that has some."""
        if not clause.orders and clause.limit is None and not clause.skip:
            return
        if self._limit is not None or self._skip:
            raise CypherReadError("a limit of what a limit leaves cannot be said")
        if clause.orders:
            self._orders = tuple(map(self._read_order, clause.orders))
        self._limit, self._skip = clause.limit, clause.skip
        if self._skip and self._limit is None:
            raise CypherReadError("rows can be left out only before a number of rows")

    def _read_order(self, key: SortKey) -> ReturnOrder:
        item = self._make_operand(self._resolve(key.expression))
        if not item.key and not item.is_aggregate:
            raise CypherReadError("an order by the whole of a node cannot be said")
        return ReturnOrder(item, key.descending)

    def _make_operand(self, expression: Expression) -> ReturnItem:
        """What is returned, ordered by or compared."""
        if isinstance(expression, FunctionCall) and expression.name in AGGREGATES:
            return self._make_aggregate(expression)
        if isinstance(expression, FunctionCall) and expression.name == "size":
            (of,) = expression.arguments
            if isinstance(of, FunctionCall) and of.name == "collect":
                return self._make_aggregate(replace(of, name="count"))
        return self._make_item("", expression, False)

    def _make_aggregate(self, call: FunctionCall) -> ReturnItem:
        if not call.arguments:
            return ReturnItem(_find_form("count", True, False), 0, "")
        (of,) = call.arguments
        edge = self._pattern.find_edge(of)
        if edge is not None and call.name == "count" and not call.distinct:
            target = self._pattern.query.edges[edge].target
            return ReturnItem(_find_form("count", True, False), target, "")
        return self._make_item(call.name, of, call.distinct)

    def _make_item(self, function: str, of: Expression, distinct: bool) -> ReturnItem:
        node = self._pattern.find_node(of)
        if node is not None:
            return ReturnItem(_find_form(function, True, distinct), node, "")
        if isinstance(of, Arithmetic) and of.operator in _TERMS:
            item = self._make_item(function, of.left, distinct)
            other = self._make_item("", of.right, False)
            if item.key and other.key and not (item.term or other.term):
                owner = (other.node, other.key, other.part, other.edge)
                return replace(item, term=ArithmeticTerm(_TERMS[of.operator], *owner))
            raise CypherReadError("arithmetic with more than two properties cannot be said")
        found = self._pattern.read_property(of)
        if found is None:
            raise CypherReadError(f"{_describe(of)} cannot be returned, or ordered by")
        variable, name, part = found
        form = _find_form(function, False, distinct)
        if (edge := self._pattern.find_edge(variable)) is not None:
            return ReturnItem(form, self._pattern.query.edges[edge].target, name, part, edge)
        node = self._pattern.find_node(variable)
        if node is None:
            raise CypherReadError(f"{variable.name!r} is no node of the pattern")
        return ReturnItem(form, node, name, part)

    def _resolve(self, expression: Expression) -> Expression:
        """An expression in which aliases are what they stand for."""
        match expression:
            case Variable(name=name):
                return self._names.get(name, expression)
            case Access(of=of):
                return replace(expression, of=self._resolve(of))
            case NullTest(of=of) | Negation(of=of):
                return replace(expression, of=self._resolve(of))
            case FunctionCall(arguments=arguments):
                return replace(expression, arguments=tuple(map(self._resolve, arguments)))
            case Comparison(left=left, right=right) | Arithmetic(left=left, right=right):
                resolved = self._resolve(left), self._resolve(right)
                return replace(expression, left=resolved[0], right=resolved[1])
            case _ if any(map(self._has_alias, iterate_operands(expression))):
                raise CypherReadError("an alias in an expression of this kind cannot be said")
        return expression

    def _has_alias(self, expression: Expression) -> bool:
        return self._resolve(expression) != expression


def _get_variable(expression: Expression) -> str:
    return expression.name if isinstance(expression, Variable) else ""


def _is_truth(expression: Expression) -> bool:
    """Whether an expression is true or false."""
    if isinstance(expression, Subquery):
        return not expression.is_count
    return isinstance(expression, Comparison | Negation | NullTest)


def _is_any_row(expression: Expression) -> bool:
    """Whether an expression only says that there is a row: `count(n) > 0`."""
    match expression:
        case Comparison(operator=">", left=FunctionCall(name="count"), right=Literal(value=0)):
            return True
    return False


def _find_form(function: str, is_whole_node: bool, distinct: bool) -> ReturnForm:
    idle = function in ("min", "max")  # the same with DISTINCT as without
    if not function and not distinct:
        return LIST if is_whole_node else SHOW
    for form in (*RETURN_FORMS, *WIDE_FORMS):
        same = form.distinct == (distinct and not idle)
        if (form.function, form.is_whole_node) == (function, is_whole_node) and same:
            return form
    of = "a node" if is_whole_node else "a property"
    raise CypherReadError(f"{function}({'DISTINCT ' if distinct else ''}…) of {of} cannot be said")


def _describe(expression: Expression) -> str:
    """What an expression is, for an error."""
    match expression:
        case FunctionCall(name=name):
            return f"{name}(…)"
        case Literal(value=value):
            return f"the value {value!r}"
        case Variable(name=name):
            return repr(name)
        case _:
            return f"a {type(expression).__name__.lower()}"
