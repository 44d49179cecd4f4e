"""A query graph as Cypher: names escaped always, values as parameters only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, product

from trellis.automata.cypher.query import QueryEdge, QueryFilter, QueryGraph, ReturnItem
from trellis.domain.cypher import CypherQuery
from trellis.domain.identifiers import quote_name
from trellis.domain.links import StoredValue

_READINGS = 16
"""So many readings of one sentence are rendered at most."""

TEMPORAL_FUNCTIONS = {
    "DATE": "date",
    "LOCAL TIME": "localtime",
    "ZONED TIME": "time",
    "LOCAL DATETIME": "localdatetime",
    "ZONED DATETIME": "datetime",
    "DURATION": "duration",
}


def render_query(query: QueryGraph, values: Sequence[StoredValue]) -> tuple[CypherQuery, ...]:
    """All that a query can mean: a text for each choice among values that are said alike."""
    filters = [each for node in query.nodes for each in node.filters]
    chosen = product(*(each.values for each in filters))
    found = (
        _render_reading(query, values, dict(zip(filters, each, strict=True))) for each in chosen
    )
    return tuple(each for each, _ in zip(found, range(_READINGS), strict=False))


Chosen = dict[QueryFilter, int]


def _render_reading(
    query: QueryGraph, values: Sequence[StoredValue], chosen: Chosen
) -> CypherQuery:
    params = {f"v{index}": values[index].value for index in sorted(set(chosen.values()))}
    lines = [*_render_matches(query, _NodeRenderer(query, values, chosen)), _render_return(query)]
    if query.sort:
        lines.append(
            f"ORDER BY {_render_sort_key(query)} {'DESC' if query.sort.descending else 'ASC'}"
        )
    if query.limit is not None:
        lines.append(f"LIMIT {query.limit}")
    return CypherQuery("\n".join(lines), params)


class _NodeRenderer:
    """Nodes as they are written: in full the first time, by their variable then."""

    def __init__(self, query: QueryGraph, values: Sequence[StoredValue], chosen: Chosen) -> None:
        self._query = query
        self._values = values
        self._chosen = chosen
        self._written: set[int] = set()

    def render_node(self, index: int) -> str:
        if index in self._written:
            return f"(x{index})"
        self._written.add(index)
        node = self._query.nodes[index]
        label = f":{quote_name(node.label)}" if node.label else ""
        conditions = [self._render_condition(f"x{index}", each) for each in node.filters]
        where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        return f"(x{index}{label}{where})"

    def _render_condition(self, variable: str, each: QueryFilter) -> str:
        index = self._chosen[each]
        maker = TEMPORAL_FUNCTIONS.get(self._values[index].type, "")
        value = f"{maker}($v{index})" if maker else f"$v{index}"
        return f"{variable}.{quote_name(each.property)} {each.operator} {value}"


def _render_matches(query: QueryGraph, nodes: _NodeRenderer) -> Iterator[str]:
    """A line for each clause; its paths are set apart by commas."""
    if not query.edges:
        yield f"MATCH {nodes.render_node(0)}"
    for _, edges in groupby(query.edges, lambda edge: edge.clause):
        yield f"MATCH {', '.join(_render_paths(list(edges), nodes))}"


def _render_paths(edges: Sequence[QueryEdge], nodes: _NodeRenderer) -> Iterator[str]:
    text, last = "", -1
    for edge in edges:
        if edge.source != last:
            if text:
                yield text
            text = nodes.render_node(edge.source)
        left, right = {"any": ("-", "-"), "out": ("-", "->"), "in": ("<-", "-")}[edge.direction]
        text += f"{left}[:{quote_name(edge.type)}]{right}{nodes.render_node(edge.target)}"
        last = edge.target
    yield text


def _render_return(query: QueryGraph) -> str:
    distinct = "DISTINCT " if query.is_distinct else ""
    return f"RETURN {distinct}{', '.join(map(_render_item, query.items))}"


def _render_item(item: ReturnItem) -> str:
    of = _render_value(item.node, item.key)
    if not item.is_aggregate:
        return of
    return f"{item.form.function}({'DISTINCT ' if item.form.distinct else ''}{of})"


def _render_sort_key(query: QueryGraph) -> str:
    assert query.sort
    if query.sort.item is not None:
        return _render_item(query.items[query.sort.item])
    return _render_value(query.sort.node, query.sort.property)


def _render_value(node: int, name: str) -> str:
    return f"x{node}.{quote_name(name)}" if name else f"x{node}"
