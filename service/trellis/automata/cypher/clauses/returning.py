"""The moves of RETURN: what is returned of a pattern, as it is or with aggregates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

from trellis.automata.cypher.clauses.operand_moves import OperandMoves, OperandPlace
from trellis.automata.cypher.clauses.ordering import Ordering
from trellis.automata.cypher.clauses.texts import name_edges, write_operand
from trellis.automata.cypher.grammar.accepting import (
    accept_any,
    exclude_items,
)
from trellis.automata.cypher.grammar.operands import OperandOwner, Operands
from trellis.automata.cypher.meaning.items import (
    LIST,
    RETURN_FORMS,
    SHOW,
    WHETHER,
    WIDE_FORMS,
    ReturnForm,
    ReturnItem,
)
from trellis.automata.cypher.meaning.query import QueryGraph
from trellis.automata.cypher.options import RenderingOptions
from trellis.automata.cypher.state import CypherState, MoveGroup, Then
from trellis.automata.cypher.words.bound_values import Lexicon

DISTINCT_FORMS = tuple(form for form in RETURN_FORMS if form.distinct and not form.function)


class Returning:
    """Says what is returned of a pattern, and in which order."""

    def __init__(
        self,
        lexicon: Lexicon,
        operands: Operands,
        options: RenderingOptions,
        ordering: Ordering,
    ) -> None:
        self._lexicon = lexicon
        self._operands = operands
        self._moves = OperandMoves(lexicon, operands)
        self._most_items = options.items
        self._asks_whether = options.is_wide and options.asks_whether
        self._ordering = ordering
        forms = (*RETURN_FORMS, *(WIDE_FORMS if options.is_wide else ()))
        self._forms = tuple(form for form in forms if form.function or not form.distinct)

    def say_return(self, closing: str, state: CypherState) -> Iterator[MoveGroup]:
        """The word before the items."""
        place = OperandPlace(self._add_item, accept_any)
        has_plain = self._moves.has_operand(state, self._forms, place)
        if has_plain or self._asks_whether:
            yield self._say_word(f"{closing} RETURN", state, self._say_first_item)
        if self._moves.has_operand(state, DISTINCT_FORMS, place):
            yield self._say_word(f"{closing} RETURN DISTINCT", state, self._say_distinct_item)

    def _say_word(self, text: str, state: CypherState, then: Then) -> MoveGroup:
        return MoveGroup.of_word("form", text, partial(state.with_next, then))

    def _say_first_item(self, state: CypherState) -> Iterator[MoveGroup]:
        place = OperandPlace(self._add_item, accept_any)
        yield from self._moves.say_operands(state, self._forms, place)
        if self._asks_whether:
            item = ReturnItem(WHETHER, 0, "")
            text = f" {write_operand(item, (), ())}"
            yield MoveGroup.of_word("form", text, partial(self._add_item, state, item))

    def _say_distinct_item(self, state: CypherState) -> Iterator[MoveGroup]:
        place = OperandPlace(self._add_item, accept_any)
        yield from self._moves.say_operands(state, DISTINCT_FORMS, place)

    def _add_item(self, state: CypherState, item: ReturnItem) -> CypherState:
        query = replace(state.query, items=(*state.query.items, item))
        return state.with_next(self._say_after_item, complete=True, query=query)

    def _say_after_item(self, state: CypherState) -> Iterator[MoveGroup]:
        """What comes behind an item: one more, an order, a number of rows."""
        query = state.query
        if query.items[0].form == WHETHER:
            return
        place = self._place_next(query)
        if len(query.items) < self._most_items and self._moves.has_operand(
            state, self._list_next_forms(query), place
        ):
            yield MoveGroup.of_word("form", ",", partial(state.with_next, self._say_next_item))
        if not all(item.is_aggregate for item in query.items):
            yield from self._ordering.say_order(self._find_keys, _can_end, state)
            yield from self._ordering.say_limit(state)

    def _say_next_item(self, state: CypherState) -> Iterator[MoveGroup]:
        forms = self._list_next_forms(state.query)
        yield from self._moves.say_operands(state, forms, self._place_next(state.query))

    def _place_next(self, query: QueryGraph) -> OperandPlace:
        return OperandPlace(self._add_item, exclude_items(query.items))

    def _list_next_forms(self, query: QueryGraph) -> tuple[ReturnForm, ...]:
        """The forms of further items: no aggregates beside distinct rows."""
        return (LIST, SHOW) if query.is_distinct else self._forms

    def _find_keys(self, state: CypherState) -> Mapping[str, ReturnItem]:
        """What rows can be ordered by: what is returned, or any property where each row is one
        match of the pattern."""
        query = state.query
        accept = exclude_items(order.item for order in query.orders)
        edges = name_edges(query, self._lexicon)
        if query.is_grouped or query.is_distinct:
            items = [i for i in query.items if (i.key or i.is_aggregate) and accept(i, "")]
            if query.is_distinct and not query.items[0].key:
                owner = OperandOwner(query.items[0].node)
                more = self._operands.find_items(state, SHOW, owner, accept)
                columns = {item.column for item in items}
                items += [item for item in more if item.column not in columns]
        else:
            owners = self._operands.find_owners(state, SHOW, accept)
            items = [
                item for o in owners for item in self._operands.find_items(state, SHOW, o, accept)
            ]
        return {f" {write_operand(item, state.words, edges)}": item for item in items}


def _can_end(_: CypherState) -> bool:
    return True
