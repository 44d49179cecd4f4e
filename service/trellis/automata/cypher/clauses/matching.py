"""The moves of MATCH: nodes with their labels, relationships, branches, separate parts."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from trellis.automata.cypher.clauses.texts import name_edges, name_variable, write_name, write_node
from trellis.automata.cypher.grammar.branches import Branches
from trellis.automata.cypher.grammar.known_nodes import find_same_nodes
from trellis.automata.cypher.grammar.ways import PatternContinuations, PatternEnd, PatternWay
from trellis.automata.cypher.meaning.query import Direction, QueryEdge, QueryGraph, QueryNode
from trellis.automata.cypher.options import RenderingOptions
from trellis.automata.cypher.state import CypherState, MoveGroup, Then
from trellis.automata.cypher.words.bound_values import Lexicon
from trellis.automata.cypher.words.keyed_texts import KeyedTexts

EndPattern = Callable[[int, str], Then]
"""Gives what comes behind the pattern of a scope (0: the pattern itself) and the closing text."""

NODE_CLOSING = ")"

_SIDES: dict[Direction, tuple[str, str]] = {
    "any": ("-", "-"),
    "out": ("-", "->"),
    "in": ("<-", "-"),
}


def write_edge(direction: Direction, name: str, type: str) -> str:
    """A relationship, with the bracket that closes its first node and that which opens the next."""
    left, right = _SIDES[direction]
    return f"){left}[{name}:{write_name(type)}]{right}("


@dataclass(frozen=True, slots=True)
class _EdgePlace:
    """The node that a relationship goes on from, and the clause and the scope that has it."""

    source: int
    clause: int
    scope: int


class Matching:
    """Says patterns as they grow. `end_pattern` says what comes behind them."""

    def __init__(
        self,
        lexicon: Lexicon,
        ways: PatternContinuations,
        options: RenderingOptions,
        end_pattern: EndPattern,
    ) -> None:
        self._lexicon = lexicon
        self._ways = ways
        self._most_nodes = options.nodes
        self._end_pattern = end_pattern
        self._branches = Branches(lexicon, ways)
        self._texts_by_place: dict[Hashable, KeyedTexts] = {}

    def say_first_node(self, ends: Sequence[PatternEnd], state: CypherState) -> Iterator[MoveGroup]:
        """The nodes that the pattern can begin with."""
        texts = [f" MATCH ({write_node(name_variable(end.label, ()), end.label)}" for end in ends]
        yield MoveGroup.of("label", texts, lambda i: self._add_node(state, ends[i], 0))

    def say_next(self, state: CypherState) -> Iterator[MoveGroup]:
        """What comes behind the last node: the pattern goes on, or its clause ends."""
        scope = state.query.nodes[-1].scope
        last = len(state.query.nodes) - 1
        if self._has_room(state.query):
            place = _EdgePlace(last, state.query.find_last_clause(scope), scope)
            ways = self._branches.find_ways(state, last)
            yield from self._say_ways(place, ways, state, key=state.ends[last].place)
            yield from self._say_branches(scope, state)
            if not self._is_optional(scope, state.query):
                yield from self.say_apart(scope, NODE_CLOSING, state)
            if not scope:
                yield from self._say_part(NODE_CLOSING, state)
        yield from self._end_pattern(scope, NODE_CLOSING)(state)

    def say_more_clauses(self, node: int, state: CypherState) -> Iterator[MoveGroup]:
        """A clause that goes on from a node that is known, or a separate part."""
        if not self._has_room(state.query):
            return
        if ways := self._branches.find_ways(state, node):
            then = partial(self._say_ways, _EdgePlace(node, 0, 0), ways)
            text = f" MATCH ({state.words[node]}"
            yield MoveGroup.of_word("branch", text, partial(state.with_next, then))
        yield from self._say_part("", state)

    def find_scope_sources(self, state: CypherState) -> list[int]:
        """The nodes of the pattern itself at which a scope can begin."""
        nodes = range(len(state.query.nodes) if self._has_room(state.query) else 0)
        return [node for node in nodes if self._find_scope_ways(state, node)]

    def say_scope_ways(self, source: int, state: CypherState) -> Iterator[MoveGroup]:
        """The relationships with which the last scope can begin at a node."""
        place = _EdgePlace(source, 0, len(state.query.scopes))
        yield from self._say_ways(place, self._find_scope_ways(state, source), state)

    def _find_scope_ways(self, state: CypherState, source: int) -> tuple[PatternWay, ...]:
        """The ways of a scope at a node; what anchors reach does not restrict them."""
        node = state.query.nodes[source]
        if node.scope or node.same is not None:
            return ()
        return self._ways.find_ways(self._ways.release_place(state.ends[source].place))

    def _has_room(self, query: QueryGraph) -> bool:
        return len(query.nodes) < self._most_nodes

    def _say_part(self, closing: str, state: CypherState) -> Iterator[MoveGroup]:
        """The first nodes of a part that no relationship joins to the rest."""
        if not self._lexicon.is_wide:
            return
        ends = self._ways.find_starts()
        begun = f"{closing} MATCH ("
        texts = [begun + self._write_new_node(state, end) for end in ends]

        def follow(chosen: int) -> CypherState:
            query = state.query
            edge = QueryEdge(0, len(query.nodes), "", "any", query.last_clause + 1)
            joined = replace(query, edges=(*query.edges, edge))
            place = self._ways.join_place(ends[chosen].place, state.ends[0].place)
            before = replace(state, query=joined, steps=(*state.steps, 0))
            return self._add_node(before, replace(ends[chosen], place=place), 0)

        yield MoveGroup.of("part", texts, follow)

    def say_apart(self, scope: int, closing: str, state: CypherState) -> Iterator[MoveGroup]:
        """The nodes that the pattern of a scope can go on from in one more clause."""
        optional = " OPTIONAL" if self._is_optional(scope, state.query) else ""
        yield from self._say_branches(scope, state, f"{closing}{optional} MATCH", is_apart=True)

    def _say_branches(
        self, scope: int, state: CypherState, word: str = f"{NODE_CLOSING},", is_apart: bool = False
    ) -> Iterator[MoveGroup]:
        """The nodes that the pattern of a scope can go on from, behind a word."""
        if not self._has_room(state.query):
            return
        if not any(edge.scope == scope for edge in state.query.edges):
            return
        branches = {apart: nodes for _, apart, nodes in self._branches.find_branches(state)}
        nodes = [node for node in branches[is_apart] if state.query.nodes[node].scope == scope]
        then = partial(self._say_branch_ways, scope, is_apart)
        yield MoveGroup.of(
            "branch",
            [f"{word} ({state.words[node]}" for node in nodes],
            partial(_follow_node, state, nodes, then),
        )

    def _is_optional(self, scope: int, query: QueryGraph) -> bool:
        return bool(scope) and query.scopes[scope - 1].kind == "optional"

    def _say_branch_ways(
        self, scope: int, is_apart: bool, node: int, state: CypherState
    ) -> Iterator[MoveGroup]:
        clause = state.query.find_last_clause(scope) + is_apart
        ways = self._branches.find_branch_ways(state, node, is_apart)
        yield from self._say_ways(_EdgePlace(node, clause, scope), ways, state)

    def _say_ways(
        self,
        place: _EdgePlace,
        ways: Sequence[PatternWay],
        state: CypherState,
        key: Hashable = None,
    ) -> Iterator[MoveGroup]:
        """The relationships of a node. `key`: its place in the schema, if these are all of it."""
        if not ways:
            return
        follow = partial(self._add_edge, state, place, ways)
        if key is None:
            texts = KeyedTexts.of(self._write_ways(state.query, ways))
        else:
            known = (key, len(list(filter(None, name_edges(state.query, self._lexicon)))))
            found = self._texts_by_place.get(known)
            texts = found or KeyedTexts.of(self._write_ways(state.query, ways))
            self._texts_by_place[known] = texts
        yield MoveGroup.of_keyed("relationship", texts, follow)

    def _write_ways(self, query: QueryGraph, ways: Sequence[PatternWay]) -> Iterator[str]:
        for way in ways:
            edge = QueryEdge(0, 0, way.type, way.direction)
            name = name_edges(replace(query, edges=(*query.edges, edge)), self._lexicon)[-1]
            yield write_edge(way.direction, name, way.type)

    def _add_edge(
        self, state: CypherState, place: _EdgePlace, ways: Sequence[PatternWay], chosen: int
    ) -> CypherState:
        """The state behind a relationship, whose node comes next."""
        way = ways[chosen]
        target = len(state.query.nodes)
        edge = QueryEdge(
            place.source, target, way.type, way.direction, place.clause, scope=place.scope
        )
        query = replace(state.query, edges=(*state.query.edges, edge))
        steps = (*state.steps, way.order)
        return state.with_next(partial(self._say_node, way), query=query, steps=steps)

    def _say_node(self, way: PatternWay, state: CypherState) -> Iterator[MoveGroup]:
        """The nodes that a relationship can lead to: a new one, or one that is there already."""
        scope = state.query.edges[-1].scope
        texts = [self._write_new_node(state, end) for end in way.ends]
        yield MoveGroup.of("label", texts, lambda i: self._add_node(state, way.ends[i], scope))
        if self._lexicon.is_wide:
            nodes = find_same_nodes(state.query, way)
            names = [state.words[node] for node in nodes]
            yield MoveGroup.of("same", names, lambda i: self._add_same_node(state, nodes[i], scope))

    def _write_new_node(self, state: CypherState, end: PatternEnd) -> str:
        return write_node(name_variable(end.label, state.words), end.label)

    def _add_node(self, state: CypherState, end: PatternEnd, scope: int) -> CypherState:
        node = QueryNode(end.label, scope=scope)
        return self._append_node(state, node, end, name_variable(end.label, state.words))

    def _add_same_node(self, state: CypherState, node: int, scope: int) -> CypherState:
        alias = QueryNode(same=node, scope=scope)
        return self._append_node(state, alias, state.ends[node], state.words[node])

    def _append_node(
        self, state: CypherState, node: QueryNode, end: PatternEnd, name: str
    ) -> CypherState:
        return state.with_next(
            self.say_next,
            query=replace(state.query, nodes=(*state.query.nodes, node)),
            ends=(*state.ends, end),
            words=(*state.words, name),
        )


def _follow_node(
    state: CypherState, nodes: Sequence[int], then: Callable[..., Iterator[MoveGroup]], chosen: int
) -> CypherState:
    """The state behind a node that the pattern goes on from."""
    return state.with_next(partial(then, nodes[chosen]))
