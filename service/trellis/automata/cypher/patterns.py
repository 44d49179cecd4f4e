"""The moves that say a pattern: nodes, filters, relationships, branches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from trellis.automata.cypher.grounding import GroundedWays
from trellis.automata.cypher.lexicon import FilterKind, Lexicon
from trellis.automata.cypher.options import RenderingOptions
from trellis.automata.cypher.query import Edge, Filter, Node
from trellis.automata.cypher.state import Group, State, Then, key_of
from trellis.automata.cypher.ways import End, Place, Way, Ways
from trellis.automata.cypher.wording import AND, ANOTHER, ARROWS, compared


class Patterns:
    """Patterns as they grow. `finish` says what comes behind a whole one."""

    def __init__(
        self, lexicon: Lexicon, ways: Ways, options: RenderingOptions, finish: Then
    ) -> None:
        self._lexicon = lexicon
        self._ways = ways
        self._most = options.nodes
        self._finish = finish
        self._is_grounded = isinstance(ways, GroundedWays)
        self._way_texts: dict[Place, tuple[tuple[str, ...], object]] = {}

    def begun(self, state: State, end: End, then: Then) -> State:
        """The state behind the first node."""
        word = self._lexicon.wording.labels[end.label]
        query = replace(state.query, nodes=(Node(end.label),))
        return state.with_next(then, query=query, ends=(end,), words=(word,))

    def body(self, state: State) -> Iterator[Group]:
        """All that can be said of a pattern that could end here."""
        yield self._filter_group(state)
        if len(state.query.nodes) < self._most:
            yield from self._grown(state)
        yield from self._finish(state)

    def _filters_left(self, state: State) -> list[tuple[int, FilterKind]]:
        """The filters of the last node that come behind the last one that was said, with the
        values that a node at its place can have."""
        node = len(state.query.nodes) - 1
        kinds = list(enumerate(self._lexicon.filters(state.ends[node].labels)))
        left = (
            (index, self._grounded(state, node, kind))
            for index, kind in kinds[state.filtered + 1 :]
        )
        return [(index, kind) for index, kind in left if kind.values]

    def _grounded(self, state: State, node: int, kind: FilterKind) -> FilterKind:
        if kind.operator != "=" or not self._is_grounded:
            return kind
        anchored = partial(self._ways.anchored, state.query, state.ends, node)
        kept = (
            (name, tuple(v for v in of if anchored((v,)) is not None)) for name, of in kind.values
        )
        return replace(kind, values=tuple(each for each in kept if each[1]))

    def _filter_group(self, state: State) -> Group:
        kinds = self._filters_left(state)
        words = self._lexicon.wording.properties
        texts = [f" {compared(words[kind.property], kind.operator)}" for _, kind in kinds]
        return Group.of("filter", texts, lambda i: state.with_next(partial(self._value, *kinds[i])))

    def _value(self, index: int, kind: FilterKind, state: State) -> Iterator[Group]:
        texts = [f" {name}" for name, _ in kind.values]

        def follow(chosen: int) -> State:
            each = Filter(kind.property, kind.operator, kind.values[chosen][1])
            return self._filtered(state, index, each)

        yield Group.of("value", texts, follow)

    def _filtered(self, state: State, index: int, each: Filter) -> State:
        """The state behind a filter, the one of that index, of the last node."""
        *before, last = state.query.nodes
        node = replace(last, filters=(*last.filters, each))
        ends: tuple[End, ...] | None = state.ends
        if each.operator == "=":
            ends = self._ways.anchored(state.query, state.ends, len(before), each.values)
        assert ends is not None
        return state.with_next(
            self.body,
            complete=True,
            query=replace(state.query, nodes=(*before, node)),
            filtered=index,
            ends=ends,
        )

    def _grown(self, state: State) -> Iterator[Group]:
        """One more relationship: from the last node, or from one on the way to it."""
        last = len(state.query.nodes) - 1
        ways = self._ways.ways(state.ends[last].place)
        if ways:
            texts, key = self._texts(state.ends[last].place, ways)
            clause = state.query.clause
            yield Group(
                "relationship", texts, lambda i: self._way(state, last, ways[i], clause), key
            )
        if not state.query.edges:
            return
        for word, clause, nodes in self._branches(state, last):
            if nodes:
                then = partial(self._branch, nodes, clause)
                yield Group.word("branch", f" {word}", partial(state.with_next, then))

    def _texts(self, place: Place, ways: Sequence[Way]) -> tuple[tuple[str, ...], object]:
        found = self._way_texts.get(place)
        if found is None:
            texts = tuple(map(self._way_text, ways))
            found = self._way_texts[place] = (texts, key_of(texts))
        return found

    def _way_text(self, way: Way) -> str:
        return f" {self._lexicon.wording.types[way.type]}{ARROWS[way.said]}"

    def _branches(self, state: State, last: int) -> Iterator[tuple[str, int, list[int]]]:
        """The nodes that a branch can be said from, in a clause of its own and in the same one."""
        clause = state.query.clause
        nodes = [node for node in _way_to(state, last) if self._ways.ways(state.ends[node].place)]
        others = [node for node in nodes if node != last]
        fresh = [*others, *(node for node in nodes[len(others) :] if self._again(state, node))]
        yield AND, clause + 1, fresh
        yield ANOTHER, clause, others

    def _again(self, state: State, last: int) -> list[Way]:
        """The ways of the last node of a type that its clause has.

        Only for these it makes a difference that the pattern goes on in another clause.
        """
        edges = state.query.edges
        types = {edge.type for edge in edges if edge.clause == state.query.clause}
        return [way for way in self._ways.ways(state.ends[last].place) if way.type in types]

    def _branch(self, nodes: Sequence[int], clause: int, state: State) -> Iterator[Group]:
        texts = [f" {state.words[node]}" for node in nodes]
        yield Group.of(
            "node", texts, lambda i: state.with_next(partial(self._branch_way, nodes[i], clause))
        )

    def _branch_way(self, node: int, clause: int, state: State) -> Iterator[Group]:
        """The ways of a node; branches in clauses of their own come sorted."""
        ways = list(self._ways.ways(state.ends[node].place))
        if node == len(state.query.nodes) - 1:
            ways = self._again(state, node)
        elif clause > state.query.clause:
            ways = [way for way in ways if way.order >= _least(state, node)]
        texts = [self._way_text(way) for way in ways]
        yield Group.of("relationship", texts, lambda i: self._way(state, node, ways[i], clause))

    def _way(self, state: State, source: int, way: Way, clause: int) -> State:
        """The state behind a relationship, whose node comes next."""
        edge = Edge(source, len(state.query.nodes), way.type, way.direction, clause)
        query = replace(state.query, edges=(*state.query.edges, edge))
        steps = (*state.steps, way.order)
        return state.with_next(partial(self._node, way.ends), query=query, steps=steps)

    def _node(self, ends: Sequence[End], state: State) -> Iterator[Group]:
        texts = [f" {self._lexicon.wording.labels[end.label]}" for end in ends]
        yield Group.of("label", texts, lambda i: self._arrived(state, ends[i]))

    def _arrived(self, state: State, end: End) -> State:
        return state.with_next(
            self.body,
            complete=True,
            query=replace(state.query, nodes=(*state.query.nodes, Node(end.label))),
            ends=(*state.ends, end),
            words=(*state.words, called(self._lexicon.wording.labels[end.label], state.words)),
            filtered=-1,
        )


def _way_to(state: State, node: int) -> list[int]:
    """The nodes from the first to one, itself included."""
    found = [node]
    while node:
        node = state.query.edges[node - 1].source
        found.insert(0, node)
    return found


def _least(state: State, node: int) -> int:
    """The first way of a node that its next branch may take: that of its last branch."""
    steps = [
        step
        for edge, step in zip(state.query.edges, state.steps, strict=True)
        if edge.source == node
    ]
    return steps[-1] if len(steps) > 1 else 0


def called(word: str, taken: Sequence[str]) -> str:
    """A name for one more node: its label's word, numbered where that is taken."""
    names = (word, *(f"{word} {number}" for number in range(2, 2 + len(taken) + 1)))
    return next(name for name in names if name not in taken)
