"""The moves of ORDER BY, SKIP and LIMIT: at the end of a sentence, and of first nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from trellis.automata.cypher.meaning.items import ReturnItem, ReturnOrder
from trellis.automata.cypher.options import RenderingOptions
from trellis.automata.cypher.state import CypherState, MoveGroup, Then
from trellis.automata.cypher.words.wording import PLACES

FindKeys = Callable[[CypherState], Mapping[str, ReturnItem]]
"""Gives what rows can be ordered by, under the text that says it."""

UseRank = Callable[[CypherState, ReturnOrder, int, int], CypherState]
"""Makes the state behind the order of first nodes, with how many are taken and left out."""

MOST_ORDERS = 3

_DIRECTIONS = ((" DESC", True), (" ASC", False))


class Ordering:
    """Says orders, and how many rows they give."""

    def __init__(self, options: RenderingOptions) -> None:
        self._most_orders = MOST_ORDERS if options.is_wide else 1
        self._limits = {f" LIMIT {limit}": (limit, 0) for limit in options.limits}
        places = {f" SKIP {skip} LIMIT 1": (1, skip) for skip in PLACES.values()}
        self._ordered_limits = self._limits | (places if options.is_wide else {})

    def say_order(
        self, find_keys: FindKeys, can_end: Callable[[CypherState], bool], state: CypherState
    ) -> Iterator[MoveGroup]:
        """The order of all rows. `can_end`: whether the sentence may end behind it."""
        if find_keys(state):
            then = partial(self._say_key, find_keys, can_end)
            yield MoveGroup.of_word("order", " ORDER BY", partial(state.with_next, then))

    def say_limit(self, state: CypherState) -> Iterator[MoveGroup]:
        """How many rows come of those that have no order."""
        yield self._say_rows(state, self._limits)

    def say_rank(
        self, keys: Mapping[str, ReturnItem], use: UseRank, state: CypherState
    ) -> Iterator[MoveGroup]:
        """The order in which the first nodes are taken."""
        if keys:
            then = partial(self._say_rank_key, keys, use)
            yield MoveGroup.of_word("order", " ORDER BY", partial(state.with_next, then))

    def _say_key(
        self, find_keys: FindKeys, can_end: Callable[[CypherState], bool], state: CypherState
    ) -> Iterator[MoveGroup]:
        keys = find_keys(state)
        items = list(keys.values())

        def follow(chosen: int) -> CypherState:
            then = partial(self._say_direction, items[chosen], find_keys, can_end)
            return state.with_next(then)

        yield MoveGroup.of("item", list(keys), follow)

    def _say_direction(
        self,
        item: ReturnItem,
        find_keys: FindKeys,
        can_end: Callable[[CypherState], bool],
        state: CypherState,
    ) -> Iterator[MoveGroup]:
        after: Then = partial(self._say_after_order, find_keys, can_end)

        def follow(chosen: int) -> CypherState:
            order = ReturnOrder(item, _DIRECTIONS[chosen][1])
            query = replace(state.query, orders=(*state.query.orders, order))
            behind = replace(state, query=query)
            return behind.with_next(after, complete=can_end(behind))

        yield MoveGroup.of("order", [text for text, _ in _DIRECTIONS], follow)

    def _say_after_order(
        self, find_keys: FindKeys, can_end: Callable[[CypherState], bool], state: CypherState
    ) -> Iterator[MoveGroup]:
        """One more order, or how many rows come."""
        if len(state.query.orders) < self._most_orders and find_keys(state):
            then = partial(self._say_key, find_keys, can_end)
            yield MoveGroup.of_word("order", ",", partial(state.with_next, then))
        if can_end(state):
            yield self._say_rows(state, self._ordered_limits)

    def _say_rows(self, state: CypherState, limits: Mapping[str, tuple[int, int]]) -> MoveGroup:
        rows = list(limits.values())

        def follow(chosen: int) -> CypherState:
            limit, skip = rows[chosen]
            query = replace(state.query, limit=limit, skip=skip)
            return state.with_next(_say_nothing, complete=True, query=query)

        return MoveGroup.of("limit", list(limits), follow)

    def _say_rank_key(
        self, keys: Mapping[str, ReturnItem], use: UseRank, state: CypherState
    ) -> Iterator[MoveGroup]:
        items = list(keys.values())

        def follow(chosen: int) -> CypherState:
            return state.with_next(partial(self._say_rank_direction, items[chosen], use))

        yield MoveGroup.of("item", list(keys), follow)

    def _say_rank_direction(
        self, item: ReturnItem, use: UseRank, state: CypherState
    ) -> Iterator[MoveGroup]:
        def follow(chosen: int) -> CypherState:
            order = ReturnOrder(item, _DIRECTIONS[chosen][1])
            return state.with_next(partial(self._say_rank_rows, order, use))

        yield MoveGroup.of("order", [text for text, _ in _DIRECTIONS], follow)

    def _say_rank_rows(
        self, order: ReturnOrder, use: UseRank, state: CypherState
    ) -> Iterator[MoveGroup]:
        rows = list(self._ordered_limits.values())
        yield MoveGroup.of(
            "limit", list(self._ordered_limits), lambda i: use(state, order, *rows[i])
        )


def _say_nothing(_: CypherState) -> Iterator[MoveGroup]:
    return iter(())
