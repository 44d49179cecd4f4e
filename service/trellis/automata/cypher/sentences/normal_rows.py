"""Brings the rows of a query into the one form that its sentence says."""

from __future__ import annotations

from dataclasses import replace

from trellis.automata.cypher.meaning.items import LIST, SHOW, ReturnOrder
from trellis.automata.cypher.meaning.query import QueryGraph
from trellis.domain.errors import CypherReadError


def normalise_rows(query: QueryGraph) -> QueryGraph:
    """The query without the groups, orders and limit that do nothing, and with orders by the items
    as they are returned. Raises CypherReadError for an order that cannot be said."""
    query = _drop_idle_groups(query)
    if query.items and not query.groups and all(item.is_aggregate for item in query.items):
        limit = None if query.limit else query.limit
        return replace(query, orders=(), limit=limit, skip=0)
    ordered = {order.item.column: order for order in reversed(query.orders)}
    orders = [order for order in query.orders if ordered[order.item.column] is order]
    return replace(query, orders=tuple(_normalise_order(query, order) for order in orders))


def _drop_idle_groups(query: QueryGraph) -> QueryGraph:
    """The query without groups by nodes that are returned themselves.

    These make groups anyway. A node keeps its group where a property of it is said too.
    """
    is_aggregated = any(item.is_aggregate for item in query.list_operands())
    whole = {item.node for item in query.items if item.form == LIST}
    said = {i.node for i in query.list_operands() if not i.is_aggregate and i.form != LIST}
    kept = tuple(node for node in query.groups if node not in whole or node in said)
    return replace(query, groups=kept) if kept or is_aggregated else query


def _normalise_order(query: QueryGraph, order: ReturnOrder) -> ReturnOrder:
    """An order by an item in the form in which the sentence says it."""
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
