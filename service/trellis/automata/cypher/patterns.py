"""The moves that say a pattern: nodes, filters, relationships, branches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from trellis.automata.cypher.grounding import GroundedWays
from trellis.automata.cypher.lexicon import FilterKind, Lexicon
from trellis.automata.cypher.options import RenderingOptions
from trellis.automata.cypher.query import QueryEdge, QueryFilter, QueryNode
from trellis.automata.cypher.state import CypherState, MoveGroup, Then, make_texts_key
from trellis.automata.cypher.ways import PatternEnd, PatternPlace, PatternWay, PatternWays
from trellis.automata.cypher.wording import AND, ANOTHER, ARROWS, write_comparison


class Patterns:
    """Patterns as they grow. `finish` says what comes behind a whole one."""

    def __init__(
        self, lexicon: Lexicon, ways: PatternWays, options: RenderingOptions, finish: Then
    ) -> None:
        self._lexicon = lexicon
        self._ways = ways
        self._most_nodes = options.nodes
        self._finish = finish
        self._is_grounded = isinstance(ways, GroundedWays)
        self._way_texts: dict[PatternPlace, tuple[tuple[str, ...], object]] = {}

    def begin_pattern(self, state: CypherState, end: PatternEnd, then: Then) -> CypherState:
        """The state behind the first node."""
        word = self._lexicon.wording.labels[end.label]
        query = replace(state.query, nodes=(QueryNode(end.label),))
        return state.with_next(then, query=query, ends=(end,), words=(word,))

    def say_next(self, state: CypherState) -> Iterator[MoveGroup]:
        """All that can be said of a pattern that could end here."""
        yield self._say_filter_property(state)
        if len(state.query.nodes) < self._most_nodes:
            yield from self._say_relationship(state)
        yield from self._finish(state)

    def _find_filters_left(self, state: CypherState) -> list[tuple[int, FilterKind]]:
        """The filters of the last node that come behind the last one that was said, with the
        values that a node at its place can have."""
        node = len(state.query.nodes) - 1
        kinds = list(enumerate(self._lexicon.filters(state.ends[node].labels)))
        left = (
            (index, self._keep_grounded_values(state, node, kind))
            for index, kind in kinds[state.filtered + 1 :]
        )
        return [(index, kind) for index, kind in left if kind.values]

    def _keep_grounded_values(self, state: CypherState, node: int, kind: FilterKind) -> FilterKind:
        if kind.operator != "=" or not self._is_grounded:
            return kind
        anchored = partial(self._ways.anchor_node, state.query, state.ends, node)
        kept = (
            (name, tuple(v for v in of if anchored((v,)) is not None)) for name, of in kind.values
        )
        return replace(kind, values=tuple(each for each in kept if each[1]))

    def _say_filter_property(self, state: CypherState) -> MoveGroup:
        kinds = self._find_filters_left(state)
        words = self._lexicon.wording.properties
        texts = [f" {write_comparison(words[kind.property], kind.operator)}" for _, kind in kinds]
        return MoveGroup.of(
            "filter", texts, lambda i: state.with_next(partial(self._say_filter_value, *kinds[i]))
        )

    def _say_filter_value(
        self, index: int, kind: FilterKind, state: CypherState
    ) -> Iterator[MoveGroup]:
        texts = [f" {name}" for name, _ in kind.values]

        def follow(chosen: int) -> CypherState:
            each = QueryFilter(kind.property, kind.operator, kind.values[chosen][1])
            return self._add_filter(state, index, each)

        yield MoveGroup.of("value", texts, follow)

    def _add_filter(
        self, state: CypherState, index: int, filter_to_add: QueryFilter
    ) -> CypherState:
        """The state behind a filter, the one of that index, of the last node."""
        *before, last = state.query.nodes
        node = replace(last, filters=(*last.filters, filter_to_add))
        ends: tuple[PatternEnd, ...] | None = state.ends
        if filter_to_add.operator == "=":
            ends = self._ways.anchor_node(
                state.query, state.ends, len(before), filter_to_add.values
            )
        assert ends is not None
        return state.with_next(
            self.say_next,
            complete=True,
            query=replace(state.query, nodes=(*before, node)),
            filtered=index,
            ends=ends,
        )

    def _say_relationship(self, state: CypherState) -> Iterator[MoveGroup]:
        """One more relationship: from the last node, or from one on the way to it."""
        last = len(state.query.nodes) - 1
        ways = self._ways.find_ways(state.ends[last].place)
        if ways:
            texts, key = self._get_way_texts(state.ends[last].place, ways)
            clause = state.query.last_clause
            yield MoveGroup(
                "relationship", texts, lambda i: self._add_edge(state, last, ways[i], clause), key
            )
        if not state.query.edges:
            return
        for word, clause, nodes in self._find_branches(state, last):
            if nodes:
                then = partial(self._say_branch_node, nodes, clause)
                yield MoveGroup.of_word("branch", f" {word}", partial(state.with_next, then))

    def _get_way_texts(
        self, place: PatternPlace, ways: Sequence[PatternWay]
    ) -> tuple[tuple[str, ...], object]:
        found = self._way_texts.get(place)
        if found is None:
            texts = tuple(map(self._write_way, ways))
            found = self._way_texts[place] = (texts, make_texts_key(texts))
        return found

    def _write_way(self, way: PatternWay) -> str:
        return f" {self._lexicon.wording.types[way.type]}{ARROWS[way.said_direction]}"

    def _find_branches(self, state: CypherState, last: int) -> Iterator[tuple[str, int, list[int]]]:
        """The nodes that a branch can be said from, in a clause of its own and in the same one."""
        clause = state.query.last_clause
        nodes = [
            node
            for node in _find_nodes_to(state, last)
            if self._ways.find_ways(state.ends[node].place)
        ]
        others = [node for node in nodes if node != last]
        fresh = [
            *others,
            *(node for node in nodes[len(others) :] if self._find_repeated_ways(state, node)),
        ]
        yield AND, clause + 1, fresh
        yield ANOTHER, clause, others

    def _find_repeated_ways(self, state: CypherState, last: int) -> list[PatternWay]:
        """The ways of the last node of a type that its clause has.

        Only for these it makes a difference that the pattern goes on in another clause.
        """
        edges = state.query.edges
        types = {edge.type for edge in edges if edge.clause == state.query.last_clause}
        return [way for way in self._ways.find_ways(state.ends[last].place) if way.type in types]

    def _say_branch_node(
        self, nodes: Sequence[int], clause: int, state: CypherState
    ) -> Iterator[MoveGroup]:
        texts = [f" {state.words[node]}" for node in nodes]
        yield MoveGroup.of(
            "node",
            texts,
            lambda i: state.with_next(partial(self._say_branch_relationship, nodes[i], clause)),
        )

    def _say_branch_relationship(
        self, node: int, clause: int, state: CypherState
    ) -> Iterator[MoveGroup]:
        """The ways of a node; branches in clauses of their own come sorted."""
        ways = list(self._ways.find_ways(state.ends[node].place))
        if node == len(state.query.nodes) - 1:
            ways = self._find_repeated_ways(state, node)
        elif clause > state.query.last_clause:
            ways = [way for way in ways if way.order >= _first_branch_way(state, node)]
        texts = [self._write_way(way) for way in ways]
        yield MoveGroup.of(
            "relationship", texts, lambda i: self._add_edge(state, node, ways[i], clause)
        )

    def _add_edge(
        self, state: CypherState, source: int, way: PatternWay, clause: int
    ) -> CypherState:
        """The state behind a relationship, whose node comes next."""
        edge = QueryEdge(source, len(state.query.nodes), way.type, way.direction, clause)
        query = replace(state.query, edges=(*state.query.edges, edge))
        steps = (*state.steps, way.order)
        return state.with_next(partial(self._say_node_label, way.ends), query=query, steps=steps)

    def _say_node_label(
        self, ends: Sequence[PatternEnd], state: CypherState
    ) -> Iterator[MoveGroup]:
        texts = [f" {self._lexicon.wording.labels[end.label]}" for end in ends]
        yield MoveGroup.of("label", texts, lambda i: self._add_node(state, ends[i]))

    def _add_node(self, state: CypherState, end: PatternEnd) -> CypherState:
        return state.with_next(
            self.say_next,
            complete=True,
            query=replace(state.query, nodes=(*state.query.nodes, QueryNode(end.label))),
            ends=(*state.ends, end),
            words=(*state.words, number_name(self._lexicon.wording.labels[end.label], state.words)),
            filtered=-1,
        )


def _find_nodes_to(state: CypherState, node: int) -> list[int]:
    """The nodes from the first to one, itself included."""
    found = [node]
    while node:
        node = state.query.edges[node - 1].source
        found.insert(0, node)
    return found


def _first_branch_way(state: CypherState, node: int) -> int:
    """The first way of a node that its next branch may take: that of its last branch."""
    steps = [
        step
        for edge, step in zip(state.query.edges, state.steps, strict=True)
        if edge.source == node
    ]
    return steps[-1] if len(steps) > 1 else 0


def number_name(word: str, taken_names: Sequence[str]) -> str:
    """A name for one more node: its label's word, numbered where that is taken."""
    names = (word, *(f"{word} {number}" for number in range(2, 2 + len(taken_names) + 1)))
    return next(name for name in names if name not in taken_names)
