"""The moves that order rows: before the pattern, behind it, and by several things in turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from trellis.automata.cypher.grammar.accepting import (
    accept_first_sort_key,
    accept_hidden_sort_key,
    accept_sort_key,
    exclude_items,
)
from trellis.automata.cypher.grammar.operands import OperandOwner, Operands, UseItem
from trellis.automata.cypher.meaning.items import AGGREGATE_FORMS, SHOW, ReturnItem, ReturnOrder
from trellis.automata.cypher.options import RenderingOptions
from trellis.automata.cypher.state import CypherState, MoveGroup, Then
from trellis.automata.cypher.words.row_ranges import RowRange, list_sort_texts, write_sort_text
from trellis.automata.cypher.words.wording import BY, THEN

_MOST_ORDERS = 3

MakeNext = Callable[[RowRange], Then]
"""Gives the moves behind the words of an order, for the rows that it takes."""


class Orders:
    """The orders of rows. `operands` are what rows can be ordered by."""

    def __init__(self, operands: Operands, options: RenderingOptions) -> None:
        self._operands = operands
        self._is_wide = options.is_wide
        self._ranges_by_text = list_sort_texts(options)

    def say_after_first_item(self, body: Then, state: CypherState) -> Iterator[MoveGroup]:
        """What comes behind the first item: an order by a property of its node, or the pattern."""
        if self._has_first_sort_key(state):
            yield self._say_order(state, lambda rows: partial(self._say_first_sort_key, body, rows))
        yield from body(state)

    def _has_first_sort_key(self, state: CypherState) -> bool:
        """Whether rows can be ordered before the pattern is said."""
        item = state.query.items[0]
        if item.is_aggregate:
            return False
        accept = accept_first_sort_key(item)
        has_key = bool(self._operands.find_items(state, SHOW, OperandOwner(0), accept))
        return has_key or self._has_hidden_sort(state)

    def _say_first_sort_key(
        self, body: Then, rows: RowRange, state: CypherState
    ) -> Iterator[MoveGroup]:
        """What rows are ordered by before the pattern: a property of the first node."""
        accept = accept_first_sort_key(state.query.items[0])
        use = partial(_add_order, body, rows)
        yield from self._operands.say_property(SHOW, OperandOwner(0), use, accept, state)
        yield from self._say_hidden_sort(rows, state)

    def say_after_items(self, state: CypherState) -> Iterator[MoveGroup]:
        """The first order behind all items, where there is anything to order by."""
        if self._has_sort_key(state):
            yield self._say_order(state, lambda rows: partial(self._say_sort_key, rows))

    def _say_order(self, state: CypherState, make_next: MakeNext) -> MoveGroup:
        """The words of an order; `make_next` gives the moves behind them."""
        texts, ranges = list(self._ranges_by_text), list(self._ranges_by_text.values())
        return MoveGroup.of("order", texts, lambda i: state.with_next(make_next(ranges[i])))

    def say_more_orders(self, state: CypherState) -> Iterator[MoveGroup]:
        """One more order, of rows that the orders before it leave equal."""
        if not self._is_wide or len(state.query.orders) >= _MOST_ORDERS:
            return
        ranges = [RowRange(False), RowRange(True)]
        if self._has_sort_key(state):
            texts = [f" {THEN}{write_sort_text(rows)}" for rows in ranges]
            yield MoveGroup.of(
                "order", texts, lambda i: state.with_next(partial(self._say_sort_key, ranges[i]))
            )

    def _has_sort_key(self, state: CypherState) -> bool:
        """Whether there is anything that rows can be ordered by."""
        query = state.query
        if query.is_grouped or query.is_distinct:
            has_key = bool(self._list_sort_items(state))
        else:
            has_key = self._operands.has_owner(state, SHOW, accept_sort_key(query))
        return has_key or self._has_hidden_sort(state)

    def _say_sort_key(self, rows: RowRange, state: CypherState) -> Iterator[MoveGroup]:
        """What rows are ordered by: what is returned, or a property of what is matched."""
        query = state.query
        use = partial(_add_order, self.say_more_orders, rows)
        if query.is_grouped or query.is_distinct:
            items = self._list_sort_items(state)
            listed = list(items.values())
            yield MoveGroup.of("item", list(items), lambda i: use(state, listed[i]))
        else:
            yield from self._operands.say_owner(SHOW, use, accept_sort_key(query), state)
        yield from self._say_hidden_sort(rows, state)

    def _say_hidden_sort(self, rows: RowRange, state: CypherState) -> Iterator[MoveGroup]:
        """The word before an aggregate that rows are ordered by."""
        if self._has_hidden_sort(state):
            use = partial(_add_order, self.say_more_orders, rows)
            then = partial(self._say_hidden_sort_key, use)
            yield MoveGroup.of_word("aggregate", f" {BY}", partial(state.with_next, then))

    def _has_hidden_sort(self, state: CypherState) -> bool:
        """Whether rows can be ordered by an aggregate that is not returned."""
        query = state.query
        can_group = self._is_wide and (query.is_grouped or not query.orders)
        if not can_group or query.is_distinct:
            return False
        accept = accept_hidden_sort_key(query)
        return any(self._operands.has_owner(state, form, accept) for form in AGGREGATE_FORMS)

    def _say_hidden_sort_key(self, use: UseItem, state: CypherState) -> Iterator[MoveGroup]:
        """An aggregate that rows are ordered by, and that is not returned."""
        accept = accept_hidden_sort_key(state.query)
        yield self._operands.say_form(state, AGGREGATE_FORMS, use, accept)

    def _list_sort_items(self, state: CypherState) -> dict[str, ReturnItem]:
        """What groups or distinct rows can be ordered by, under the text that says it."""
        query = state.query
        returned = list(query.items)[0 if query.is_grouped or query.orders else 1 :]
        accept = exclude_items(query.items)
        of_groups = (
            item
            for node in query.groups
            for item in self._operands.find_items(state, SHOW, OperandOwner(node), accept)
        )
        ordered = {order.item.column for order in query.orders}
        return {
            self._operands.write_item(state, item): item
            for item in reversed([*of_groups, *returned])
            if (item.key or item.is_aggregate) and item.column not in ordered
        }


def _add_order(then: Then, rows: RowRange, state: CypherState, item: ReturnItem) -> CypherState:
    """The state behind an order by an operand; only the first order decides how many rows come."""
    query = replace(state.query, orders=(*state.query.orders, ReturnOrder(item, rows.descending)))
    if not state.query.orders:
        query = replace(query, limit=rows.limit, skip=rows.skip)
    return state.with_next(then, complete=True, query=query)
