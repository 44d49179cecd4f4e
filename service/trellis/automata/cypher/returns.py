"""The moves that say what is returned: items, groups, their order, how many rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from trellis.automata.cypher.lexicon import NUMBERS, Lexicon
from trellis.automata.cypher.operands import AcceptItem, OperandOwner, Operands, UseItem
from trellis.automata.cypher.options import RenderingOptions
from trellis.automata.cypher.query import (
    AGGREGATE_FORMS,
    RETURN_FORMS,
    SHOW,
    WHETHER,
    WIDE_FORMS,
    GroupCondition,
    QueryGraph,
    ReturnForm,
    ReturnItem,
    ReturnOrder,
)
from trellis.automata.cypher.state import CypherState, MoveGroup, Then
from trellis.automata.cypher.wording import (
    ASCENDING,
    BY,
    DESCENDING,
    EACH,
    HIGHEST,
    LIMIT,
    LOWEST,
    ONLY,
    OPERATORS,
    PLACES,
    THEN,
)

_MOST_ORDERS, _MOST_CONDITIONS = 3, 2


@dataclass(frozen=True, slots=True)
class RowRange:
    """Which rows are returned, by an order: whether the largest come first, how many, and how many
    are left out before them."""

    descending: bool
    limit: int | None = None
    skip: int = 0


MakeNext = Callable[[RowRange], Then]


def list_sort_texts(options: RenderingOptions) -> dict[str, RowRange]:
    """How an order is said, and the rows that it takes."""
    ranges = [RowRange(down, limit) for limit in options.limits for down in (True, False)]
    if options.is_wide:
        ranges += [RowRange(down, 1, skip) for skip in PLACES.values() for down in (True, False)]
    ranges += [RowRange(down) for down in (True, False)]
    return {write_sort_text(each): each for each in ranges}


def write_sort_text(rows: RowRange) -> str:
    """The words of one order; a single row needs no number."""
    if rows.limit is None:
        return f" {DESCENDING if rows.descending else ASCENDING}"
    word = HIGHEST if rows.descending else LOWEST
    place = next((place for place, skip in PLACES.items() if skip == rows.skip), "")
    number = "" if rows.limit == 1 else f" {rows.limit}"
    return f" {place} {word}{number}" if place else f" {word}{number}"


def write_limit_text(limit: int) -> str:
    """How a number of rows is said that come in no order."""
    return f" {LIMIT} {limit}"


class Returns:
    """What is returned: the items behind the first, an order, and a number of rows."""

    def __init__(self, lexicon: Lexicon, options: RenderingOptions) -> None:
        self._lexicon = lexicon
        self.operands = Operands(lexicon)
        self._is_wide = options.is_wide
        self._most_items = options.items
        self._forms = (*RETURN_FORMS, *(WIDE_FORMS if options.is_wide else ()))
        self._orders_by_text = list_sort_texts(options)
        self._limits_by_text = {write_limit_text(limit): limit for limit in options.limits}

    @property
    def first_forms(self) -> tuple[ReturnForm, ...]:
        """How the first item can be returned."""
        return (*self._forms, *((WHETHER,) if self._is_wide else ()))

    def add_item(self, then: Then, state: CypherState, item: ReturnItem) -> CypherState:
        """The state behind an item that is returned; `then`: what comes behind it."""
        query = replace(state.query, items=(*state.query.items, item))
        return state.with_next(then, complete=True, query=query)

    def say_first_property(
        self, form: ReturnForm, then: Then, state: CypherState
    ) -> Iterator[MoveGroup]:
        """Which property of the first node is returned."""
        use = partial(self.add_item, then)
        return self.operands.say_property(form, OperandOwner(0), use, _accept_any, state)

    def say_after_first_item(self, body: Then, state: CypherState) -> Iterator[MoveGroup]:
        """Behind the first item: an order by a property of its node, or the pattern."""
        if self._has_first_sort_key(state):
            yield self._say_order(state, lambda rows: partial(self._say_first_sort_key, body, rows))
        yield from body(state)

    def _has_first_sort_key(self, state: CypherState) -> bool:
        """Whether rows can be ordered before the pattern is said."""
        item = state.query.items[0]
        if item.is_aggregate:
            return False
        accept = _accept_first_sort_key(item)
        has_key = bool(self.operands.find_items(state, SHOW, OperandOwner(0), accept))
        return has_key or self._has_hidden_sort(state)

    def _say_first_sort_key(
        self, body: Then, rows: RowRange, state: CypherState
    ) -> Iterator[MoveGroup]:
        """What rows are ordered by, said before the pattern: a property of the first node."""
        accept = _accept_first_sort_key(state.query.items[0])
        use = partial(_with_order, body, rows)
        yield from self.operands.say_property(SHOW, OperandOwner(0), use, accept, state)
        yield from self._say_hidden_sort(rows, state)

    def say_after_pattern(self, state: CypherState) -> Iterator[MoveGroup]:
        """Behind the pattern: more items, groups, an order, a number of rows."""
        query = state.query
        if any(item.form == WHETHER for item in query.items):
            return
        if len(query.items) < self._most_items:
            forms = [form for form in self._forms if _can_follow(form, query)]
            use = partial(self.add_item, self.say_after_pattern)
            yield self.operands.say_form(state, forms, use, _exclude_items(query.items))
        if query.items:
            yield from self._say_after_items(state)

    def _say_after_items(self, state: CypherState) -> Iterator[MoveGroup]:
        """Behind all items: groups, conditions on them, an order, a number of rows."""
        query = state.query
        if self._is_wide and not query.orders and not query.is_distinct:
            nodes = range(max(query.groups, default=-1) + 1, len(query.nodes))
            nodes_left = [node for node in nodes if query.is_returnable(node)]
            if nodes_left and not query.conditions:
                then = partial(self._say_group, nodes_left)
                yield MoveGroup.of_word("group", f" {EACH}", partial(state.with_next, then))
            if self._lexicon.number_choices and len(query.conditions) < _MOST_CONDITIONS:
                yield MoveGroup.of_word(
                    "condition", f" {ONLY}", partial(state.with_next, self._say_condition)
                )
        yield from self._say_rows(state)

    def _say_group(self, nodes: Sequence[int], state: CypherState) -> Iterator[MoveGroup]:
        """The node of a group."""

        def follow(chosen: int) -> CypherState:
            query = replace(state.query, groups=(*state.query.groups, nodes[chosen]))
            return state.with_next(self._say_after_items, complete=True, query=query)

        yield MoveGroup.of("node", [f" {state.words[node]}" for node in nodes], follow)

    def _say_condition(self, state: CypherState) -> Iterator[MoveGroup]:
        """What is aggregated and compared with a number."""

        def use(behind: CypherState, item: ReturnItem) -> CypherState:
            return behind.with_next(partial(self._say_condition_operator, item))

        yield self.operands.say_form(state, AGGREGATE_FORMS, use, _accept_number)

    def _say_condition_operator(self, item: ReturnItem, state: CypherState) -> Iterator[MoveGroup]:
        yield MoveGroup.of(
            "operator",
            [f" {operator}" for operator in OPERATORS],
            lambda i: state.with_next(partial(self._say_condition_value, item, i)),
        )

    def _say_condition_value(
        self, item: ReturnItem, operator: int, state: CypherState
    ) -> Iterator[MoveGroup]:
        choices = self._lexicon.number_choices

        def follow(chosen: int) -> CypherState:
            condition = GroupCondition(item, OPERATORS[operator], choices[chosen][1])
            query = replace(state.query, conditions=(*state.query.conditions, condition))
            return state.with_next(self._say_after_items, complete=True, query=query)

        yield MoveGroup.of("value", [f" {name}" for name, _ in choices], follow)

    def _say_rows(self, state: CypherState) -> Iterator[MoveGroup]:
        """An order or one more, a number of rows."""
        query = state.query
        if query.orders:
            yield from self._say_more_orders(state)
        elif not all(item.is_aggregate for item in query.items) or query.groups:
            is_offered = _is_behind_first_item(state)  # then an order is said already
            if not is_offered and self._has_sort_key(state):
                yield self._say_order(state, lambda rows: partial(self._say_sort_key, rows))
            texts, limits = list(self._limits_by_text), list(self._limits_by_text.values())
            yield MoveGroup.of("limit", texts, lambda i: _with_limit(state, limits[i]))

    def _say_order(self, state: CypherState, make_next: MakeNext) -> MoveGroup:
        """The words of an order; `make_next` gives what says by what."""
        texts, ranges = list(self._orders_by_text), list(self._orders_by_text.values())
        return MoveGroup.of("order", texts, lambda i: state.with_next(make_next(ranges[i])))

    def _say_more_orders(self, state: CypherState) -> Iterator[MoveGroup]:
        """A further order, of rows that the ones before leave equal."""
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
            has_key = self.operands.has_owner(state, SHOW, _accept_sort_key(query))
        return has_key or self._has_hidden_sort(state)

    def _say_sort_key(self, rows: RowRange, state: CypherState) -> Iterator[MoveGroup]:
        """What rows are ordered by: what is returned, or what it is returned of."""
        query = state.query
        use = partial(_with_order, self._say_more_orders, rows)
        if query.is_grouped or query.is_distinct:
            items = self._list_sort_items(state)
            listed = list(items.values())
            yield MoveGroup.of("item", list(items), lambda i: use(state, listed[i]))
        else:
            yield from self.operands.say_owner(SHOW, use, _accept_sort_key(query), state)
        yield from self._say_hidden_sort(rows, state)

    def _say_hidden_sort(self, rows: RowRange, state: CypherState) -> Iterator[MoveGroup]:
        """The word before an aggregate that rows are ordered by."""
        if self._has_hidden_sort(state):
            use = partial(_with_order, self._say_more_orders, rows)
            then = partial(self._say_hidden_sort_key, use)
            yield MoveGroup.of_word("aggregate", f" {BY}", partial(state.with_next, then))

    def _has_hidden_sort(self, state: CypherState) -> bool:
        """Whether rows can be ordered by an aggregate that is not returned."""
        query = state.query
        can_group = self._is_wide and (query.is_grouped or not query.orders)
        if not can_group or query.is_distinct:
            return False
        accept = _accept_hidden_sort_key(query)
        return any(self.operands.has_owner(state, form, accept) for form in AGGREGATE_FORMS)

    def _say_hidden_sort_key(self, use: UseItem, state: CypherState) -> Iterator[MoveGroup]:
        """An aggregate that rows are ordered by, and that is not returned."""
        accept = _accept_hidden_sort_key(state.query)
        yield self.operands.say_form(state, AGGREGATE_FORMS, use, accept)

    def _list_sort_items(self, state: CypherState) -> dict[str, ReturnItem]:
        """What is returned and can be ordered, by how it was said; properties of groups too."""
        query = state.query
        returned = list(query.items)[0 if query.is_grouped or query.orders else 1 :]
        accept = _exclude_items(query.items)
        of_groups = (
            item
            for node in query.groups
            for item in self.operands.find_items(state, SHOW, OperandOwner(node), accept)
        )
        ordered = {order.item.column for order in query.orders}
        return {
            self.operands.write_item(state, item): item
            for item in reversed([*of_groups, *returned])
            if (item.key or item.is_aggregate) and item.column not in ordered
        }


def _is_behind_first_item(state: CypherState) -> bool:
    """Whether nothing was said but the first item."""
    return all(move.kind in ("form", "label", "property") for move in state.moves)


def _can_follow(form: ReturnForm, query: QueryGraph) -> bool:
    """Whether an item of a form can stand beside those that are there.

    DISTINCT is said with the first item, and not beside aggregates; an order is by what is there.
    """
    if form.function:
        return not query.is_distinct and not query.orders
    return not form.distinct or not query.items


def _accept_any(item: ReturnItem, type: str) -> bool:  # noqa: ARG001
    return True


def _accept_number(item: ReturnItem, type: str) -> bool:
    """Whether an aggregate is a number."""
    return item.form.function == "count" or type in NUMBERS


def _exclude_items(items: Iterable[ReturnItem]) -> AcceptItem:
    """Accepts all operands but some."""
    columns = {item.column for item in items}
    if not columns:
        return _accept_any
    return lambda item, _: item.column not in columns


def _accept_first_sort_key(first: ReturnItem) -> AcceptItem:
    """Accepts what rows can be ordered by before the pattern is said: distinct ones by what is
    returned."""
    if not (first.form.distinct and first.key):
        return _accept_any
    return lambda item, _: item.column == first.column


def _accept_sort_key(query: QueryGraph) -> AcceptItem:
    """Accepts what rows are not ordered by yet; of the first node they are at its own place."""
    if query.orders or not query.items or query.items[0].node != 0:
        return _exclude_items(order.item for order in query.orders)
    return lambda item, _: item.node != 0 or item.edge is not None


def _accept_hidden_sort_key(query: QueryGraph) -> AcceptItem:
    """Accepts aggregates that are neither returned nor ordered by yet."""
    return _exclude_items((*query.items, *(order.item for order in query.orders)))


def _with_order(then: Then, rows: RowRange, state: CypherState, item: ReturnItem) -> CypherState:
    """The state behind an order by an operand; the rows of a further one are those of the first."""
    query = replace(state.query, orders=(*state.query.orders, ReturnOrder(item, rows.descending)))
    if not state.query.orders:
        query = replace(query, limit=rows.limit, skip=rows.skip)
    return state.with_next(then, complete=True, query=query)


def _with_limit(state: CypherState, limit: int) -> CypherState:
    return state.with_next(_say_nothing, complete=True, query=replace(state.query, limit=limit))


def _say_nothing(_: CypherState) -> Iterator[MoveGroup]:
    return iter(())
