"""A query graph in its order, as the moves that say it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from trellis.automata.cypher.items import LIST, SHOW, ArithmeticTerm, ReturnItem, ReturnOrder
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.lexicon import FilterKind
from trellis.automata.cypher.patterns import number_name
from trellis.automata.cypher.query import QueryEdge, QueryFilter, QueryGraph
from trellis.automata.cypher.row_ranges import RowRange, write_limit_text, write_sort_text
from trellis.automata.cypher.ways import PatternEnd, PatternWay
from trellis.automata.cypher.wording import (
    ARROWS,
    BESIDES,
    BY,
    EACH,
    FIND,
    IS_NOT,
    KEEP,
    ONLY,
    OR,
    SAME,
    SCOPE_WORDS,
    TERM_WORDS,
    THEN,
    WHERE,
    write_comparison,
    write_property,
)
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
        self._language = language
        self._lexicon = language.lexicon
        self._wording = language.lexicon.wording
        self._query = normalise_rows(query)
        self._ends: list[PatternEnd] = []
        self._words: list[str] = []

    def write_query(self, words_before: Sequence[WordBefore]) -> Iterator[str]:
        rank = self._query.find_rank()
        rank_edges = [edge for edge in self._query.edges if edge.scope == rank]
        yield from self._write_beginning()
        yield from self._write_filters(0)
        for edge, mark in zip(self._query.edges, words_before, strict=True):
            if mark:
                yield f" {mark}"
                if mark != BESIDES:
                    yield f" {self._words[edge.source]}"
            if not edge.type:
                ends = self._ways.find_starts()
                yield self._write_new_node(_find_end(ends, self._query.nodes[edge.target].label))
            else:
                if edge.scope:
                    yield from self._write_scope(edge)
                yield from self._write_relation(edge)
            yield from self._write_filters(edge.target)
            if edge.scope and edge.scope == rank and edge is rank_edges[-1]:
                yield from self._write_rank()
        yield from self._write_returns()

    @property
    def _begins_with_item(self) -> bool:
        """Whether the first item is of the first node, and said before it."""
        item = self._query.items[0]
        is_combined = item.term is not None and (item.term.node, item.term.edge) != (0, None)
        return item.node == 0 and item.edge is None and not is_combined

    def _write_beginning(self) -> Iterator[str]:
        end = _find_end(self._ways.find_starts(), self._query.nodes[0].label)
        item = self._query.items[0]
        if not self._begins_with_item:
            yield f" {FIND}"
            yield self._write_new_node(end)
            return
        yield f" {item.form.word}"
        yield self._write_new_node(end)
        yield from self._write_key(item)
        if self._is_sorted_by_first():
            yield self._write_order()
            yield from self._write_key(self._query.orders[0].item)

    def _write_new_node(self, end: PatternEnd) -> str:
        word = self._wording.labels[end.label]
        self._ends.append(end)
        self._words.append(number_name(word, self._words))
        return f" {word}"

    def _write_filters(self, node: int) -> Iterator[str]:
        """A node's filters in the order of its kinds."""
        kinds = self._lexicon.filters(self._ends[node].labels)
        filters = self._query.nodes[node].filters
        for each in self._sort_filters(kinds, filters, self._words[node]):
            yield from self._write_filter(each)
        rank = self._query.find_rank()
        has_pattern = any(edge.scope == rank for edge in self._query.edges)
        if rank and not has_pattern and self._query.scopes[rank - 1].node == node:
            yield from self._write_rank()

    def _write_rank(self) -> Iterator[str]:
        """The order of which the first nodes are taken."""
        scope = self._query.scopes[self._query.find_rank() - 1]
        assert scope.order
        rows = RowRange(scope.order.descending, scope.limit, scope.skip)
        item = scope.order.item
        yield f" {KEEP}{self._write_range(rows)}"
        if item.is_aggregate:
            yield f" {BY}"
            yield from self._write_item(item)
        elif item.node == scope.node and item.edge is None:
            yield from self._write_key(item)
        else:
            raise CypherReadError("first nodes in the order of another node cannot be said")

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
            yield f" {self._words[each.reference.node]}"
            return
        word = self._wording.properties[each.property]
        is_reference = each.reference is not None
        text = write_comparison(word, each.operator, each.part, each.is_negated, is_reference)
        yield f" {text}"
        if each.reference:
            yield f" {self._words[each.reference.node]}"
            yield f" {self._wording.properties[each.reference.property]}"
        for index, name in enumerate(self._sort_choices(each)):
            if index:
                yield f" {OR}"
            yield f" {name}"

    def _sort_choices(self, each: QueryFilter) -> list[str]:
        """How the values of a filter are said, in the order of the linked values."""
        names = (self._lexicon.values[choice[0]].name for choice in sorted(each.list_choices()))
        return list(dict.fromkeys(names))

    def _write_scope(self, edge: QueryEdge) -> Iterator[str]:
        """The words of a scope that a relationship begins."""
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
        kinds = self._lexicon.edge_filters(edge.type)
        for each in self._sort_filters(kinds, edge.filters, self._wording.types[edge.type]):
            yield f" {WHERE}"
            yield from self._write_filter(each)
        if node.same is None:
            yield self._write_new_node(end)
            return
        if node.same >= len(self._words):
            raise CypherReadError("the pattern comes back to a node that is said later")
        yield f" {SAME}"
        yield f" {self._words[node.same]}"
        self._write_new_node(self._ends[node.same])

    def _find_way(
        self, edge: QueryEdge, label: str, same: int | None
    ) -> tuple[PatternWay, PatternEnd]:
        """The way that an edge is: said with a direction only where that makes a difference."""
        for way in self._ways.find_ways(self._ends[edge.source].place):
            if way.type == edge.type and _is_way_of(way, edge):
                end = next((e for e in way.ends if e.label == label), None)
                if end is None and not label and len(way.ends) == 1:
                    end = way.ends[0]
                if end is None and same is not None:
                    end = way.ends[-1]
                if end is not None:
                    return way, end
        source = self._words[edge.source]
        raise CypherReadError(
            f"no {edge.type!r} ({edge.direction}) leads from {source!r} to {label or 'any node'!r}"
        )

    def _write_returns(self) -> Iterator[str]:
        query = self._query
        for item in query.items[1 if self._begins_with_item else 0 :]:
            yield from self._write_item(item)
        for node in query.groups:
            yield f" {EACH}"
            yield f" {self._words[node]}"
        for condition in query.conditions:
            yield f" {ONLY}"
            yield from self._write_item(condition.item)
            yield f" {condition.operator}"
            yield f" {self._lexicon.values[condition.values[0]].name}"
        yield from self._write_orders()
        if query.limit is not None and not query.orders:
            yield write_limit_text(query.limit)

    def _write_orders(self) -> Iterator[str]:
        """All orders but the one that is said behind the first node."""
        for index, order in enumerate(self._query.orders):
            if index == 0:
                if self._is_sorted_by_first():
                    continue
                yield self._write_order()
            else:
                yield f" {THEN}{write_sort_text(RowRange(order.descending))}"
            yield from self._write_sort_key(order)

    def _write_item(self, item: ReturnItem) -> Iterator[str]:
        yield f" {item.form.word}"
        yield f" {self._write_owner(item)}"
        yield from self._write_key(item)

    def _write_key(self, item: ReturnItem) -> Iterator[str]:
        """The property of an item, and what it is combined with."""
        if item.key:
            yield self._write_property(item)
        if item.term:
            yield f" {TERM_WORDS[item.term.operator]}"
            yield f" {self._write_owner(item.term)}"
            yield self._write_property(item.term)

    def _write_owner(self, item: ReturnItem | ArithmeticTerm) -> str:
        if item.edge is None:
            return self._words[item.node]
        types = [edge.type for edge in self._query.edges]
        return self._language.operands.write_edge(types, item.edge)

    def _is_sorted_by_first(self) -> bool:
        """Whether the order is by the first node, and said behind it."""
        query = self._query
        if not query.orders or not self._begins_with_item or query.is_grouped:
            return False
        first, by = query.items[0], query.orders[0].item
        if by.node or by.edge is not None or (by.term and (by.term.node or by.term.edge)):
            return False
        return not (first.form.distinct and first.key) or by.column == first.column

    def _write_order(self) -> str:
        descending = self._query.orders[0].descending
        return self._write_range(RowRange(descending, self._query.limit, self._query.skip))

    def _write_range(self, rows: RowRange) -> str:
        if rows.skip and rows.limit != 1:
            raise CypherReadError("rows that are left out can be said before one row only")
        return write_sort_text(rows)

    def _write_sort_key(self, order: ReturnOrder) -> Iterator[str]:
        """What rows are ordered by: as one text where it is returned or a group's property."""
        query, item = self._query, order.item
        is_returned = any(item.column == each.column for each in query.items)
        if item.is_aggregate and not is_returned:
            yield f" {BY}"
            yield from self._write_item(item)
        elif query.is_grouped or query.is_distinct:
            yield "".join(self._write_item(item))
        else:
            yield f" {self._write_owner(item)}"
            yield from self._write_key(item)

    def _write_property(self, item: ReturnItem | ArithmeticTerm) -> str:
        if item.key not in self._wording.properties:
            raise CypherReadError(f"no label has a property {item.key!r}")
        return f" {write_property(self._wording.properties[item.key], item.part)}"


