"""The moves of WHERE: conditions on nodes and relationships, each at most once, in any order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

from trellis.automata.cypher.clauses.heads import (
    ConditionEntry,
    ConditionHead,
    ConditionHeads,
    ConditionOwner,
    is_used,
)
from trellis.automata.cypher.clauses.texts import name_edges, write_property
from trellis.automata.cypher.grammar.grounding import GroundedWays
from trellis.automata.cypher.grammar.known_nodes import find_comparable_nodes
from trellis.automata.cypher.grammar.ways import PatternContinuations, PatternEnd
from trellis.automata.cypher.meaning.query import (
    ORDERED_OPERATORS,
    PropertyReference,
    QueryFilter,
    QueryGraph,
)
from trellis.automata.cypher.state import CypherState, MoveGroup, Then
from trellis.automata.cypher.words.bound_values import Lexicon
from trellis.automata.cypher.words.filter_kinds import TEXT_OPERATORS, FilterKind
from trellis.automata.cypher.words.references import may_be_same

AfterCondition = Callable[[int, str], Then]
"""Gives what comes behind a condition of a scope, and behind the text that closes it."""


@dataclass(frozen=True, slots=True)
class _Begun:
    """A condition that is begun: its scope, its head, and the state before it."""

    scope: int
    head: ConditionHead
    before: CypherState


class Conditions:
    """Says conditions. `say_after` says what comes behind one."""

    def __init__(
        self, lexicon: Lexicon, ways: PatternContinuations, say_after: AfterCondition
    ) -> None:
        self._lexicon = lexicon
        self._ways = ways
        self._say_after = say_after
        self._heads = ConditionHeads(lexicon)
        self._is_grounded = isinstance(ways, GroundedWays)

    def has_condition(self, scope: int, state: CypherState) -> bool:
        """Whether one more condition can be said of the nodes and relationships of a scope."""
        return next(self._iterate_heads(scope, state), None) is not None

    def say_condition(self, scope: int, state: CypherState) -> Iterator[MoveGroup]:
        """What a condition can begin with."""
        heads = list(self._iterate_heads(scope, state))

        def follow(chosen: int) -> CypherState:
            begun = _Begun(scope, heads[chosen], state)
            return self._follow_head(begun)

        yield MoveGroup.of("filter", [head.text for head in heads], follow)

    def _iterate_heads(self, scope: int, state: CypherState) -> Iterator[ConditionHead]:
        """The heads with which conditions begin that are not said yet."""
        for owner, key in self._iterate_owners(scope, state):
            filters = _get_filters(state.query, owner)
            for head in self._heads.list_heads(owner, key):
                entries = tuple(
                    each
                    for entry in head.entries
                    if not is_used(entry.kind, filters)
                    and (each := self._keep_possible(state, owner, entry))
                )
                if entries:
                    yield (
                        head
                        if len(entries) == len(head.entries)
                        else replace(head, entries=entries)
                    )

    def _iterate_owners(
        self, scope: int, state: CypherState
    ) -> Iterator[tuple[ConditionOwner, str | tuple[str, ...]]]:
        query = state.query
        rank = query.find_rank()
        ranked = query.scopes[rank - 1].node if rank else -1
        names = name_edges(query, self._lexicon)
        first = _find_first_edge(query, scope)
        for index, node in enumerate(query.nodes):
            if node.scope == scope and node.same is None and index != ranked and index > first:
                yield ConditionOwner(index, False, state.words[index]), state.ends[index].labels
        for index, edge in enumerate(query.edges):
            if edge.scope == scope and names[index] and index >= first:
                yield ConditionOwner(index, True, names[index]), edge.type

    def _keep_possible(
        self, state: CypherState, owner: ConditionOwner, entry: ConditionEntry
    ) -> ConditionEntry | None:
        """The condition with the values that are possible; None where it can compare nothing."""
        kind = entry.kind
        if kind.has_reference:
            return entry if self._find_references(state, owner, kind) else None
        if not self._is_grounded or owner.is_edge or not kind.values or kind.part:
            return entry
        if kind.operator != "=" or state.query.nodes[owner.index].scope:
            return entry
        anchored = partial(self._ways.anchor_node, state.query, state.ends, owner.index)
        kept = (
            (name, tuple(v for v in of if anchored((v,)) is not None)) for name, of in kind.values
        )
        values = tuple(each for each in kept if each[1])
        if len(values) < (2 if entry.has_several else 1):
            return None
        return replace(entry, kind=replace(kind, values=values))

    def _follow_head(self, begun: _Begun) -> CypherState:
        """The state behind a head."""
        entries = begun.head.entries
        if entries[0].first >= 0:
            entry = entries[0]
            return self._offer_more(begun, entry, entry.first, None)
        return begun.before.with_next(partial(self._say_operator, begun))

    def _say_operator(self, begun: _Begun, state: CypherState) -> Iterator[MoveGroup]:
        grouped: dict[str, list[ConditionEntry]] = {}
        for entry in begun.head.entries:
            grouped.setdefault(_write_operator(entry), []).append(entry)
        listed = list(grouped.values())

        def follow(chosen: int) -> CypherState:
            entries = listed[chosen]
            if not (entries[0].kind.has_reference or entries[0].kind.needs_value()):
                return self._add_filter(begun, _make_filter(entries[0].kind), "")
            if entries[0].has_several:
                return state.with_next(partial(self._say_first_of_several, begun, entries[0]))
            return state.with_next(partial(self._say_operand, begun, entries))

        yield MoveGroup.of("operator", list(grouped), follow)

    def _say_operand(
        self, begun: _Begun, entries: Sequence[ConditionEntry], _: CypherState
    ) -> Iterator[MoveGroup]:
        """The values and the properties that a condition can compare with."""
        for entry in entries:
            if entry.kind.has_reference:
                yield self._say_reference(begun, entry)
            else:
                texts = [
                    f" {self._write_choice(entry, at)}" for at in range(len(entry.kind.values))
                ]
                yield MoveGroup.of("value", texts, partial(self._follow_value, begun, entry))

    def _follow_value(self, begun: _Begun, entry: ConditionEntry, at: int) -> CypherState:
        each = _make_filter(entry.kind, entry.kind.values[at][1])
        return self._add_filter(begun, each, "")

    def _say_reference(self, begun: _Begun, entry: ConditionEntry) -> MoveGroup:
        state = begun.before
        references = self._find_references(state, begun.head.owner, entry.kind)
        texts = [
            f" {write_property(state.words[each.node], each.property, each.part)}"
            for each in references
        ]

        def follow(chosen: int) -> CypherState:
            each = replace(_make_filter(entry.kind), reference=references[chosen])
            return self._add_filter(begun, each, "")

        return MoveGroup.of("property", texts, follow)

    def _say_first_of_several(
        self, begun: _Begun, entry: ConditionEntry, _: CypherState
    ) -> Iterator[MoveGroup]:
        lead = " " if entry.kind.operator in TEXT_OPERATORS else " ["
        values = range(len(entry.kind.values) - 1)
        texts = [lead + self._write_choice(entry, at) for at in values]
        yield MoveGroup.of("value", texts, lambda i: self._offer_more(begun, entry, i, None))

    def _offer_more(
        self, begun: _Begun, entry: ConditionEntry, at: int, said: QueryFilter | None
    ) -> CypherState:
        """The state behind one of the values of a condition, which may be its last one."""
        values = entry.kind.values[at][1]
        each = _make_filter(entry.kind, values)
        if said is not None:
            each = replace(said, alternatives=(*said.alternatives, values))
        elif not entry.has_several:
            return self._add_filter(begun, each, "")
        if said is None:
            return begun.before.with_next(partial(self._say_one_more, begun, entry, at, each))
        closing = "]" if entry.kind.operator in ("=", "<>") else ")"
        behind = self._add_filter(begun, each, closing)

        def say(state: CypherState) -> Iterator[MoveGroup]:
            yield from self._say_one_more(begun, entry, at, each, state)
            yield from behind.then(state)

        return behind.with_next(say) if at + 1 < len(entry.kind.values) else behind

    def _say_one_more(
        self, begun: _Begun, entry: ConditionEntry, last: int, said: QueryFilter, _: CypherState
    ) -> Iterator[MoveGroup]:
        """One more value behind the last one."""
        places = range(last + 1, len(entry.kind.values))
        texts = [self._write_one_more(begun.head.owner, entry, at) for at in places]
        yield MoveGroup.of(
            "value", texts, lambda i: self._offer_more(begun, entry, places[i], said)
        )

    def _write_one_more(self, owner: ConditionOwner, entry: ConditionEntry, at: int) -> str:
        kind, value = entry.kind, self._write_choice(entry, at)
        of = write_property(owner.variable, kind.property, kind.part)
        if kind.operator == "HAS":
            return f" OR {value} IN {of}"
        return (
            f" OR {of} {kind.operator} {value}" if kind.operator in TEXT_OPERATORS else f", {value}"
        )

    def _write_choice(self, entry: ConditionEntry, at: int) -> str:
        return self._heads.write_choice(entry.kind, at)

    def _add_filter(self, begun: _Begun, each: QueryFilter, closing: str) -> CypherState:
        """The state behind a condition."""
        state, owner = begun.before, begun.head.owner
        ends: tuple[PatternEnd, ...] | None = state.ends
        is_anchor = each.operator == "=" and not each.part and not owner.is_edge and each.values
        if is_anchor and not begun.scope:
            values = tuple(chain.from_iterable(each.list_choices()))
            ends = self._ways.anchor_node(state.query, state.ends, owner.index, values)
        assert ends is not None
        query = self._place_filter(state, owner, each)
        return state.with_next(self._say_after(begun.scope, closing), query=query, ends=ends)

    def _place_filter(
        self, state: CypherState, owner: ConditionOwner, each: QueryFilter
    ) -> QueryGraph:
        """The query with one more filter; those of an owner stand in the order of their kinds."""
        query = state.query
        key = query.edges[owner.index].type if owner.is_edge else state.ends[owner.index].labels
        kinds = self._heads.list_kinds(key)
        filters = (*_get_filters(query, owner), each)
        ordered = tuple(kept for kind in kinds for kept in filters if is_used(kind, (kept,)))
        if owner.is_edge:
            edges = list(query.edges)
            edges[owner.index] = replace(edges[owner.index], filters=ordered)
            return replace(query, edges=tuple(edges))
        nodes = list(query.nodes)
        nodes[owner.index] = replace(nodes[owner.index], filters=ordered)
        return replace(query, nodes=tuple(nodes))

    def _find_references(
        self, state: CypherState, owner: ConditionOwner, kind: FilterKind
    ) -> list[PropertyReference]:
        """What a property of a node can be compared with: properties of it and of earlier nodes."""
        nodes = find_comparable_nodes(state.query, owner.index)
        own = state.ends[owner.index].labels
        if not kind.property:
            return [
                PropertyReference(node, "")
                for node in nodes
                if node != owner.index and may_be_same(state.ends[node].labels, own)
            ]
        is_ordered = kind.operator in ORDERED_OPERATORS
        find = partial(self._lexicon.comparable.find, own, kind.property, is_ordered=is_ordered)
        return [
            PropertyReference(node, name)
            for node in nodes
            for name in find(state.ends[node].labels, is_same_node=node == owner.index)
        ]


def _find_first_edge(query: QueryGraph, scope: int) -> int:
    """The first relationship that the conditions of a scope can be on, or -1 for all.

    Those of an optional scope belong to its last clause.
    """
    if not scope or query.scopes[scope - 1].kind != "optional":
        return -1
    edges = [i for i, edge in enumerate(query.edges) if edge.scope == scope]
    return next(i for i in edges if query.edges[i].clause == query.edges[edges[-1]].clause)


def _get_filters(query: QueryGraph, owner: ConditionOwner) -> tuple[QueryFilter, ...]:
    of = query.edges[owner.index] if owner.is_edge else query.nodes[owner.index]
    return of.filters


def _write_operator(entry: ConditionEntry) -> str:
    if entry.has_several and entry.kind.operator in ("=", "<>"):
        return " IN"
    return f" {entry.kind.operator}"


def _make_filter(kind: FilterKind, values: tuple[int, ...] = ()) -> QueryFilter:
    return QueryFilter(
        kind.property, kind.operator, values, is_negated=kind.is_negated, part=kind.part
    )
