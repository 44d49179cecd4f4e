"""The moves of scopes: parts of a pattern that are conditions, are optional, or rank nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from trellis.automata.cypher.grammar.accepting import accept_any
from trellis.automata.cypher.grammar.operands import OperandOwner, Operands
from trellis.automata.cypher.grammar.ways import PatternContinuations, PatternWay
from trellis.automata.cypher.meaning.items import AGGREGATE_FORMS, SHOW, ReturnItem, ReturnOrder
from trellis.automata.cypher.meaning.query import Operator, QueryGraph, QueryScope, ScopeKind
from trellis.automata.cypher.options import RenderingOptions
from trellis.automata.cypher.state import CypherState, MoveGroup, Then
from trellis.automata.cypher.words.bound_values import Lexicon
from trellis.automata.cypher.words.row_ranges import RowRange, list_sort_texts
from trellis.automata.cypher.words.wording import BY, KEEP, OPERATORS, SCOPE_WORDS

SayWays = Callable[[int, Sequence[PatternWay], CypherState], Iterator[MoveGroup]]
"""Says the relationship with which a scope begins, among the ways of a node."""


class Scopes:
    """Says scopes. `go_on` says what comes behind a scope that is closed."""

    def __init__(
        self,
        lexicon: Lexicon,
        ways: PatternContinuations,
        operands: Operands,
        options: RenderingOptions,
        say_ways: SayWays,
        go_on: Then,
    ) -> None:
        self._lexicon = lexicon
        self._ways = ways
        self._operands = operands
        self._say_ways = say_ways
        self._go_on = go_on
        texts = list_sort_texts(options)
        self._ranges = {f" {KEEP}{text}": rows for text, rows in texts.items() if rows.limit}

    def say_scope(self, state: CypherState, source: int) -> Iterator[MoveGroup]:
        """The words with which a scope at a node can begin."""
        query = state.query
        if query.nodes[source].scope or query.nodes[source].same is not None:
            return
        is_last = source == len(query.nodes) - 1
        if is_last and not query.find_rank():
            yield from self._say_rank(state, source)
        ways = self._ways.find_ways(self._ways.release_place(state.ends[source].place))
        if not ways:
            return
        kinds: tuple[ScopeKind, ...] = ("some", "none", "optional")
        kinds = (*kinds, "first") if is_last and not query.find_rank() else kinds
        scopes = [QueryScope(kind, node=source if kind == "first" else 0) for kind in kinds]
        yield MoveGroup.of(
            "scope",
            [f" {SCOPE_WORDS[kind]}" for kind in kinds],
            lambda i: self._begin_scope(state, source, ways, scopes[i]),
        )
        if self._lexicon.number_choices:
            compared = [f" {SCOPE_WORDS['number']} {operator}" for operator in OPERATORS]
            yield MoveGroup.of(
                "scope",
                compared,
                lambda i: state.with_next(partial(self._say_number, source, ways, OPERATORS[i])),
            )

    def say_keep(self, state: CypherState) -> Iterator[MoveGroup]:
        """The order in which the first nodes are taken of the scope that is open."""
        yield self._say_ranges(state, state.query)

    def _say_rank(self, state: CypherState, node: int) -> Iterator[MoveGroup]:
        """The order in which the first of all nodes are taken, without a pattern around them."""
        if self._operands.find_items(state, SHOW, OperandOwner(node), accept_any):
            scopes = (*state.query.scopes, QueryScope("first", node=node))
            yield self._say_ranges(state, replace(state.query, scopes=scopes))

    def _say_ranges(self, state: CypherState, query: QueryGraph) -> MoveGroup:
        """The words of an order; `query`: with the scope of which first nodes are taken."""
        texts, ranges = list(self._ranges), list(self._ranges.values())
        return MoveGroup.of(
            "order",
            texts,
            lambda i: state.with_next(partial(self._say_rank_key, ranges[i]), query=query),
        )

    def _say_rank_key(self, rows: RowRange, state: CypherState) -> Iterator[MoveGroup]:
        """What nodes are ordered by: a property of theirs, or an aggregate of the scope."""
        use = partial(self._close_rank, rows)
        query = state.query
        owner = OperandOwner(query.scopes[-1].node)
        yield from self._operands.say_property(SHOW, owner, use, accept_any, state)
        if any(edge.scope == query.open_rank for edge in query.edges):
            then = partial(self._say_rank_aggregate, use)
            yield MoveGroup.of_word("aggregate", f" {BY}", partial(state.with_next, then))

    def _say_rank_aggregate(
        self, use: Callable[[CypherState, ReturnItem], CypherState], state: CypherState
    ) -> Iterator[MoveGroup]:
        yield self._operands.say_form(state, AGGREGATE_FORMS, use, accept_any)

    def _close_rank(self, rows: RowRange, state: CypherState, item: ReturnItem) -> CypherState:
        """The state behind the order of a scope."""
        order = ReturnOrder(item, rows.descending)
        *scopes, opened = state.query.scopes
        closed = replace(opened, order=order, limit=rows.limit, skip=rows.skip)
        query = replace(state.query, scopes=(*scopes, closed))
        return state.with_next(self._go_on, complete=bool(query.items), query=query)

    def _say_number(
        self, source: int, ways: Sequence[PatternWay], operator: Operator, state: CypherState
    ) -> Iterator[MoveGroup]:
        """The numbers that the number of matches can be compared with."""
        choices = self._lexicon.number_choices

        def follow(chosen: int) -> CypherState:
            scope = QueryScope("number", operator, choices[chosen][1])
            return self._begin_scope(state, source, ways, scope)

        yield MoveGroup.of("value", [f" {name}" for name, _ in choices], follow)

    def _begin_scope(
        self, state: CypherState, source: int, ways: Sequence[PatternWay], scope: QueryScope
    ) -> CypherState:
        query = replace(state.query, scopes=(*state.query.scopes, scope))
        return state.with_next(partial(self._say_ways, source, ways), query=query)
