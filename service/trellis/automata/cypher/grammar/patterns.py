"""The moves that say a pattern: nodes, filters, relationships, branches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

from trellis.automata.cypher.grammar.branches import Branches
from trellis.automata.cypher.grammar.filters import Filters
from trellis.automata.cypher.grammar.grounding import GroundedWays
from trellis.automata.cypher.grammar.known_nodes import find_comparable_nodes, find_same_nodes
from trellis.automata.cypher.grammar.operands import Operands
from trellis.automata.cypher.grammar.scopes import Scopes
from trellis.automata.cypher.grammar.ways import PatternContinuations, PatternEnd, PatternWay
from trellis.automata.cypher.meaning.query import QueryEdge, QueryFilter, QueryGraph, QueryNode
from trellis.automata.cypher.options import RenderingOptions
from trellis.automata.cypher.state import CypherState, MoveGroup, Then
from trellis.automata.cypher.words.bound_values import Lexicon
from trellis.automata.cypher.words.filter_kinds import FilterKind
from trellis.automata.cypher.words.offered_filters import NumberedFilter, OfferedFilters
from trellis.automata.cypher.words.wording import BESIDES, SAME, WHERE, number_name


class Patterns:
    """Says patterns as they grow. `finish` says what comes behind a whole pattern."""

    def __init__(
        self,
        lexicon: Lexicon,
        ways: PatternContinuations,
        options: RenderingOptions,
        operands: Operands,
        finish: Then,
    ) -> None:
        self._lexicon = lexicon
        self._ways = ways
        self._most_nodes = options.nodes
        self._finish = finish
        self._filters = Filters(lexicon)
        self._scopes = Scopes(lexicon, ways, operands, options, self._say_scope_ways, self._go_on)
        self._is_grounded = isinstance(ways, GroundedWays)
        self._branches = Branches(lexicon, ways)

    def begin_pattern(self, state: CypherState, end: PatternEnd, then: Then) -> CypherState:
        """The state behind the first node."""
        word = self._lexicon.wording.labels[end.label]
        query = replace(state.query, nodes=(QueryNode(end.label),))
        return state.with_next(then, query=query, ends=(end,), words=(word,))

    def say_next(self, state: CypherState) -> Iterator[MoveGroup]:
        """All that can come behind a node: its filters, and how the pattern goes on."""
        if state.query.nodes[-1].same is None:
            yield self._say_node_filter(state)
        yield from self._go_on(state)

    def _go_on(self, state: CypherState) -> Iterator[MoveGroup]:
        """All that can come behind the filters of the last node."""
        query = state.query
        has_room = len(query.nodes) < self._most_nodes
        if has_room:
            yield from self._say_relationship(state)
        if query.open_rank:
            yield from self._scopes.say_keep(state)
            return
        if has_room and self._lexicon.is_wide:
            yield from self._scopes.say_scope(state, len(query.nodes) - 1)
            yield MoveGroup.of_word("part", f" {BESIDES}", partial(state.with_next, self._say_part))
        yield from self._finish(state)

    def _say_scope_ways(
        self, source: int, ways: Sequence[PatternWay], state: CypherState
    ) -> Iterator[MoveGroup]:
        """The relationships with which a scope can begin."""
        scope = len(state.query.scopes)
        yield MoveGroup.of(
            "relationship",
            [self._branches.write_way(way) for way in ways],
            lambda i: self._add_edge(state, source, ways[i], 0, scope),
        )

    def _say_node_filter(self, state: CypherState) -> MoveGroup:
        """The filters of the last node that come behind those that it has."""
        visible = find_comparable_nodes(state.query, len(state.query.nodes) - 1)
        offered = self._lexicon.get_offers(state.ends[-1].labels).find(
            state.ends[-1].labels,
            state.filtered,
            tuple(state.ends[node].labels for node in visible),
        )
        if self._is_grounded:
            offered = self._keep_grounded_filters(state, offered)
        return self._filters.say_filter(state, offered, self._add_filter, visible)

    def _keep_grounded_filters(self, state: CypherState, offered: OfferedFilters) -> OfferedFilters:
        """The filters with the values that a node at the place of the last one can have."""
        node = len(state.query.nodes) - 1
        kept = [
            (index, self._keep_grounded_values(state, node, kind))
            for index, kind in offered.filters
        ]
        if tuple(kept) == offered.filters:
            return offered
        left = [each for each in kept if each[1].values or not each[1].needs_value()]
        return OfferedFilters.of(left, self._lexicon.wording)

    def _keep_grounded_values(self, state: CypherState, node: int, kind: FilterKind) -> FilterKind:
        if kind.operator != "=" or not kind.values or kind.part or state.query.nodes[node].scope:
            return kind
        anchored = partial(self._ways.anchor_node, state.query, state.ends, node)
        kept = (
            (name, tuple(v for v in of if anchored((v,)) is not None)) for name, of in kind.values
        )
        return replace(kind, values=tuple(each for each in kept if each[1]))

    def _add_filter(
        self, state: CypherState, index: int, filter_to_add: QueryFilter
    ) -> CypherState:
        """The state behind a filter of the last node, whose kind has an index."""
        *before, last = state.query.nodes
        node = replace(last, filters=(*last.filters, filter_to_add))
        ends: tuple[PatternEnd, ...] | None = state.ends
        names_value = filter_to_add.operator == "=" and not filter_to_add.part
        if names_value and filter_to_add.values and not state.query.nodes[len(before)].scope:
            values = tuple(chain.from_iterable(filter_to_add.list_choices()))
            ends = self._ways.anchor_node(state.query, state.ends, len(before), values)
        assert ends is not None
        return state.with_next(
            self.say_next,
            complete=_can_end(state.query),
            query=replace(state.query, nodes=(*before, node)),
            filtered=index,
            ends=ends,
        )

    def _say_part(self, state: CypherState) -> Iterator[MoveGroup]:
        """The first nodes of a part that no relationship joins to the rest."""
        ends = self._ways.find_starts()
        texts = [f" {self._lexicon.wording.labels[end.label]}" for end in ends]

        def follow(chosen: int) -> CypherState:
            query = state.query
            edge = QueryEdge(0, len(query.nodes), "", "any", query.last_clause + 1)
            joined = replace(query, edges=(*query.edges, edge))
            place = self._ways.join_place(ends[chosen].place, state.ends[0].place)
            end = replace(ends[chosen], place=place)
            return self._add_node(replace(state, query=joined, steps=(*state.steps, 0)), end)

        yield MoveGroup.of("label", texts, follow)

    def _say_relationship(self, state: CypherState) -> Iterator[MoveGroup]:
        """The relationships of the last node, and the words before branches."""
        last = len(state.query.nodes) - 1
        scope = state.query.nodes[last].scope
        ways = self._branches.find_ways(state, last)
        if ways:
            clause = state.query.find_last_clause(scope)
            yield MoveGroup.of_keyed(
                "relationship",
                self._branches.write_ways(state.ends[last].place, ways),
                lambda i: self._add_edge(state, last, ways[i], clause, scope),
            )
        if not state.query.edges:
            return
        for word, is_apart, nodes in self._branches.find_branches(state):
            if nodes:
                then = partial(self._say_branch_node, nodes, is_apart)
                yield MoveGroup.of_word("branch", f" {word}", partial(state.with_next, then))

    def _say_branch_node(
        self, nodes: Sequence[int], is_apart: bool, state: CypherState
    ) -> Iterator[MoveGroup]:
        texts = [f" {state.words[node]}" for node in nodes]
        yield MoveGroup.of(
            "node",
            texts,
            lambda i: state.with_next(partial(self._say_branch_way, nodes[i], is_apart)),
        )

    def _say_branch_way(self, node: int, is_apart: bool, state: CypherState) -> Iterator[MoveGroup]:
        """The relationships that a branch of a node can begin with, and the scopes."""
        scope = state.query.open_rank or state.query.nodes[node].scope
        ways = self._branches.find_branch_ways(state, node, is_apart)
        clause = state.query.find_last_clause(scope) + is_apart
        texts = [self._branches.write_way(way) for way in ways]
        yield MoveGroup.of(
            "relationship", texts, lambda i: self._add_edge(state, node, ways[i], clause, scope)
        )
        can_restrict = self._lexicon.is_wide and is_apart and not state.query.open_rank
        if can_restrict and node != len(state.query.nodes) - 1:
            yield from self._scopes.say_scope(state, node)

    def _add_edge(
        self, state: CypherState, source: int, way: PatternWay, clause: int, scope: int
    ) -> CypherState:
        """The state behind a relationship, whose node comes next."""
        edge = QueryEdge(
            source, len(state.query.nodes), way.type, way.direction, clause, scope=scope
        )
        query = replace(state.query, edges=(*state.query.edges, edge))
        steps = (*state.steps, way.order)
        return state.with_next(partial(self._say_node_label, way, -1), query=query, steps=steps)

    def _say_node_label(
        self, way: PatternWay, filtered: int, state: CypherState
    ) -> Iterator[MoveGroup]:
        """The nodes that a relationship can lead to, or filters of the relationship before them.

        `filtered`: the index of the relationship's last filter, or -1.
        """
        texts = [f" {self._lexicon.wording.labels[end.label]}" for end in way.ends]
        yield MoveGroup.of("label", texts, lambda i: self._add_node(state, way.ends[i]))
        if not self._lexicon.is_wide:
            return
        if nodes := find_same_nodes(state.query, way):
            then = partial(self._say_same_node, nodes)
            yield MoveGroup.of_word("same", f" {SAME}", partial(state.with_next, then))
        kinds = list(enumerate(self._lexicon.list_edge_filters(way.type)))[filtered + 1 :]
        if kinds:
            then = partial(self._say_edge_filter, way, kinds)
            yield MoveGroup.of_word("where", f" {WHERE}", partial(state.with_next, then))

    def _say_edge_filter(
        self, way: PatternWay, kinds: Sequence[NumberedFilter], state: CypherState
    ) -> Iterator[MoveGroup]:
        def add(before: CypherState, index: int, each: QueryFilter) -> CypherState:
            *edges, last = before.query.edges
            edge = replace(last, filters=(*last.filters, each))
            query = replace(before.query, edges=(*edges, edge))
            return before.with_next(partial(self._say_node_label, way, index), query=query)

        yield self._filters.say_filter(state, OfferedFilters.of(kinds, self._lexicon.wording), add)

    def _say_same_node(self, nodes: Sequence[int], state: CypherState) -> Iterator[MoveGroup]:
        texts = [f" {state.words[node]}" for node in nodes]

        def follow(chosen: int) -> CypherState:
            node = nodes[chosen]
            alias = QueryNode(same=node, scope=state.query.edges[-1].scope)
            return self._append_node(state, alias, state.ends[node])

        yield MoveGroup.of("node", texts, follow)

    def _add_node(self, state: CypherState, end: PatternEnd) -> CypherState:
        node = QueryNode(end.label, scope=state.query.edges[-1].scope)
        return self._append_node(state, node, end)

    def _append_node(self, state: CypherState, node: QueryNode, end: PatternEnd) -> CypherState:
        word = self._lexicon.wording.labels[end.label]
        return state.with_next(
            self.say_next,
            complete=_can_end(state.query),
            query=replace(state.query, nodes=(*state.query.nodes, node)),
            ends=(*state.ends, end),
            words=(*state.words, number_name(word, state.words)),
            filtered=-1,
        )


def _can_end(query: QueryGraph) -> bool:
    """Whether a sentence can end behind a pattern: something is returned, no scope is open."""
    return bool(query.items) and not query.open_rank
