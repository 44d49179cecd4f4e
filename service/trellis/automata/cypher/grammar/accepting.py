"""Decides which operands the grammar accepts at a place."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from trellis.automata.cypher.meaning.items import ReturnItem
from trellis.automata.cypher.meaning.query import QueryGraph
from trellis.automata.cypher.words.property_types import NUMBERS

AcceptItem = Callable[[ReturnItem, str], bool]
"""Whether a place accepts an operand whose value has a type; the type of a node is empty."""


def accept_any(item: ReturnItem, type: str) -> bool:  # noqa: ARG001
    """Accept every operand."""
    return True


def accept_number(item: ReturnItem, type: str) -> bool:  # noqa: ARG001
    """Accept numbers."""
    return type in NUMBERS


def accept_numeric_aggregate(item: ReturnItem, type: str) -> bool:
    """Accept aggregates that are numbers."""
    return item.form.function == "count" or type in NUMBERS


def exclude_items(items: Iterable[ReturnItem]) -> AcceptItem:
    """Accept all operands but some."""
    columns = {item.column for item in items}
    if not columns:
        return accept_any
    return lambda item, _: item.column not in columns


def accept_first_sort_key(first: ReturnItem) -> AcceptItem:
    """Accept what rows can be ordered by before the pattern: distinct rows only by the item that is
    returned."""
    if not (first.form.distinct and first.key):
        return accept_any
    return lambda item, _: item.column == first.column


def accept_sort_key(query: QueryGraph) -> AcceptItem:
    """Accept what rows are not ordered by yet.

    An order by the first node is said before the pattern, and so not accepted behind it.
    """
    if query.orders or not query.items or query.items[0].node != 0:
        return exclude_items(order.item for order in query.orders)
    return lambda item, _: item.node != 0 or item.edge is not None


def accept_hidden_sort_key(query: QueryGraph) -> AcceptItem:
    """Accept aggregates that are neither returned nor ordered by yet."""
    return exclude_items((*query.items, *(order.item for order in query.orders)))
