"""Renders a query graph as Cypher. It quotes all names, and takes values as parameters only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, product

from trellis.automata.cypher.meaning.items import ReturnItem, ReturnOrder
from trellis.automata.cypher.meaning.paths import join_paths
from trellis.automata.cypher.meaning.query import QueryEdge, QueryFilter, QueryGraph, QueryScope
from trellis.automata.cypher.meaning.value_rendering import Chosen, ValueRenderer, render_operand
from trellis.domain.graphs.graph import Scalar
from trellis.domain.graphs.links import StoredValue
from trellis.domain.identifiers import quote_name
from trellis.domain.structures.cypher import CypherQuery
from trellis.linking.text import name_key

_READINGS = 16
"""The most readings of one sentence that are rendered."""

_NEVER_NULL = ("count", "sum", "collect")  # functions

_SIDES = {"any": ("-", "-"), "out": ("-", "->"), "in": ("<-", "-")}


def render_query(query: QueryGraph, values: Sequence[StoredValue]) -> tuple[CypherQuery, ...]:
    """Render all that a query can mean: one text for each choice among values that share a name."""
    choices = query.list_choices()
    alike = [group_alike(choice, values) for choice in choices]
    readings = (dict(zip(choices, chosen, strict=True)) for chosen in product(*alike))
    rendered = (_render_reading(query, values, chosen) for chosen in readings)
    return tuple(each for each, _ in zip(rendered, range(_READINGS), strict=False))


def _render_reading(
    query: QueryGraph, values: Sequence[StoredValue], chosen: Chosen
) -> CypherQuery:
    pattern = _PatternRenderer(query, ValueRenderer(values, chosen), query.list_operand_edges())
    lines = [*pattern.render_lines(), *_render_rows(query, pattern.values)]
    return CypherQuery("\n".join(lines), _collect_params(values, chosen))


def _collect_params(values: Sequence[StoredValue], chosen: Chosen) -> dict[str, Scalar]:
    used = {index for each in chosen.values() for index in each}
    return {f"v{index}": values[index].value for index in sorted(used)}


def group_alike(
    choice: Sequence[int], values: Sequence[StoredValue]
) -> tuple[tuple[int, ...], ...]:
    """The values that share a name, those together that are one name in several spellings: where
    both `Jazz` and `jazz` are stored, either is meant."""
    alike: dict[object, list[int]] = {}
    for index in choice:
        each = values[index]
        key = name_key(each.value) if isinstance(each.value, str) else index
        alike.setdefault((each.label, each.property, each.type, key), []).append(index)
    return tuple(map(tuple, alike.values()))


def render_pattern(query: QueryGraph, values: Sequence[StoredValue]) -> CypherQuery:
    """Render what a query matches, without RETURN: each of its nodes is `x0`, `x1`, … and each of
    its relationships `r0`, `r1`, …; where a choice of values has several, the first is meant."""
    chosen = {choice: group_alike(choice, values)[0] for choice in query.list_choices()}
    edges = range(len(query.edges))
    pattern = _PatternRenderer(query, ValueRenderer(values, chosen), edges)
    return CypherQuery("\n".join(pattern.render_lines()), _collect_params(values, chosen))


class _PatternRenderer:
    """Renders a pattern: each node in full the first time, and by its variable after that.

    `named_edges`: the relationships that get a variable; those with a filter always do.
    """

    def __init__(
        self, query: QueryGraph, values: ValueRenderer, named_edges: Iterable[int]
    ) -> None:
        self.values = values
        self._query = query
        self._written: set[int] = set()
        self._named_edges = set(named_edges)

    def render_lines(self) -> Iterator[str]:
        """The clauses of the pattern: what is matched, what must hold, what is optional."""
        query = self._query
        yield from self._render_rank()
        edges = [edge for edge in query.edges if not edge.scope]
        if (not edges or not edges[0].type) and 0 not in self._written:
            yield f"MATCH {self._render_node(0)}"
        for _, of_clause in groupby(edges, lambda edge: edge.clause):
            yield f"MATCH {join_paths(of_clause, self._render_node, self._render_edge)}"
        nodes = [0, *(edge.target for edge in edges)]
        conditions = [*self._render_references(nodes), *self._render_scopes()]
        if conditions:
            yield f"WHERE {' AND '.join(conditions)}"
        for number, scope in enumerate(query.scopes, 1):
            if scope.kind == "optional":
                yield from self._render_clauses("OPTIONAL MATCH", number)

    def _render_rank(self) -> Iterator[str]:
        """The clauses that take the first nodes in an order."""
        number = self._query.find_rank()
        if not number:
            return
        scope = self._query.scopes[number - 1]
        clauses = list(self._render_clauses("MATCH", number))
        yield from clauses or [f"MATCH {self._render_node(scope.node)}"]
        assert scope.order
        item = scope.order.item
        key, made = render_operand(item), ""
        if item.is_aggregate:
            key, made = "c", f", {key} AS c"
        yield f"WITH x{scope.node}{made}"
        yield f"ORDER BY {render_order(self._query, scope.order, key)}"
        if scope.skip:
            yield f"SKIP {scope.skip}"
        yield f"LIMIT {scope.limit}"

    def _render_scopes(self) -> Iterator[str]:
        for number, scope in enumerate(self._query.scopes, 1):
            if scope.kind not in ("optional", "first"):
                inside = " ".join(self._render_clauses("MATCH", number))
                yield self._render_scope(scope, inside)

    def _render_scope(self, scope: QueryScope, inside: str) -> str:
        if scope.kind == "number":
            value = self.values.render_value(scope.values)
            return f"COUNT {{ {inside} }} {scope.operator} {value}"
        return f"{'NOT ' if scope.kind == 'none' else ''}EXISTS {{ {inside} }}"

    def _render_clauses(self, keyword: str, scope: int) -> Iterator[str]:
        """The clauses of a scope, each with the comparisons of its nodes."""
        edges = [edge for edge in self._query.edges if edge.scope == scope]
        for _, of_clause in groupby(edges, lambda edge: edge.clause):
            listed = list(of_clause)
            paths = join_paths(listed, self._render_node, self._render_edge)
            conditions = list(self._render_references([edge.target for edge in listed]))
            where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
            yield f"{keyword} {paths}{where}"

    def _render_references(self, nodes: Sequence[int]) -> Iterator[str]:
        """The comparisons of some nodes with properties of other nodes."""
        for node in nodes:
            for each in self._query.nodes[node].filters:
                if each.reference:
                    yield self.values.render_filter(f"x{node}", each)

    def _render_node(self, index: int) -> str:
        node = self._query.nodes[index]
        if node.same is not None:
            return f"(x{node.same})"
        if index in self._written:
            return f"(x{index})"
        self._written.add(index)
        label = f":{quote_name(node.label)}" if node.label else ""
        return f"(x{index}{label}{self._render_where(f'x{index}', node.filters)})"

    def _render_edge(self, edge: QueryEdge) -> str:
        index = self._query.edges.index(edge)
        name = f"r{index}" if edge.filters or index in self._named_edges else ""
        left, right = _SIDES[edge.direction]
        where = self._render_where(name, edge.filters)
        return f"{left}[{name}:{quote_name(edge.type)}{where}]{right}"

    def _render_where(self, variable: str, filters: Sequence[QueryFilter]) -> str:
        """The conditions that stand inside a node or relationship."""
        own = [self.values.render_filter(variable, each) for each in filters if not each.reference]
        return f" WHERE {' AND '.join(own)}" if own else ""


def _render_rows(query: QueryGraph, values: ValueRenderer) -> Iterator[str]:
    """The clauses of the rows: what is returned, in which order, and how many rows."""
    columns: Mapping[ReturnItem, str] = {}
    if query.needs_grouping_first:
        columns = _name_columns(query)
        yield _render_groups(query, columns)
        if query.conditions:
            held = (
                f"{columns[each.item]} {each.operator} {values.render_value(each.values)}"
                for each in query.conditions
            )
            yield f"WHERE {' AND '.join(held)}"
    if (node := query.find_node_once()) is not None:
        yield f"WITH DISTINCT x{node}"
    distinct = "DISTINCT " if query.is_distinct else ""
    returned = (columns.get(item) or render_operand(item) for item in query.items)
    yield f"RETURN {distinct}{', '.join(returned)}"
    if query.orders:
        keys = (
            render_order(query, order, columns.get(order.item) or render_operand(order.item))
            for order in query.orders
        )
        yield f"ORDER BY {', '.join(keys)}"
    if query.skip:
        yield f"SKIP {query.skip}"
    if query.limit is not None:
        yield f"LIMIT {query.limit}"


def render_order(query: QueryGraph, order: ReturnOrder, key: str) -> str:
    """An order of rows. Where a value is not known, the row comes last in both directions: to Neo4j
    null is greater than all values, so `DESC` alone would have it first."""
    if not order.descending:
        return f"{key} ASC"
    return f"{key} IS NULL, {key} DESC" if _may_be_null(query, order.item) else f"{key} DESC"


def _may_be_null(query: QueryGraph, item: ReturnItem) -> bool:
    if item.form.function in _NEVER_NULL:
        return False
    owner = query.nodes[item.node] if item.edge is None else query.edges[item.edge]
    is_known = any(f.property == item.key and f.operator == "IS NOT NULL" for f in owner.filters)
    return bool(item.term) or not is_known


def _name_columns(query: QueryGraph) -> dict[ReturnItem, str]:
    """The column names of aggregates, and of items that belong to no node of a group."""
    names: dict[ReturnItem, str] = {}
    by_column: dict[object, str] = {}
    for item in query.list_operands():
        if item.is_aggregate or not _is_of_groups(item, query.groups):
            names[item] = by_column.setdefault(item.column, f"c{len(by_column)}")
    return names


def _is_of_groups(item: ReturnItem, groups: Sequence[int]) -> bool:
    """Whether all that an item is made of belongs to the nodes of groups."""
    term = item.term
    is_of_groups = item.edge is None and item.node in groups
    return is_of_groups and (term is None or (term.edge is None and term.node in groups))


def _render_groups(query: QueryGraph, columns: Mapping[ReturnItem, str]) -> str:
    """The clause that makes groups."""
    made = {name: render_operand(item) for item, name in columns.items()}
    parts = [*(f"x{node}" for node in query.groups), *(f"{of} AS {n}" for n, of in made.items())]
    is_plain = not any(item.is_aggregate for item in columns)
    return f"WITH {'DISTINCT ' if is_plain else ''}{', '.join(parts)}"
