"""Writes the moves that say what is returned: items, groups, orders, how many rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.meaning.items import ArithmeticTerm, ReturnItem, ReturnOrder
from trellis.automata.cypher.meaning.query import QueryGraph, QueryScope
from trellis.automata.cypher.words.row_ranges import RowRange, write_limit_text, write_sort_text
from trellis.automata.cypher.words.wording import (
    BY,
    EACH,
    KEEP,
    ONLY,
    TERM_WORDS,
    THEN,
    write_property,
)
from trellis.domain.errors import CypherReadError


class RowWriter:
    """Writes the rows of a query. `words`: how each node is called, as far as it was written."""

    def __init__(self, language: CypherLanguage, query: QueryGraph, words: Sequence[str]) -> None:
        self._lexicon = language.lexicon
        self._wording = language.lexicon.wording
        self._operands = language.operands
        self._query = query
        self._words = words

    @property
    def begins_with_item(self) -> bool:
        """Whether the sentence begins with its first item, which is then of the first node."""
        item = self._query.items[0]
        is_combined = item.term is not None and (item.term.node, item.term.edge) != (0, None)
        return item.node == 0 and item.edge is None and not is_combined

    def write_first_key(self) -> Iterator[str]:
        """What stands behind the first node: the property of the first item, and its order."""
        yield from self._write_key(self._query.items[0])
        if self._is_sorted_by_first():
            yield self._write_order()
            yield from self._write_key(self._query.orders[0].item)

    def write_rank(self, scope: QueryScope) -> Iterator[str]:
        """The order of which the first nodes are taken in a scope."""
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

    def write_rows(self) -> Iterator[str]:
        """All that stands behind the pattern."""
        query = self._query
        for item in query.items[1 if self.begins_with_item else 0 :]:
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
        """All orders but one that stands behind the first node."""
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
        return self._operands.write_edge(types, item.edge)

    def _is_sorted_by_first(self) -> bool:
        """Whether the first order is by the first node, and stands behind it."""
        query = self._query
        if not query.orders or not self.begins_with_item or query.is_grouped:
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
        """What rows are ordered by; one move where these are groups or distinct."""
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
