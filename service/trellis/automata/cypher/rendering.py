"""A query graph as Cypher: names escaped always, values as parameters only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, product

from trellis.automata.cypher.query import Edge, Filter, Item, QueryGraph
from trellis.domain.cypher import CypherQuery
from trellis.domain.identifiers import quoted
from trellis.domain.links import StoredValue

_READINGS = 16
"""So many readings of one sentence are rendered at most."""

MAKERS = {
    "DATE": "date",
    "LOCAL TIME": "localtime",
    "ZONED TIME": "time",
    "LOCAL DATETIME": "localdatetime",
    "ZONED DATETIME": "datetime",
    "DURATION": "duration",
}


def rendered(query: QueryGraph, values: Sequence[StoredValue]) -> tuple[CypherQuery, ...]:
    """All that a query can mean: a text for each choice among values that are said alike."""
    filters = [each for node in query.nodes for each in node.filters]
    chosen = product(*(each.values for each in filters))
    found = (_one(query, values, dict(zip(filters, each, strict=True))) for each in chosen)
    return tuple(each for each, _ in zip(found, range(_READINGS), strict=False))


Chosen = dict[Filter, int]


def _one(query: QueryGraph, values: Sequence[StoredValue], chosen: Chosen) -> CypherQuery:
    params = {f"v{index}": values[index].value for index in sorted(set(chosen.values()))}
    lines = [*_matches(query, _Nodes(query, values, chosen)), _returned(query)]
    if query.sort:
        lines.append(f"ORDER BY {_sorted_by(query)} {'DESC' if query.sort.descending else 'ASC'}")
    if query.limit is not None:
        lines.append(f"LIMIT {query.limit}")
    return CypherQuery("\n".join(lines), params)


class _Nodes:
    """Nodes as they are written: in full the first time, by their variable then."""

    def __init__(self, query: QueryGraph, values: Sequence[StoredValue], chosen: Chosen) -> None:
        self._query = query
        self._values = values
        self._chosen = chosen
        self._written: set[int] = set()

    def text(self, index: int) -> str:
        if index in self._written:
            return f"(x{index})"
        self._written.add(index)
        node = self._query.nodes[index]
        label = f":{quoted(node.label)}" if node.label else ""
        conditions = [self._condition(f"x{index}", each) for each in node.filters]
        where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        return f"(x{index}{label}{where})"

    def _condition(self, variable: str, each: Filter) -> str:
        index = self._chosen[each]
        maker = MAKERS.get(self._values[index].type, "")
        value = f"{maker}($v{index})" if maker else f"$v{index}"
        return f"{variable}.{quoted(each.property)} {each.operator} {value}"


def _matches(query: QueryGraph, nodes: _Nodes) -> Iterator[str]:
    """A line for each clause; its paths are set apart by commas."""
    if not query.edges:
        yield f"MATCH {nodes.text(0)}"
    for _, edges in groupby(query.edges, lambda edge: edge.clause):
        yield f"MATCH {', '.join(_paths(list(edges), nodes))}"


def _paths(edges: Sequence[Edge], nodes: _Nodes) -> Iterator[str]:
    text, last = "", -1
    for edge in edges:
        if edge.source != last:
            if text:
                yield text
            text = nodes.text(edge.source)
        left, right = {"any": ("-", "-"), "out": ("-", "->"), "in": ("<-", "-")}[edge.direction]
        text += f"{left}[:{quoted(edge.type)}]{right}{nodes.text(edge.target)}"
        last = edge.target
    yield text


def _returned(query: QueryGraph) -> str:
    distinct = "DISTINCT " if query.distinct else ""
    return f"RETURN {distinct}{', '.join(map(_item, query.items))}"


def _item(item: Item) -> str:
    of = _value(item.node, item.key)
    if not item.aggregate:
        return of
    return f"{item.form.function}({'DISTINCT ' if item.form.distinct else ''}{of})"


def _sorted_by(query: QueryGraph) -> str:
    assert query.sort
    if query.sort.item is not None:
        return _item(query.items[query.sort.item])
    return _value(query.sort.node, query.sort.property)


def _value(node: int, name: str) -> str:
    return f"x{node}.{quoted(name)}" if name else f"x{node}"
