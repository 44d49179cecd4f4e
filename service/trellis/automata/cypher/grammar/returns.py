"""The moves that say what is returned: items, groups, conditions on groups, how many rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from trellis.automata.cypher.grammar.accepting import (
    accept_any,
    accept_numeric_aggregate,
    exclude_items,
)
from trellis.automata.cypher.grammar.operands import OperandOwner, Operands
from trellis.automata.cypher.grammar.orders import Orders
from trellis.automata.cypher.grammar.ways import PatternEnd
from trellis.automata.cypher.meaning.items import (
    AGGREGATE_FORMS,
    RETURN_FORMS,
    WHETHER,
    WIDE_FORMS,
    ReturnForm,
    ReturnItem,
)
from trellis.automata.cypher.meaning.query import GroupCondition, QueryGraph
from trellis.automata.cypher.options import RenderingOptions
from trellis.automata.cypher.state import CypherState, MoveGroup, Then
from trellis.automata.cypher.words.bound_values import Lexicon
from trellis.automata.cypher.words.row_ranges import write_limit_text
from trellis.automata.cypher.words.wording import EACH, ONLY, OPERATORS

_MOST_CONDITIONS = 2


class Returns:
    """Says what is returned: items, an order of the rows, and a number of them."""

    def __init__(
        self,
        lexicon: Lexicon,
        operands: Operands,
        options: RenderingOptions,
    ) -> None:
        self._lexicon = lexicon
        self.operands = operands
        self._is_wide = options.is_wide
        self._asks_whether = options.is_wide and options.asks_whether
        self._most_items = options.items
        self._forms = (*RETURN_FORMS, *(WIDE_FORMS if options.is_wide else ()))
        self._orders = Orders(self.operands, options)
        self._limits_by_text = {write_limit_text(limit): limit for limit in options.limits}

    @property
    def first_forms(self) -> tuple[ReturnForm, ...]:
        """The forms in which the first item can be returned."""
        return (*self._forms, *((WHETHER,) if self._asks_whether else ()))

    def add_item(self, then: Then, state: CypherState, item: ReturnItem) -> CypherState:
        """The state behind an item that is returned; `then`: what comes behind it."""
        query = replace(state.query, items=(*state.query.items, item))
        return state.with_next(then, complete=True, query=query)

    def can_begin(self, form: ReturnForm, end: PatternEnd) -> bool:
        """Whether the first item can be in a form and of a node."""
        return any(True for _ in self.operands.iterate_keys(form, end.labels))

    def say_first_property(
        self, form: ReturnForm, then: Then, state: CypherState
    ) -> Iterator[MoveGroup]:
        """The properties of the first node that can be returned."""
        use = partial(self.add_item, then)
        return self.operands.say_property(form, OperandOwner(0), use, accept_any, state)

    def say_after_first_item(self, body: Then, state: CypherState) -> Iterator[MoveGroup]:
        """What comes behind the first item: an order, or the pattern, which `body` says."""
        return self._orders.say_after_first_item(body, state)

    def say_after_pattern(self, state: CypherState) -> Iterator[MoveGroup]:
        """What comes behind the pattern: more items, groups, an order, a number of rows."""
        query = state.query
        if any(item.form == WHETHER for item in query.items):
            return
        if len(query.items) < self._most_items:
            forms = [form for form in self._forms if _can_follow(form, query)]
            use = partial(self.add_item, self.say_after_pattern)
            yield self.operands.say_form(state, forms, use, exclude_items(query.items))
        if query.items:
            yield from self._say_after_items(state)

    def _say_after_items(self, state: CypherState) -> Iterator[MoveGroup]:
        """What comes behind all items: groups, conditions on them, an order, a number of rows."""
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
        """The nodes that rows can be grouped by."""

        def follow(chosen: int) -> CypherState:
            query = replace(state.query, groups=(*state.query.groups, nodes[chosen]))
            return state.with_next(self._say_after_items, complete=True, query=query)

        yield MoveGroup.of("node", [f" {state.words[node]}" for node in nodes], follow)

    def _say_condition(self, state: CypherState) -> Iterator[MoveGroup]:
        """The aggregates that can be compared with a number."""

        def use(behind: CypherState, item: ReturnItem) -> CypherState:
            return behind.with_next(partial(self._say_condition_operator, item))

        yield self.operands.say_form(state, AGGREGATE_FORMS, use, accept_numeric_aggregate)

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
        """An order, or one more, or a number of rows."""
        query = state.query
        if query.orders:
            yield from self._orders.say_more_orders(state)
        elif not all(item.is_aggregate for item in query.items) or query.groups:
            is_offered = _is_behind_first_item(state)  # an order is offered there already
            if not is_offered:
                yield from self._orders.say_after_items(state)
            texts, limits = list(self._limits_by_text), list(self._limits_by_text.values())
            yield MoveGroup.of("limit", texts, lambda i: _add_limit(state, limits[i]))


def _is_behind_first_item(state: CypherState) -> bool:
    """Whether the sentence is the first item, as it stands or combined with a number of its own
    node, and nothing else."""
    kinds = [move.kind for move in state.moves]
    if kinds[-3:] == ["term", "node", "property"]:
        kinds = kinds[:-3]
    return all(kind in ("form", "label", "property") for kind in kinds)


def _can_follow(form: ReturnForm, query: QueryGraph) -> bool:
    """Whether an item of a form can stand beside those that are there.

    DISTINCT stands with the first item only, and not beside aggregates. Behind an order comes no
    aggregate, because it would change what the order is by.
    """
    if form.function:
        return not query.is_distinct and not query.orders
    return not form.distinct or not query.items


def _add_limit(state: CypherState, limit: int) -> CypherState:
    """The state behind a number of rows, where the sentence ends."""
    return state.with_next(_say_nothing, complete=True, query=replace(state.query, limit=limit))


def _say_nothing(_: CypherState) -> Iterator[MoveGroup]:
    return iter(())
