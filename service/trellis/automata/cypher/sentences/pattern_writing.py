"""Writes the moves that say nodes, their filters, and the relationships between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trellis.automata.cypher.grammar.ways import (
    PatternEnd,
    PatternWay,
    find_first_end,
    find_fitting_way,
)
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.meaning.query import QueryEdge, QueryFilter, QueryGraph
from trellis.automata.cypher.words.filter_kinds import FilterKind
from trellis.automata.cypher.words.wording import (
    ARROWS,
    IS_NOT,
    OR,
    SAME,
    SCOPE_WORDS,
    WHERE,
    number_name,
    write_comparison,
)
from trellis.domain.errors import CypherReadError


class PatternWriter:
    """Writes a pattern, node by node. `words`: how each node that was written is called."""

    def __init__(self, language: CypherLanguage, query: QueryGraph) -> None:
        self._ways = language.known.ways
        self._lexicon = language.lexicon
        self._wording = language.lexicon.wording
        self._query = query
        self._ends: list[PatternEnd] = []  # where each node that was written stands in the schema
        self.words: list[str] = []

    def write_start(self, node: int) -> str:
        """A node that no relationship leads to, without its filters."""
        label = self._query.nodes[node].label
        return self._write_new_node(find_first_end(self._ways.find_starts(), label))

    def write_edge(self, edge: QueryEdge) -> Iterator[str]:
        """A relationship with its filters, the scope that it begins, and the node behind it."""
        if edge.scope:
            yield from self._write_scope(edge)
        yield from self._write_relation(edge)

    def write_filters(self, node: int) -> Iterator[str]:
        """The filters of a node, in the order of their kinds."""
        kinds = self._lexicon.list_filters(self._ends[node].labels)
        filters = self._query.nodes[node].filters
        for each in self._sort_filters(kinds, filters, self.words[node]):
            yield from self._write_filter(each)

    def _write_new_node(self, end: PatternEnd) -> str:
        word = self._wording.labels[end.label]
        self._ends.append(end)
        self.words.append(number_name(word, self.words))
        return f" {word}"

    def _sort_filters(
        self, kinds: Sequence[FilterKind], filters: Sequence[QueryFilter], owner: str
    ) -> list[QueryFilter]:
        places = {_get_kind_key(kind): at for at, kind in enumerate(kinds)}
        for each in filters:
            if _get_filter_key(each) not in places:
                problem = f"{each.property!r} {each.operator} of {owner!r}"
                raise CypherReadError(f"{problem} cannot be said")
        return sorted(filters, key=lambda each: places[_get_filter_key(each)])

    def _write_filter(self, each: QueryFilter) -> Iterator[str]:
        if not each.property and each.reference:
            yield f" {IS_NOT}"
            yield f" {self.words[each.reference.node]}"
            return
        word = self._wording.properties[each.property]
        is_reference = each.reference is not None
        text = write_comparison(word, each.operator, each.part, each.is_negated, is_reference)
        yield f" {text}"
        if each.reference:
            yield f" {self.words[each.reference.node]}"
            yield f" {self._wording.properties[each.reference.property]}"
        for index, name in enumerate(self._sort_choices(each)):
            if index:
                yield f" {OR}"
            yield f" {name}"

    def _sort_choices(self, each: QueryFilter) -> list[str]:
        """The names of the values of a filter, in the order of the linked values."""
        names = (self._lexicon.values[choice[0]].name for choice in sorted(each.list_choices()))
        return list(dict.fromkeys(names))

    def _write_scope(self, edge: QueryEdge) -> Iterator[str]:
        """The words before a relationship that begins its scope; nothing before any other."""
        if edge is not next(each for each in self._query.edges if each.scope == edge.scope):
            return
        scope = self._query.scopes[edge.scope - 1]
        word = SCOPE_WORDS[scope.kind]
        if scope.kind != "number":
            yield f" {word}"
            return
        yield f" {word} {scope.operator}"
        yield f" {self._lexicon.values[scope.values[0]].name}"

    def _write_relation(self, edge: QueryEdge) -> Iterator[str]:
        node = self._query.nodes[edge.target]
        label = self._query.nodes[node.same].label if node.same is not None else node.label
        way, end = self._find_way(edge, label, node.same)
        yield f" {self._wording.types[way.type]}{ARROWS[way.said_direction]}"
        kinds = self._lexicon.list_edge_filters(edge.type)
        for each in self._sort_filters(kinds, edge.filters, self._wording.types[edge.type]):
            yield f" {WHERE}"
            yield from self._write_filter(each)
        if node.same is None:
            yield self._write_new_node(end)
            return
        if node.same >= len(self.words):
            raise CypherReadError("the pattern comes back to a node that is said later")
        yield f" {SAME}"
        yield f" {self.words[node.same]}"
        self._write_new_node(self._ends[node.same])

    def _find_way(
        self, edge: QueryEdge, label: str, same: int | None
    ) -> tuple[PatternWay, PatternEnd]:
        """The way of a relationship, and the node that it leads to.

        The first one that fits says a direction only where that makes a difference.
        """
        found = find_fitting_way(self._ways, self._ends[edge.source].place, edge, label, same)
        if found is not None:
            return found
        source = self.words[edge.source]
        raise CypherReadError(
            f"no {edge.type!r} ({edge.direction}) leads from {source!r} to {label or 'any node'!r}"
        )


def _get_kind_key(kind: FilterKind) -> tuple[object, ...]:
    return kind.property, kind.operator, kind.part, kind.is_negated, kind.has_reference


def _get_filter_key(each: QueryFilter) -> tuple[object, ...]:
    return each.property, each.operator, each.part, each.is_negated, each.reference is not None
