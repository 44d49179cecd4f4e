"""The moves that say filters: a property, how it is compared, and with what."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from trellis.automata.cypher.meaning.query import ORDERED_OPERATORS, PropertyReference, QueryFilter
from trellis.automata.cypher.state import CypherState, MoveGroup, Then
from trellis.automata.cypher.words.bound_values import Lexicon
from trellis.automata.cypher.words.filter_kinds import FilterKind
from trellis.automata.cypher.words.offered_filters import OfferedFilters
from trellis.automata.cypher.words.references import may_be_same
from trellis.automata.cypher.words.wording import OR

AddFilter = Callable[[CypherState, int, QueryFilter], CypherState]
"""Makes the state behind a filter, from the state before it, the index of its kind, and itself."""


@dataclass(frozen=True, slots=True)
class _FilterPlace:
    """A filter that is begun: its kind with its index, the state before it, and how it is added.

    `visible_nodes`: the nodes whose properties it can be compared with.
    """

    index: int
    kind: FilterKind
    before: CypherState
    add: AddFilter
    visible_nodes: Sequence[int]


class Filters:
    """Says filters of nodes and of relationships."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon

    def say_filter(
        self,
        state: CypherState,
        offered: OfferedFilters,
        add: AddFilter,
        visible_nodes: Sequence[int] = (),
    ) -> MoveGroup:
        """The filters that are offered."""

        def follow(chosen: int) -> CypherState:
            index, kind = offered.filters[chosen]
            return self._begin(_FilterPlace(index, kind, state, add, visible_nodes))

        return MoveGroup.of_keyed("filter", offered.keyed, follow)

    def _begin(self, place: _FilterPlace) -> CypherState:
        """The state behind the words of a filter, up to its value."""
        if place.kind.has_reference:
            return place.before.with_next(partial(self._say_reference_node, place))
        if place.kind.needs_value():
            return place.before.with_next(partial(self._say_value, place, None, 0))
        return place.add(place.before, place.index, _make_filter(place.kind))

    def _say_value(
        self, place: _FilterPlace, said: QueryFilter | None, first: int, _: CypherState
    ) -> Iterator[MoveGroup]:
        """The values from `first` on; `said` is the filter with the values before, or None."""
        choices = place.kind.values[first:]

        def follow(chosen: int) -> CypherState:
            values = choices[chosen][1]
            each = _make_filter(place.kind, values)
            if said is not None:
                each = replace(said, alternatives=(*said.alternatives, values))
            behind = place.add(place.before, place.index, each)
            return self._offer_alternatives(place, each, first + chosen + 1, behind)

        yield MoveGroup.of("value", [f" {name}" for name, _ in choices], follow)

    def _offer_alternatives(
        self, place: _FilterPlace, said: QueryFilter, first: int, behind: CypherState
    ) -> CypherState:
        """The state behind a value, which offers one more value where there can be one."""
        if not (self._lexicon.is_wide and place.kind.has_alternatives()):
            return behind
        if first >= len(place.kind.values):
            return behind
        more = partial(self._say_value, place, said, first)
        return behind.with_next(
            partial(_say_alternative, more, behind.then), complete=behind.is_complete
        )

    def _say_reference_node(self, place: _FilterPlace, state: CypherState) -> Iterator[MoveGroup]:
        references = self._find_references(place.before, place.kind, place.visible_nodes)
        nodes = list(dict.fromkeys(each.node for each in references))
        texts = [f" {state.words[node]}" for node in nodes]

        def follow(chosen: int) -> CypherState:
            left = [each for each in references if each.node == nodes[chosen]]
            if not place.kind.property:
                each = replace(_make_filter(place.kind), reference=left[0])
                return place.add(place.before, place.index, each)
            return state.with_next(partial(self._say_reference_property, place, left))

        yield MoveGroup.of("node", texts, follow)

    def _say_reference_property(
        self, place: _FilterPlace, references: Sequence[PropertyReference], _: CypherState
    ) -> Iterator[MoveGroup]:
        texts = [f" {self._lexicon.wording.properties[each.property]}" for each in references]

        def follow(chosen: int) -> CypherState:
            each = replace(_make_filter(place.kind), reference=references[chosen])
            return place.add(place.before, place.index, each)

        yield MoveGroup.of("property", texts, follow)

    def _find_references(
        self, state: CypherState, kind: FilterKind, nodes: Sequence[int]
    ) -> list[PropertyReference]:
        """The properties of nodes that a property of the last node can be compared with."""
        last = len(state.query.nodes) - 1
        own = state.ends[last].labels
        if not kind.property:
            return [
                PropertyReference(node, "")
                for node in nodes
                if node != last and may_be_same(state.ends[node].labels, own)
            ]
        ordered = kind.operator in ORDERED_OPERATORS
        find = partial(self._lexicon.comparable.find, own, kind.property, is_ordered=ordered)
        type_of = {each.name: each.type for each in self._lexicon.list_properties(own)}
        return [
            PropertyReference(node, name, type=type_of[kind.property])
            for node in nodes
            for name in find(state.ends[node].labels, is_same_node=node == last)
        ]


def _say_alternative(more: Then, then: Then, state: CypherState) -> Iterator[MoveGroup]:
    """The word before one more value, or what comes behind the filter."""
    yield MoveGroup.of_word("or", f" {OR}", partial(state.with_next, more))
    yield from then(state)


def _make_filter(kind: FilterKind, values: tuple[int, ...] = ()) -> QueryFilter:
    return QueryFilter(
        kind.property, kind.operator, values, is_negated=kind.is_negated, part=kind.part
    )
