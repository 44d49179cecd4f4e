"""The moves that say what is returned: items, their order, how many rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from trellis.automata.cypher.lexicon import NUMBERS, Lexicon
from trellis.automata.cypher.options import RenderingOptions
from trellis.automata.cypher.query import FORMS, Form, Item, QueryGraph, Sort
from trellis.automata.cypher.state import Group, State, Then
from trellis.automata.cypher.ways import End
from trellis.automata.cypher.wording import ASCENDING, DESCENDING, HIGHEST, LIMIT, LOWEST


def sort_words(limits: Sequence[int]) -> dict[str, tuple[bool, int | None]]:
    """How an order is said: whether the largest comes first, and how many rows are taken."""
    found: dict[str, tuple[bool, int | None]] = {}
    for limit in limits:
        for descending in (True, False):
            found[sort_word(descending, limit)] = (descending, limit)
    return found | {sort_word(down, None): (down, None) for down in (True, False)}


def sort_word(descending: bool, limit: int | None) -> str:
    """The words of one order; a single row needs no number."""
    if limit is None:
        return f" {DESCENDING if descending else ASCENDING}"
    count = "" if limit == 1 else f" {limit}"
    return f" {HIGHEST if descending else LOWEST}{count}"


def limit_word(limit: int) -> str:
    """How a number of rows is said that come in no order."""
    return f" {LIMIT} {limit}"


class Returns:
    """What is returned: the items behind the first, an order, and a number of rows."""

    def __init__(self, lexicon: Lexicon, options: RenderingOptions) -> None:
        self._lexicon = lexicon
        self._most = options.items
        self._sorts = sort_words(options.limits)
        self._limits = {limit_word(limit): limit for limit in options.limits}

    def forms(self, state: State) -> list[Form]:
        """How one more item can be returned."""
        query = state.query
        if len(query.items) >= self._most:
            return []
        return [form for form in FORMS if _fits(form, query) and any(self._of(state, form))]

    def item(self, state: State) -> Iterator[Group]:
        """One more item, of any node."""
        forms = self.forms(state)
        texts = [f" {form.word}" for form in forms]
        yield Group.of("form", texts, lambda i: state.with_next(partial(self._node, forms[i])))

    def property(self, form: Form, node: int, then: Then, state: State) -> Iterator[Group]:
        """Which property of a node is returned; `then` says what comes behind it."""
        names = self._names(state, form, node)
        texts = [f" {self._lexicon.wording.properties[name]}" for name in names]
        yield Group.of(
            "property", texts, lambda i: self.added(state, Item(form, node, names[i]), then)
        )

    def added(self, state: State, item: Item, then: Then) -> State:
        """The state behind an item that is returned."""
        query = replace(state.query, items=(*state.query.items, item))
        return state.with_next(then, complete=True, query=query)

    def head(self, body: Then, state: State) -> Iterator[Group]:
        """Behind the first item: an order by a property of its node, or the pattern."""
        item = state.query.items[0]
        if not item.aggregate:
            bound = item.form.distinct and item.key
            names = [item.key] if bound else self._all(state, 0)
            if names:
                yield from self._ordered(state, partial(self._by, 0, names, body))
        yield from body(state)

    def tail(self, state: State) -> Iterator[Group]:
        """Behind the pattern: more items, an order, a number of rows."""
        yield from self.item(state)
        query = state.query
        if query.sort or all(item.aggregate for item in query.items):
            return
        sortable = self._by_item if query.grouped or query.distinct else self._by_node
        if any(group.texts for group in sortable(state)):
            yield from self._ordered(state, sortable)
        texts, limits = list(self._limits), list(self._limits.values())
        yield Group.of("limit", texts, lambda i: _limited(state, limits[i]))

    def _node(self, form: Form, state: State) -> Iterator[Group]:
        nodes = list(dict.fromkeys(node for node, _ in self._of(state, form)))
        texts = [f" {state.words[node]}" for node in nodes]

        def follow(index: int) -> State:
            if form.whole:
                return self.added(state, Item(form, nodes[index], ""), self.tail)
            return state.with_next(partial(self.property, form, nodes[index], self.tail))

        yield Group.of("node", texts, follow)

    def _of(self, state: State, form: Form) -> Iterator[tuple[int, str]]:
        """The nodes and properties that are not yet returned in a form."""
        said = {item.column for item in state.query.items}
        for node in range(len(state.query.nodes)):
            names = [""] if form.whole else self._names(state, form, node)
            for name in names:
                if Item(form, node, name).column not in said:
                    yield node, name

    def _names(self, state: State, form: Form, node: int) -> list[str]:
        """The properties of a node that can be returned in a form, and are not yet."""
        said = {item.column for item in state.query.items}
        kinds = self._lexicon.properties(state.ends[node].labels)
        fitting = [kind.name for kind in kinds if kind.type in NUMBERS or not form.numeric]
        return [name for name in fitting if Item(form, node, name).column not in said]

    def named(self, form: Form, end: End) -> bool:
        """Whether a node has a property that can be returned in a form."""
        kinds = self._lexicon.properties(end.labels)
        return any(kind.type in NUMBERS or not form.numeric for kind in kinds)

    def _all(self, state: State, node: int) -> list[str]:
        return [kind.name for kind in self._lexicon.properties(state.ends[node].labels)]

    def _ordered(self, state: State, then: Then) -> Iterator[Group]:
        """The words of an order; `then` says by what."""
        texts = list(self._sorts)

        def follow(index: int) -> State:
            descending, limit = self._sorts[texts[index]]
            query = replace(state.query, sort=Sort(0, "", descending), limit=limit)
            return state.with_next(then, query=query)

        yield Group.of("order", texts, follow)

    def _by(self, node: int, names: Sequence[str], then: Then, state: State) -> Iterator[Group]:
        texts = [f" {self._lexicon.wording.properties[name]}" for name in names]
        yield Group.of(
            "property", texts, lambda i: _sorted(state, then, node=node, property=names[i])
        )

    def _by_node(self, state: State) -> Iterator[Group]:
        """Any node but the first that is returned, which is ordered by at its own place."""
        nodes = [n for n in range(1, len(state.query.nodes)) if self._all(state, n)]
        texts = [f" {state.words[node]}" for node in nodes]
        yield Group.of(
            "node",
            texts,
            lambda i: state.with_next(
                partial(self._by, nodes[i], self._all(state, nodes[i]), _nothing)
            ),
        )

    def _by_item(self, state: State) -> Iterator[Group]:
        """What is returned and can be ordered, by how it was said."""
        first = 0 if state.query.grouped else 1
        items = list(enumerate(state.query.items))[first:]
        texts = {
            self.said(state, item): index
            for index, item in reversed(items)
            if item.key or item.aggregate
        }
        listed = list(texts)
        yield Group.of("item", listed, lambda i: _sorted(state, _nothing, item=texts[listed[i]]))

    def said(self, state: State, item: Item) -> str:
        name = f" {self._lexicon.wording.properties[item.key]}" if item.key else ""
        return f" {item.form.word} {state.words[item.node]}{name}"


def _fits(form: Form, query: QueryGraph) -> bool:
    """Whether an item of a form can stand beside those that are there.

    DISTINCT is said with the first item, and not beside aggregates; an order is by what is there.
    """
    if form.function:
        return not query.distinct and not query.sort
    return not form.distinct


def _sorted(state: State, then: Then, **by: object) -> State:
    assert state.query.sort
    sort = replace(state.query.sort, **by)  # type: ignore[arg-type]
    return state.with_next(then, complete=True, query=replace(state.query, sort=sort))


def _limited(state: State, limit: int) -> State:
    return state.with_next(_nothing, complete=True, query=replace(state.query, limit=limit))


def _nothing(_: State) -> Iterator[Group]:
    return iter(())
