"""The moves that say what is returned: items, their order, how many rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from trellis.automata.cypher.lexicon import NUMBERS, Lexicon
from trellis.automata.cypher.options import RenderingOptions
from trellis.automata.cypher.query import (
    RETURN_FORMS,
    QueryGraph,
    ReturnForm,
    ReturnItem,
    ReturnOrder,
)
from trellis.automata.cypher.state import CypherState, MoveGroup, Then
from trellis.automata.cypher.ways import PatternEnd
from trellis.automata.cypher.wording import ASCENDING, DESCENDING, HIGHEST, LIMIT, LOWEST


def list_sort_texts(limits: Sequence[int]) -> dict[str, tuple[bool, int | None]]:
    """How an order is said: whether the largest comes first, and how many rows are taken."""
    found: dict[str, tuple[bool, int | None]] = {}
    for limit in limits:
        for descending in (True, False):
            found[write_sort_text(descending, limit)] = (descending, limit)
    return found | {write_sort_text(down, None): (down, None) for down in (True, False)}


def write_sort_text(descending: bool, limit: int | None) -> str:
    """The words of one order; a single row needs no number."""
    if limit is None:
        return f" {DESCENDING if descending else ASCENDING}"
    count = "" if limit == 1 else f" {limit}"
    return f" {HIGHEST if descending else LOWEST}{count}"


def write_limit_text(limit: int) -> str:
    """How a number of rows is said that come in no order."""
    return f" {LIMIT} {limit}"


class Returns:
    """What is returned: the items behind the first, an order, and a number of rows."""

    def __init__(self, lexicon: Lexicon, options: RenderingOptions) -> None:
        self._lexicon = lexicon
        self._most_items = options.items
        self._orders_by_text = list_sort_texts(options.limits)
        self._limits_by_text = {write_limit_text(limit): limit for limit in options.limits}

    def find_forms(self, state: CypherState) -> list[ReturnForm]:
        """How one more item can be returned."""
        query = state.query
        if len(query.items) >= self._most_items:
            return []
        return [
            form
            for form in RETURN_FORMS
            if _can_follow(form, query) and any(self._find_unreturned(state, form))
        ]

    def say_item(self, state: CypherState) -> Iterator[MoveGroup]:
        """One more item, of any node."""
        forms = self.find_forms(state)
        texts = [f" {form.word}" for form in forms]
        yield MoveGroup.of(
            "form", texts, lambda i: state.with_next(partial(self._say_item_node, forms[i]))
        )

    def say_property(
        self, form: ReturnForm, node: int, then: Then, state: CypherState
    ) -> Iterator[MoveGroup]:
        """Which property of a node is returned; `then` says what comes behind it."""
        names = self._find_unreturned_names(state, form, node)
        texts = [f" {self._lexicon.wording.properties[name]}" for name in names]
        yield MoveGroup.of(
            "property",
            texts,
            lambda i: self.add_item(state, ReturnItem(form, node, names[i]), then),
        )

    def add_item(self, state: CypherState, item: ReturnItem, then: Then) -> CypherState:
        """The state behind an item that is returned."""
        query = replace(state.query, items=(*state.query.items, item))
        return state.with_next(then, complete=True, query=query)

    def say_after_first_item(self, body: Then, state: CypherState) -> Iterator[MoveGroup]:
        """Behind the first item: an order by a property of its node, or the pattern."""
        item = state.query.items[0]
        if not item.is_aggregate:
            bound = item.form.distinct and item.key
            names = [item.key] if bound else self._list_properties(state, 0)
            if names:
                yield from self._say_order(state, partial(self._say_sort_property, 0, names, body))
        yield from body(state)

    def say_after_pattern(self, state: CypherState) -> Iterator[MoveGroup]:
        """Behind the pattern: more items, an order, a number of rows."""
        yield from self.say_item(state)
        query = state.query
        if query.sort or all(item.is_aggregate for item in query.items):
            return
        sortable = (
            self._say_sort_item if query.is_grouped or query.is_distinct else self._say_sort_node
        )
        if any(group.texts for group in sortable(state)):
            yield from self._say_order(state, sortable)
        texts, limits = list(self._limits_by_text), list(self._limits_by_text.values())
        yield MoveGroup.of("limit", texts, lambda i: _with_limit(state, limits[i]))

    def _say_item_node(self, form: ReturnForm, state: CypherState) -> Iterator[MoveGroup]:
        nodes = list(dict.fromkeys(node for node, _ in self._find_unreturned(state, form)))
        texts = [f" {state.words[node]}" for node in nodes]

        def follow(index: int) -> CypherState:
            if form.is_whole_node:
                return self.add_item(
                    state, ReturnItem(form, nodes[index], ""), self.say_after_pattern
                )
            return state.with_next(
                partial(self.say_property, form, nodes[index], self.say_after_pattern)
            )

        yield MoveGroup.of("node", texts, follow)

    def _find_unreturned(self, state: CypherState, form: ReturnForm) -> Iterator[tuple[int, str]]:
        """The nodes and properties that are not yet returned in a form."""
        said = {item.column for item in state.query.items}
        for node in range(len(state.query.nodes)):
            names = [""] if form.is_whole_node else self._find_unreturned_names(state, form, node)
            for name in names:
                if ReturnItem(form, node, name).column not in said:
                    yield node, name

    def _find_unreturned_names(self, state: CypherState, form: ReturnForm, node: int) -> list[str]:
        """The properties of a node that can be returned in a form, and are not yet."""
        said = {item.column for item in state.query.items}
        kinds = self._lexicon.properties(state.ends[node].labels)
        fitting = [kind.name for kind in kinds if kind.type in NUMBERS or not form.needs_numbers]
        return [name for name in fitting if ReturnItem(form, node, name).column not in said]

    def has_property(self, form: ReturnForm, end: PatternEnd) -> bool:
        """Whether a node has a property that can be returned in a form."""
        kinds = self._lexicon.properties(end.labels)
        return any(kind.type in NUMBERS or not form.needs_numbers for kind in kinds)

    def _list_properties(self, state: CypherState, node: int) -> list[str]:
        return [kind.name for kind in self._lexicon.properties(state.ends[node].labels)]

    def _say_order(self, state: CypherState, then: Then) -> Iterator[MoveGroup]:
        """The words of an order; `then` says by what."""
        texts = list(self._orders_by_text)

        def follow(index: int) -> CypherState:
            descending, limit = self._orders_by_text[texts[index]]
            query = replace(state.query, sort=ReturnOrder(0, "", descending), limit=limit)
            return state.with_next(then, query=query)

        yield MoveGroup.of("order", texts, follow)

    def _say_sort_property(
        self, node: int, names: Sequence[str], then: Then, state: CypherState
    ) -> Iterator[MoveGroup]:
        texts = [f" {self._lexicon.wording.properties[name]}" for name in names]
        yield MoveGroup.of(
            "property",
            texts,
            lambda i: _with_sort(state, then, node=node, property=names[i]),
        )

    def _say_sort_node(self, state: CypherState) -> Iterator[MoveGroup]:
        """Any node but the first that is returned, which is ordered by at its own place."""
        nodes = [n for n in range(1, len(state.query.nodes)) if self._list_properties(state, n)]
        texts = [f" {state.words[node]}" for node in nodes]
        yield MoveGroup.of(
            "node",
            texts,
            lambda i: state.with_next(
                partial(
                    self._say_sort_property,
                    nodes[i],
                    self._list_properties(state, nodes[i]),
                    _say_nothing,
                )
            ),
        )

    def _say_sort_item(self, state: CypherState) -> Iterator[MoveGroup]:
        """What is returned and can be ordered, by how it was said."""
        first = 0 if state.query.is_grouped else 1
        items = list(enumerate(state.query.items))[first:]
        texts = {
            self.write_item(state, item): index
            for index, item in reversed(items)
            if item.key or item.is_aggregate
        }
        listed = list(texts)
        yield MoveGroup.of(
            "item", listed, lambda i: _with_sort(state, _say_nothing, item=texts[listed[i]])
        )

    def write_item(self, state: CypherState, item: ReturnItem) -> str:
        name = f" {self._lexicon.wording.properties[item.key]}" if item.key else ""
        return f" {item.form.word} {state.words[item.node]}{name}"


def _can_follow(form: ReturnForm, query: QueryGraph) -> bool:
    """Whether an item of a form can stand beside those that are there.

    DISTINCT is said with the first item, and not beside aggregates; an order is by what is there.
    """
    if form.function:
        return not query.is_distinct and not query.sort
    return not form.distinct


def _with_sort(state: CypherState, then: Then, **by: object) -> CypherState:
    assert state.query.sort
    sort = replace(state.query.sort, **by)  # type: ignore[arg-type]
    return state.with_next(then, complete=True, query=replace(state.query, sort=sort))


def _with_limit(state: CypherState, limit: int) -> CypherState:
    return state.with_next(_say_nothing, complete=True, query=replace(state.query, limit=limit))


def _say_nothing(_: CypherState) -> Iterator[MoveGroup]:
    return iter(())
