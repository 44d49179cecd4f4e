"""The moves of WITH: groups with conditions on them, and the first nodes in an order.

` WITH p, count(DISTINCT f) AS num WHERE num > $v0 RETURN p.name, num` groups by nodes and columns.
` WITH p, count(DISTINCT f) AS num ORDER BY num DESC LIMIT 3` takes the first nodes, with which the
pattern goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from trellis.automata.cypher.clauses.operand_moves import OperandMoves, OperandPlace
from trellis.automata.cypher.clauses.ordering import MOST_ORDERS, Ordering
from trellis.automata.cypher.clauses.texts import name_column, write_operand, write_value
from trellis.automata.cypher.grammar.operands import OperandOwner, Operands
from trellis.automata.cypher.meaning.items import (
    AGGREGATE_FORMS,
    LIST,
    RETURN_FORMS,
    SHOW,
    WIDE_FORMS,
    ReturnForm,
    ReturnItem,
    ReturnOrder,
)
from trellis.automata.cypher.meaning.query import GroupCondition, Operator, QueryGraph, QueryScope
from trellis.automata.cypher.options import RenderingOptions
from trellis.automata.cypher.state import CypherState, MoveGroup, Then
from trellis.automata.cypher.words.bound_values import Lexicon
from trellis.automata.cypher.words.wording import OPERATORS

MOST_CONDITIONS, MOST_COLUMNS = 2, 4

_AGGREGATES = tuple(form for form in (*RETURN_FORMS, *WIDE_FORMS) if form.function)


@dataclass(frozen=True, slots=True)
class _Columns:
    """What a WITH has: nodes, then columns, each with its type where that can be compared."""

    nodes: tuple[int, ...] = ()
    items: tuple[ReturnItem, ...] = ()

    def list_named(self) -> list[tuple[str, ReturnItem]]:
        return [(name_column(item, index), item) for index, item in enumerate(self.items)]

    @property
    def is_whole(self) -> bool:
        """Whether all rows are one group."""
        return not self.nodes and all(item.is_aggregate for item in self.items)

    def list_pending(self, query: QueryGraph) -> list[ReturnItem]:
        """The columns that nothing uses yet."""
        used = {item.column for item in query.list_operands()}
        return [item for item in self.items if item.column not in used]


class Grouping:
    """Says a WITH and what comes behind it. `go_on` goes on with the pattern behind first nodes."""

    def __init__(
        self,
        lexicon: Lexicon,
        operands: Operands,
        options: RenderingOptions,
        ordering: Ordering,
        go_on: Callable[[int], Then],
    ) -> None:
        self._lexicon = lexicon
        self._operands = operands
        self._moves = OperandMoves(lexicon, operands)
        self._most_columns = min(MOST_COLUMNS, options.items)
        self._most_items = options.items
        self._ordering = ordering
        self._go_on = go_on

    def say_with(self, closing: str, state: CypherState) -> Iterator[MoveGroup]:
        """The word before groups."""
        if self._lexicon.is_wide:
            then = partial(self._say_next, _Columns())
            yield MoveGroup.of_word("group", f"{closing} WITH", partial(state.with_next, then))

    def _say_next(self, columns: _Columns, state: CypherState) -> Iterator[MoveGroup]:
        """One more node or column."""
        if not columns.items:
            last = max(columns.nodes, default=-1)
            after = range(last + 1, len(state.query.nodes))
            nodes = [node for node in after if state.query.is_returnable(node)]
            texts = [f" {state.words[node]}" for node in nodes]

            def follow(chosen: int) -> CypherState:
                grown = replace(columns, nodes=(*columns.nodes, nodes[chosen]))
                return state.with_next(partial(self._say_after, grown))

            yield MoveGroup.of("node", texts, follow)
        yield from self._say_columns(columns, state)

    def _say_columns(self, columns: _Columns, state: CypherState) -> Iterator[MoveGroup]:
        """The columns that can come next: plain ones first, and aggregates of groups by these."""
        place = OperandPlace(
            partial(self._add_column, columns),
            partial(_accept_column, columns),
            lambda item: f" AS {name_column(item, len(columns.items))}",
        )
        has_aggregate = any(item.is_aggregate for item in columns.items)
        if not has_aggregate and len(columns.items) + 1 < self._most_columns:
            yield from self._moves.say_operands(state, (SHOW,), replace(place, has_terms=False))
        yield from self._moves.say_operands(state, self._list_aggregates(columns, state), place)

    def _list_aggregates(self, columns: _Columns, state: CypherState) -> tuple[ReturnForm, ...]:
        """The aggregates that can come next: where nothing else makes groups, a number among them
        is compared."""
        is_whole = columns.is_whole
        if is_whole and not self._lexicon.number_choices:
            return ()
        if is_whole and not self._find_comparable(columns, state):
            return tuple(form for form in _AGGREGATES if form.function == "count")
        return _AGGREGATES

    def _add_column(self, columns: _Columns, state: CypherState, item: ReturnItem) -> CypherState:
        grown = replace(columns, items=(*columns.items, item))
        return state.with_next(partial(self._say_after, grown))

    def _say_after(self, columns: _Columns, state: CypherState) -> Iterator[MoveGroup]:
        """What comes behind a node or a column: one more, a condition, first nodes, or RETURN."""
        if len(columns.items) < self._most_columns:
            then = partial(self._say_next, columns)
            yield MoveGroup.of_word("group", ",", partial(state.with_next, then))
        yield from self._say_rank(columns, state)
        if not any(item.is_aggregate for item in columns.items):
            return
        if self._find_comparable(columns, state):
            then = partial(self._say_condition, columns)
            yield MoveGroup.of_word("condition", " WHERE", partial(state.with_next, then))
        if not columns.is_whole:
            yield from self._say_return(columns, state)

    def _say_rank(self, columns: _Columns, state: CypherState) -> Iterator[MoveGroup]:
        """The order of the first nodes, which go on to the rest of the pattern."""
        query = state.query
        if len(columns.nodes) != 1 or len(columns.items) > 1 or query.scopes:
            return
        [node] = columns.nodes
        if any(each.reference for each in query.nodes[node].filters):
            return
        if columns.items:
            keys = {f" {name}": item for name, item in columns.list_named()}
            if any(item.form not in AGGREGATE_FORMS for item in columns.items):
                return
        else:
            keys = self._write_properties(state, [node])
        yield from self._ordering.say_rank(keys, partial(self._rank_node, node), state)

    def _rank_node(
        self, node: int, state: CypherState, order: ReturnOrder, limit: int, skip: int
    ) -> CypherState:
        """The state behind first nodes: all else that was matched serves to find these."""
        scope = QueryScope("first", node=node, order=order, limit=limit, skip=skip)
        query = replace(
            state.query,
            nodes=tuple(
                of if index == node else replace(of, scope=1)
                for index, of in enumerate(state.query.nodes)
            ),
            edges=tuple(replace(edge, scope=1) for edge in state.query.edges),
            scopes=(scope,),
        )
        return state.with_next(self._go_on(node), query=query)

    def _find_comparable(
        self, columns: _Columns, state: CypherState
    ) -> list[tuple[str, ReturnItem]]:
        """The columns that can be compared with a number."""
        if not self._lexicon.number_choices or len(state.query.conditions) >= MOST_CONDITIONS:
            return []
        return [
            (name, item)
            for name, item in columns.list_named()
            if item.form in AGGREGATE_FORMS
            and (item.form.function == "count" or self._operands.is_number(state, item))
        ]

    def _say_condition(self, columns: _Columns, state: CypherState) -> Iterator[MoveGroup]:
        listed = self._find_comparable(columns, state)
        yield MoveGroup.of(
            "condition",
            [f" {name}" for name, _ in listed],
            lambda i: state.with_next(partial(self._say_operator, columns, listed[i][1])),
        )

    def _say_operator(
        self, columns: _Columns, item: ReturnItem, state: CypherState
    ) -> Iterator[MoveGroup]:
        yield MoveGroup.of(
            "operator",
            [f" {operator}" for operator in OPERATORS],
            lambda i: state.with_next(partial(self._say_number, columns, item, OPERATORS[i])),
        )

    def _say_number(
        self, columns: _Columns, item: ReturnItem, operator: Operator, state: CypherState
    ) -> Iterator[MoveGroup]:
        choices = self._lexicon.number_choices
        texts = [f" {write_value(self._lexicon.values[of[0]])}" for _, of in choices]

        def follow(chosen: int) -> CypherState:
            condition = GroupCondition(item, operator, choices[chosen][1])
            query = replace(state.query, conditions=(*state.query.conditions, condition))
            return state.with_next(partial(self._say_after_condition, columns), query=query)

        yield MoveGroup.of("value", texts, follow)

    def _say_after_condition(self, columns: _Columns, state: CypherState) -> Iterator[MoveGroup]:
        if self._find_comparable(columns, state):
            then = partial(self._say_condition, columns)
            yield MoveGroup.of_word("condition", " AND", partial(state.with_next, then))
        yield from self._say_return(columns, state)

    def _say_return(self, columns: _Columns, state: CypherState) -> Iterator[MoveGroup]:
        """The word before what is returned of groups."""
        query = replace(state.query, groups=columns.nodes)
        then = partial(self._say_item, columns)
        yield MoveGroup.of_word("form", " RETURN", partial(state.with_next, then, query=query))

    def _say_item(self, columns: _Columns, state: CypherState) -> Iterator[MoveGroup]:
        """What is returned of groups."""
        items = self._find_items(columns, state)
        listed = list(items.values())

        def follow(chosen: int) -> CypherState:
            query = replace(state.query, items=(*state.query.items, listed[chosen]))
            behind = replace(state, query=query)
            then = partial(self._say_after_item, columns)
            return behind.with_next(then, complete=_can_end(columns, behind))

        yield MoveGroup.of("item", list(items), follow)

    def _find_items(self, columns: _Columns, state: CypherState) -> dict[str, ReturnItem]:
        """What can be returned next: where there is room for the unused columns only, these."""
        query = state.query
        returned = {item.column for item in query.items}
        hidden = _find_hidden(columns, query)
        named = {
            f" {name}": item
            for name, item in columns.list_named()
            if item.column not in returned and item is not hidden
        }
        pending = columns.list_pending(query)
        if len(pending) + len(query.items) >= self._most_items:
            return {text: item for text, item in named.items() if item in pending}
        whole = {f" {state.words[node]}": ReturnItem(LIST, node, "") for node in columns.nodes}
        known = whole | self._write_properties(state, columns.nodes)
        return named | {text: of for text, of in known.items() if of.column not in returned}

    def _write_properties(self, state: CypherState, nodes: Sequence[int]) -> dict[str, ReturnItem]:
        """The properties of some nodes by the texts that say them."""
        items = (
            item
            for node in nodes
            for item in self._operands.find_items(state, SHOW, OperandOwner(node), _accept_any)
        )
        return {f" {write_operand(item, state.words, ())}": item for item in items}

    def _say_after_item(self, columns: _Columns, state: CypherState) -> Iterator[MoveGroup]:
        query = state.query
        if len(query.items) < self._most_items and self._find_items(columns, state):
            then = partial(self._say_item, columns)
            yield MoveGroup.of_word("form", ",", partial(state.with_next, then))
        pending = columns.list_pending(query)
        if len(pending) <= MOST_ORDERS and all(item.is_aggregate for item in pending):
            find_keys = partial(self._find_keys, columns)
            yield from self._ordering.say_order(find_keys, partial(_can_end, columns), state)
        if _can_end(columns, state):
            yield from self._ordering.say_limit(state)

    def _find_keys(self, columns: _Columns, state: CypherState) -> Mapping[str, ReturnItem]:
        """What groups can be ordered by: columns and the properties of their nodes."""
        ordered = {order.item.column for order in state.query.orders}
        pending = columns.list_pending(state.query)
        named = {f" {name}": item for name, item in columns.list_named()}
        if len(pending) >= MOST_ORDERS - len(state.query.orders):
            return {text: item for text, item in named.items() if item in pending}
        known = named | self._write_properties(state, columns.nodes)
        return {text: item for text, item in known.items() if item.column not in ordered}


def _accept_any(item: ReturnItem, type: str) -> bool:  # noqa: ARG001
    return True


def _accept_column(columns: _Columns, item: ReturnItem, type: str) -> bool:  # noqa: ARG001
    """Whether a column can be made: once, and not of a node that is there itself."""
    if any(item.column == each.column for each in columns.items):
        return False
    return item.is_aggregate or item.edge is not None or item.node not in columns.nodes


def _find_hidden(columns: _Columns, query: QueryGraph) -> ReturnItem | None:
    """The aggregate that must not be returned, as rows would need no WITH then."""
    if columns.nodes or query.conditions:
        return None
    returned = {item.column for item in query.items}
    left = [i for i in columns.items if i.is_aggregate and i.column not in returned]
    return left[0] if len(left) == 1 else None


def _can_end(columns: _Columns, state: CypherState) -> bool:
    """Whether all columns are used."""
    return bool(state.query.items) and not columns.list_pending(state.query)