def _get_kind_key(kind: FilterKind) -> tuple[object, ...]:
    return kind.property, kind.operator, kind.part, kind.is_negated, kind.has_reference


def _get_filter_key(each: QueryFilter) -> tuple[object, ...]:
    return each.property, each.operator, each.part, each.is_negated, each.reference is not None


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


def normalise_rows(query: QueryGraph) -> QueryGraph:
    """The query with its rows said in the one way: without groups, orders and a limit that do
    nothing, and ordered by items as they are returned."""
    query = _drop_idle_groups(query)
    if query.items and not query.groups and all(item.is_aggregate for item in query.items):
        limit = None if query.limit else query.limit
        return replace(query, orders=(), limit=limit, skip=0)
    ordered = {order.item.column: order for order in reversed(query.orders)}
    orders = [order for order in query.orders if ordered[order.item.column] is order]
    return replace(query, orders=tuple(_normalise_order(query, order) for order in orders))


def _drop_idle_groups(query: QueryGraph) -> QueryGraph:
    """The query without groups by nodes that are returned, which make groups anyway, unless a
    property of them is said too."""
    is_aggregated = any(item.is_aggregate for item in query.list_operands())
    whole = {item.node for item in query.items if item.form == LIST}
    said = {i.node for i in query.list_operands() if not i.is_aggregate and i.form != LIST}
    kept = tuple(node for node in query.groups if node not in whole or node in said)
    return replace(query, groups=kept) if kept or is_aggregated else query


def _normalise_order(query: QueryGraph, order: ReturnOrder) -> ReturnOrder:
    """An order, with the form of the item that it is by."""
    returned = [item for item in query.items if item.column == order.item.column]
    if returned and (query.is_grouped or query.is_distinct):
        return replace(order, item=returned[0])
    if order.item.is_aggregate or not (query.is_grouped or query.is_distinct):
        return order
    if query.is_grouped and order.item.node in query.groups and order.item.edge is None:
        return replace(order, item=replace(order.item, form=SHOW))
    first = query.items[0]
    if not query.is_grouped and order.item.node == first.node and first.form.is_whole_node:
        return order
    raise CypherReadError("rows that are grouped or distinct are ordered by what is returned")
