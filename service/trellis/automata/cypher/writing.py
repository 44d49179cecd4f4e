"""A query graph in its order, as the moves that say it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.patterns import number_name
from trellis.automata.cypher.query import QueryEdge, QueryGraph, ReturnItem, ReturnOrder
from trellis.automata.cypher.returns import write_limit_text, write_sort_text
from trellis.automata.cypher.ways import PatternEnd, PatternWay
from trellis.automata.cypher.wording import ARROWS, write_comparison
from trellis.domain.errors import CypherReadError

WordBefore = str
"""What is said before an edge: nothing where it goes on from the node before it."""


def write_moves(
    language: CypherLanguage, query: QueryGraph, words_before: Sequence[WordBefore]
) -> tuple[str, ...]:
    """The moves of a query whose nodes and edges stand in the order in which they are said."""
    return tuple(_Writer(language, query).write_query(words_before))


class _Writer:
    """Knows where each node stands in the schema, and how it is called."""

    def __init__(self, language: CypherLanguage, query: QueryGraph) -> None:
        self._ways = language.known.ways
        self._lexicon = language.lexicon
        self._wording = language.lexicon.wording
        self._query = _normalise_order(query)
        self._ends: list[PatternEnd] = []
        self._words: list[str] = []

    def write_query(self, words_before: Sequence[WordBefore]) -> Iterator[str]:
        yield from self._write_beginning()
        yield from self._write_filters(0)
        for edge, mark in zip(self._query.edges, words_before, strict=True):
            if mark:
                yield f" {mark}"
                yield f" {self._words[edge.source]}"
            yield from self._write_relation(edge)
            yield from self._write_filters(edge.target)
        yield from self._write_returns()

    def _write_beginning(self) -> Iterator[str]:
        root = self._query.nodes[0]
        end = _find_end(self._ways.find_starts(), root.label)
        item = self._query.items[0]
        yield f" {item.form.word}"
        yield self._write_new_node(end)
        if item.key:
            yield self._write_property(item.key)
        if self._is_sorted_by_first():
            yield self._write_order()
            assert self._query.sort
            yield self._write_property(self._query.sort.property)

    def _write_new_node(self, end: PatternEnd) -> str:
        word = self._wording.labels[end.label]
        self._ends.append(end)
        self._words.append(number_name(word, self._words))
        return f" {word}"

    def _write_filters(self, node: int) -> Iterator[str]:
        """A node's filters in the order of its kinds."""
        filters = list(self._query.nodes[node].filters)
        kinds = self._lexicon.filters(self._ends[node].labels)
        places = {(kind.property, kind.operator): at for at, kind in enumerate(kinds)}
        for each in filters:
            if (each.property, each.operator) not in places:
                problem = f"{each.property!r} {each.operator} of {self._words[node]!r}"
                raise CypherReadError(f"{problem} cannot be said")
        for each in sorted(filters, key=lambda f: places[f.property, f.operator]):
            text = write_comparison(self._wording.properties[each.property], each.operator)
            yield f" {text}"
            yield f" {self._lexicon.values[each.values[0]].name}"

    def _write_relation(self, edge: QueryEdge) -> Iterator[str]:
        label = self._query.nodes[edge.target].label
        way, end = self._find_way(edge, label)
        yield f" {self._wording.types[way.type]}{ARROWS[way.said_direction]}"
        yield self._write_new_node(end)

    def _find_way(self, edge: QueryEdge, label: str) -> tuple[PatternWay, PatternEnd]:
        """The way that an edge is: said with a direction only where that makes a difference."""
        for way in self._ways.find_ways(self._ends[edge.source].place):
            if way.type == edge.type and _is_way_of(way, edge):
                end = next((e for e in way.ends if e.label == label), None)
                if end is None and not label and len(way.ends) == 1:
                    end = way.ends[0]
                if end is not None:
                    return way, end
        source = self._words[edge.source]
        raise CypherReadError(
            f"no {edge.type!r} ({edge.direction}) leads from {source!r} to {label or 'any node'!r}"
        )

    def _write_returns(self) -> Iterator[str]:
        query = self._query
        for item in query.items[1:]:
            yield from self._write_item(item)
        if query.sort and not self._is_sorted_by_first():
            yield self._write_order()
            yield from self._write_sort_key(query.sort)
        if query.limit is not None and not query.sort:
            yield write_limit_text(query.limit)

    def _write_item(self, item: ReturnItem) -> Iterator[str]:
        yield f" {item.form.word}"
        yield f" {self._words[item.node]}"
        if item.key:
            yield self._write_property(item.key)

    def _is_sorted_by_first(self) -> bool:
        """Whether the order is by the first node, and said behind it."""
        sort = self._query.sort
        return sort is not None and sort.item is None and sort.node == 0

    def _write_order(self) -> str:
        assert self._query.sort
        return write_sort_text(self._query.sort.descending, self._query.limit)

    def _write_sort_key(self, sort: ReturnOrder) -> Iterator[str]:
        if sort.item is None:
            yield f" {self._words[sort.node]}"
            yield self._write_property(sort.property)
        else:
            yield "".join(self._write_item(self._query.items[sort.item]))

    def _write_property(self, name: str) -> str:
        if name not in self._wording.properties:
            raise CypherReadError(f"no label has a property {name!r}")
        return f" {self._wording.properties[name]}"


def _is_way_of(way: PatternWay, edge: QueryEdge) -> bool:
    """Whether a way is an edge's: a direction that is the only one need not be said."""
    if way.said_direction == "any" and way.direction in ("any", edge.direction):
        return edge.direction in ("any", way.direction)
    return edge.direction in ("any", way.direction)


def _find_end(ends: Sequence[PatternEnd], label: str) -> PatternEnd:
    for end in ends:
        if end.label == label or (not label and len(ends) == 1):
            return end
    raise CypherReadError(f"there is no node with the label {label!r}")


def _normalise_order(query: QueryGraph) -> QueryGraph:
    """The query with its order said in the one way, and without a limit that does nothing."""
    if query.items and all(item.is_aggregate for item in query.items):
        limit = None if query.limit else query.limit
        return replace(query, sort=None, limit=limit)
    sort = query.sort
    if sort is None or sort.item is not None or not (query.is_grouped or query.is_distinct):
        return query
    first = query.items[0]
    whole = first.form.is_whole_node or first.key == sort.property
    if not query.is_grouped and sort.node == first.node == 0 and whole:
        return query
    for index, item in enumerate(query.items):
        if (item.node, item.key) == (sort.node, sort.property) and not item.is_aggregate:
            return replace(query, sort=ReturnOrder(0, "", sort.descending, index))
    raise CypherReadError("rows that are grouped or distinct are ordered by what is returned")
