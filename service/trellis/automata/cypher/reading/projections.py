"""Reads a query through all its projections: items, groups, orders, how many rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest

from trellis.automata.cypher.meaning.items import WHETHER, ReturnItem, ReturnOrder
from trellis.automata.cypher.meaning.query import (
    FIGURES,
    SWAPPED,
    GroupCondition,
    Operator,
    QueryGraph,
)
from trellis.automata.cypher.reading.aliases import AliasTable
from trellis.automata.cypher.reading.expressions import (
    Arithmetic,
    Comparison,
    Expression,
    FunctionCall,
    Literal,
    MatchClause,
    Negation,
    NullTest,
    Projection,
    SortKey,
    Subquery,
    has_aggregate,
)
from trellis.automata.cypher.reading.matches import MatchReader
from trellis.automata.cypher.reading.properties import find_property
from trellis.automata.cypher.reading.return_items import find_form, read_item
from trellis.domain.errors import CypherReadError

_OPERATORS: Mapping[str, Operator] = {operator: operator for operator in SWAPPED}


class ClauseReader:
    """Reads the clauses of a query, in the order of the text."""

    def __init__(self, matches: MatchReader) -> None:
        self._matches = matches
        self._pattern = matches.pattern
        self._aliases = AliasTable()
        self._groups: list[int] | None = None  # the nodes of groups, once rows are grouped
        self._made: set[Expression] = set()  # the aggregates and keys of groups made so far
        self._conditions: list[GroupCondition] = []
        self._numbers: dict[Expression, ReturnItem] = {}  # numbers of matches that are returned
        self._items: tuple[ReturnItem, ...] = ()
        self._orders: tuple[ReturnOrder, ...] = ()
        self._skip = 0
        self._limit: int | None = None
        self._passed: list[int] = []  # nodes that the last projection passed on

    def read_clause(self, clause: MatchClause | Projection) -> None:
        """Read the next clause."""
        if isinstance(clause, MatchClause):
            self._read_match(clause)
        elif clause.is_return:
            self._read_return(clause)
        else:
            self._read_with(clause)

    def build_query(self) -> QueryGraph:
        """The whole query, once all its clauses are read."""
        return replace(
            self._pattern.query,
            items=self._items,
            orders=self._orders,
            skip=self._skip,
            limit=self._limit,
            groups=tuple(self._groups or ()),
            conditions=tuple(self._conditions),
        )

    def _read_match(self, clause: MatchClause) -> None:
        if self._groups is not None or self._limit is not None:
            self._close_stage()
        self._orders = ()
        conditions = tuple(map(self._aliases.resolve_aliases, clause.conditions))
        self._matches.read_match(replace(clause, conditions=conditions))

    def _close_stage(self) -> None:
        """Go on from the first of some nodes, which are what was matched so far."""
        kept = self._groups if self._groups is not None else self._passed
        if len(kept) != 1 or len(self._orders) != 1 or self._limit is None or self._conditions:
            raise CypherReadError(
                "a query can go on from groups or from some rows only if these are the first of "
                "one node in one order"
            )
        self._pattern.rank_node(kept[0], self._orders[0], self._limit, self._skip)
        self._aliases.drop_aggregates()
        self._groups, self._limit, self._skip, self._orders = None, None, 0, ()
        self._made.clear()

    def _begin_stage(self, clause: Projection) -> None:
        """Go on from the first of some nodes where a projection does more than return them."""
        aggregates = [has_aggregate(item.expression) for item in clause.items]
        orders = bool(clause.orders) or clause.limit is not None or bool(clause.skip)
        does_more = clause.distinct or orders or bool(clause.conditions) or any(aggregates)
        if self._limit is None or not does_more:
            return
        if any(aggregates) == any(map(has_aggregate, self._resolve_items(clause))):
            self._close_stage()

    def _resolve_items(self, clause: Projection) -> list[Expression]:
        """The items of a projection, in which aliases are what they stand for."""
        return [self._aliases.resolve_aliases(item.expression) for item in clause.items]

    def _read_with(self, clause: Projection) -> None:
        """Read a projection that the query goes on from."""
        self._begin_stage(clause)
        if clause.passes_all and clause.items:
            raise CypherReadError("WITH * beside other items cannot be said")
        if clause.distinct or any(has_aggregate(item.expression) for item in clause.items):
            self._make_groups(clause)
        self._aliases.add_items(clause.items)
        nodes = map(self._pattern.find_node, self._resolve_items(clause))
        self._passed = [node for node in nodes if node is not None]
        self._read_rows(clause)
        for condition in clause.conditions:
            self._read_condition(self._aliases.resolve_aliases(condition))

    def _make_groups(self, clause: Projection) -> None:
        """Group rows by all items that are no aggregates."""
        if self._groups is not None or self._limit is not None:
            raise CypherReadError("groups of groups, or of some rows only, cannot be said")
        resolved = self._resolve_items(clause)
        self._groups = []
        for expression in resolved:
            node = self._pattern.find_node(expression)
            if node is not None:
                self._groups.append(node)
            else:
                read_item(self._pattern, expression)  # refuses what cannot be said
                self._made.add(expression)

    def _read_condition(self, condition: Expression) -> None:
        """Read what must hold behind a projection: of groups, or of what was matched."""
        if not has_aggregate(condition):
            if self._limit is not None:
                self._close_stage()
            self._matches.read_conditions([condition])
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
        values = self._matches.meanings.find_number(number)
        item = read_item(self._pattern, aggregate)
        self._conditions.append(GroupCondition(item, operator, values))

    def _read_return(self, clause: Projection) -> None:
        self._begin_stage(clause)
        if clause.passes_all:
            raise CypherReadError("RETURN * cannot be said: name what is returned")
        resolved = self._resolve_items(clause)
        if self._takes_nodes_once(resolved):
            self._groups = None
        self._check_grouped(resolved)
        if self._groups is None and (clause.distinct or any(map(has_aggregate, resolved))):
            if self._limit is not None or self._skip:
                raise CypherReadError("groups of some rows only cannot be said")
            self._orders = ()
        if len(resolved) == 1 and _is_truth(resolved[0]):
            if not _is_any_row(resolved[0]):
                self._matches.read_conditions(resolved)
            self._items = (ReturnItem(WHETHER, 0, ""),)
            return
        items = [self._read_operand(expression) for expression in resolved]
        self._items = self._mark_distinct(items, clause.distinct)
        self._aliases.add_items(clause.items)
        self._read_rows(clause)

    def _read_operand(self, expression: Expression) -> ReturnItem:
        """What is returned or ordered by; a number of matches makes a group of each node."""
        if not isinstance(expression, Subquery) or not expression.is_count:
            return read_item(self._pattern, expression)
        if expression not in self._numbers:
            if self._groups is not None:
                raise CypherReadError("a number of matches beside groups cannot be said")
            self._numbers[expression] = self._matches.read_match_number(expression)
            nodes = enumerate(self._pattern.query.nodes)
            self._groups = [index for index, node in nodes if not node.scope]
        return self._numbers[expression]

    def _takes_nodes_once(self, expressions: Sequence[Expression]) -> bool:
        """Whether distinct nodes are passed on for nothing but sums and averages of their values,
        which take each node once anyway."""
        is_plain = not (self._made or self._conditions or self._orders or self._limit)
        if not is_plain or self._groups is None or len(self._groups) != 1:
            return False
        return all(
            isinstance(each, FunctionCall)
            and each.name in FIGURES
            and not each.distinct
            and all(map(self._is_of_group, each.arguments))
            and not any(isinstance(of, Arithmetic) for of in each.arguments)
            for each in expressions
        )

    def _check_grouped(self, expressions: Iterable[Expression]) -> None:
        """Refuse aggregates of what was aggregated, and what a group does not have."""
        if self._groups is None:
            return
        for expression in expressions:
            if expression in self._made or self._is_of_group(expression):
                continue
            raise CypherReadError("something is made of groups that cannot be said")

    def _is_of_group(self, expression: Expression) -> bool:
        """Whether an expression is the node of a group, a property of it, or made of these."""
        if isinstance(expression, Arithmetic):
            return self._is_of_group(expression.left) and self._is_of_group(expression.right)
        named = find_property(expression)
        node = self._pattern.find_node(named[0] if named else expression)
        return node is not None and node in (self._groups or ())

    def _mark_distinct(self, items: list[ReturnItem], distinct: bool) -> tuple[ReturnItem, ...]:
        """The items with DISTINCT at the first one; beside an aggregate it does nothing."""
        if not distinct or any(item.is_aggregate for item in items):
            return tuple(items)
        if self._groups is not None:
            raise CypherReadError("distinct rows of groups cannot be said")
        first = find_form("", not items[0].key, distinct=True)
        return (replace(items[0], form=first), *items[1:])

    def _read_rows(self, clause: Projection) -> None:
        """Read the order of rows and their number; those of the last projection that has some."""
        if not clause.orders and clause.limit is None and not clause.skip:
            return
        if self._limit is not None or self._skip:
            raise CypherReadError("a limit of what a limit leaves cannot be said")
        if clause.orders:
            self._orders = tuple(map(self._read_order, _drop_null_tests(clause.orders)))
        self._limit, self._skip = clause.limit, clause.skip
        if self._skip and self._limit is None:
            raise CypherReadError("rows can be left out only before a number of rows")

    def _read_order(self, key: SortKey) -> ReturnOrder:
        item = self._read_operand(self._aliases.resolve_aliases(key.expression))
        if not item.key and not item.is_aggregate:
            raise CypherReadError("an order by the whole of a node cannot be said")
        return ReturnOrder(item, key.descending)


def _drop_null_tests(keys: Sequence[SortKey]) -> Iterator[SortKey]:
    """The orders without those that put what is not known behind the rest, as all orders of the
    language do: `n.height IS NULL, n.height DESC`."""
    for key, following in zip_longest(keys, keys[1:]):
        if not (following and _tests_null(key, following.expression)):
            yield key


def _tests_null(key: SortKey, expression: Expression) -> bool:
    test = key.expression
    is_test = isinstance(test, NullTest) and not test.is_negated and test.of == expression
    return is_test and not key.descending


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
