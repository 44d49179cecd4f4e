"""Writes a query graph as the text of a sentence: ordinary Cypher on one line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from trellis.automata.cypher.clauses.matching import write_edge
from trellis.automata.cypher.clauses.subpatterns import SCOPE_BEGINNINGS, SCOPE_CLOSING
from trellis.automata.cypher.clauses.texts import (
    name_column,
    name_edges,
    name_variable,
    write_node,
    write_operand,
    write_property,
    write_value,
)
from trellis.automata.cypher.meaning.items import ReturnItem, ReturnOrder
from trellis.automata.cypher.meaning.paths import join_paths
from trellis.automata.cypher.meaning.query import QueryEdge, QueryFilter, QueryGraph, QueryScope
from trellis.automata.cypher.words.bound_values import Lexicon
from trellis.domain.errors import CypherReadError


class SentenceRenderer:
    """Writes the sentence of a query whose nodes and relationships stand in its order."""

    def __init__(self, lexicon: Lexicon, query: QueryGraph) -> None:
        self._lexicon = lexicon
        self._query = query
        self._rows = _RowRenderer(lexicon, query)
        self._nodes = self._rows.nodes
        self._edges = self._rows.edges
        self._written: set[int] = set()

    def render_sentence(self) -> str:
        return "".join([*self._render_pattern(), *self._rows.render_rows()])

    def _render_pattern(self) -> Iterator[str]:
        query = self._query
        rank = query.find_rank()
        if rank:
            yield from self._render_rank(rank, query.scopes[rank - 1])
        ranked = query.scopes[rank - 1].node if rank else -1
        yield from self._render_clauses(" MATCH", 0)
        conditions = [*self._render_conditions(0, ranked), *self._render_scopes()]
        yield _join_conditions(conditions)
        for number, scope in enumerate(query.scopes, 1):
            if scope.kind == "optional":
                yield from self._render_optional(number)

    def _render_rank(self, number: int, scope: QueryScope) -> Iterator[str]:
        """The first nodes in an order."""
        yield from self._render_clauses(" MATCH", number)
        own = self._render_filters(self._nodes[scope.node], self._query.nodes[scope.node].filters)
        yield _join_conditions([*own, *self._render_conditions(number, scope.node)])
        assert scope.order
        yield f" WITH {self._nodes[scope.node]}"
        yield self._rows.render_rank_key(scope.order)
        yield f" {'DESC' if scope.order.descending else 'ASC'}"
        yield f" SKIP {scope.skip}" if scope.skip else ""
        yield f" LIMIT {scope.limit}"

    def _render_scopes(self) -> Iterator[str]:
        """The scopes that are conditions."""
        for number, scope in enumerate(self._query.scopes, 1):
            if scope.kind in ("first", "optional"):
                continue
            inside = "".join(self._render_clauses(" MATCH", number))
            where = _join_conditions(list(self._render_conditions(number)))
            beginning = SCOPE_BEGINNINGS[scope.kind].lstrip()
            compared = f" {scope.operator} {self._render_number(scope.values)}"
            ending = compared if scope.kind == "number" else ""
            yield f"{beginning}{inside}{where}{SCOPE_CLOSING}{ending}"

    def _render_optional(self, number: int) -> Iterator[str]:
        edges = [edge for edge in self._query.edges if edge.scope == number]
        for _, of_clause in groupby(edges, lambda edge: edge.clause):
            listed = list(of_clause)
            yield f" OPTIONAL MATCH {join_paths(listed, self._render_node, self._render_edge)}"
            yield _join_conditions(list(self._render_edge_conditions(listed)))

    def _render_clauses(self, keyword: str, scope: int) -> Iterator[str]:
        edges = [edge for edge in self._query.edges if edge.scope == scope]
        first = self._find_lone_node(edges, scope)
        if first not in self._written and first >= 0:
            yield f"{keyword} {self._render_node(first)}"
        for _, of_clause in groupby(edges, lambda edge: edge.clause):
            yield f"{keyword} {join_paths(of_clause, self._render_node, self._render_edge)}"

    def _find_lone_node(self, edges: Sequence[QueryEdge], scope: int) -> int:
        """The node that stands alone in the first clause of a scope, or -1."""
        if edges and edges[0].type:
            return -1
        if scope and self._query.scopes[scope - 1].kind == "first":
            return self._query.scopes[scope - 1].node
        return -1 if scope else 0

    def _render_edge(self, edge: QueryEdge) -> str:
        name = self._edges[self._query.edges.index(edge)]
        return write_edge(edge.direction, name, edge.type)[1:-1]

    def _render_node(self, index: int) -> str:
        node = self._query.nodes[index]
        is_new = node.same is None and index not in self._written
        self._written.add(index)
        return f"({write_node(self._nodes[index], node.label if is_new else '')})"

    def _render_conditions(self, scope: int, ranked: int = -1) -> Iterator[str]:
        """The conditions on the nodes and relationships of a scope, but for a ranked node."""
        if not scope and ranked != 0 and not self._query.nodes[0].scope:
            yield from self._render_filters(self._nodes[0], self._query.nodes[0].filters)
        edges = [edge for edge in self._query.edges if edge.scope == scope]
        kept = [edge for edge in edges if edge.target != ranked]
        yield from self._render_edge_conditions(kept)

    def _render_edge_conditions(self, edges: Sequence[QueryEdge]) -> Iterator[str]:
        for edge in edges:
            node = self._query.nodes[edge.target]
            yield from self._render_filters(self._nodes[edge.target], node.filters)
        for edge in edges:
            name = self._edges[self._query.edges.index(edge)]
            yield from self._render_filters(name, edge.filters)

    def _render_filters(self, variable: str, filters: Sequence[QueryFilter]) -> Iterator[str]:
        yield from (self._render_filter(variable, each) for each in filters)

    def _render_filter(self, variable: str, each: QueryFilter) -> str:
        of = write_property(variable, each.property, each.part)
        values = self._list_values(each)
        negation = "NOT " if each.is_negated else ""
        if each.reference:
            other = each.reference
            right = write_property(self._nodes[other.node], other.property, other.part)
            return f"{of} {each.operator} {right}"
        if not values:
            return f"{of} {each.operator}"
        if each.operator in ("=", "<>") and len(values) > 1:
            return f"{'NOT ' if each.operator == '<>' else ''}{of} IN [{', '.join(values)}]"
        compared = [
            f"{value} IN {of}" if each.operator == "HAS" else f"{of} {each.operator} {value}"
            for value in values
        ]
        return negation + (compared[0] if len(compared) == 1 else f"({' OR '.join(compared)})")

    def _list_values(self, each: QueryFilter) -> list[str]:
        """The values of a filter, in the order of the linked values."""
        known = self._lexicon.values
        texts = (write_value(known[of[0]], each.part) for of in sorted(each.list_choices()))
        return list(dict.fromkeys(texts))

    def _render_number(self, values: Sequence[int]) -> str:
        return write_value(self._lexicon.values[values[0]]) if values else ""


class _RowRenderer:
    """Writes what is returned, with the groups before it."""

    def __init__(self, lexicon: Lexicon, query: QueryGraph) -> None:
        self._lexicon = lexicon
        self._query = query
        self.nodes = _name_nodes(query)
        self.edges = name_edges(query, lexicon)
        self._groups = _list_groups(query)
        self._columns = _list_columns(query, self._groups) if query.needs_grouping_first else []

    def render_rank_key(self, order: ReturnOrder) -> str:
        """The order of first nodes; an aggregate gets a column."""
        text = write_operand(order.item, self.nodes, self.edges)
        if not order.item.is_aggregate:
            return f" ORDER BY {text}"
        name = name_column(order.item, 0)
        return f", {text} AS {name} ORDER BY {name}"

    def render_rows(self) -> Iterator[str]:
        query = self._query
        if query.needs_grouping_first:
            yield from self._render_groups()
        distinct = " DISTINCT" if query.is_distinct else ""
        yield f" RETURN{distinct} {', '.join(map(self._render_item, query.items))}"
        if query.orders:
            yield f" ORDER BY {', '.join(map(self._render_order, query.orders))}"
        yield f" SKIP {query.skip}" if query.skip else ""
        yield f" LIMIT {query.limit}" if query.limit is not None else ""

    def _render_groups(self) -> Iterator[str]:
        made = (
            f"{write_operand(item, self.nodes, self.edges)} AS {name_column(item, index)}"
            for index, item in enumerate(self._columns)
        )
        yield f" WITH {', '.join([*(self.nodes[node] for node in self._groups), *made])}"
        held = (
            f"{self._render_item(each.item)} {each.operator} "
            f"{write_value(self._lexicon.values[each.values[0]])}"
            for each in self._query.conditions
        )
        yield _join_conditions(list(held))

    def _render_item(self, item: ReturnItem) -> str:
        for index, column in enumerate(self._columns):
            if column.column == item.column:
                return name_column(column, index)
        return write_operand(item, self.nodes, self.edges)

    def _render_order(self, order: ReturnOrder) -> str:
        return f"{self._render_item(order.item)} {'DESC' if order.descending else 'ASC'}"


def _name_nodes(query: QueryGraph) -> list[str]:
    names: list[str] = []
    for node in query.nodes:
        if node.same is not None and node.same >= len(names):
            raise CypherReadError("the pattern comes back to a node that is said later")
        names.append(name_variable(node.label, names) if node.same is None else names[node.same])
    return names


def _list_groups(query: QueryGraph) -> list[int]:
    """The nodes that rows are grouped by, also those that are returned themselves."""
    whole = {i.node for i in query.items if i.edge is None and not i.key and not i.is_aggregate}
    return sorted({*query.groups, *whole})


def _list_columns(query: QueryGraph, groups: Sequence[int]) -> list[ReturnItem]:
    """What else rows are grouped by, and then the aggregates."""
    columns: dict[object, ReturnItem] = {}
    for item in query.list_operands():
        if item.is_aggregate or item.edge is not None or item.node not in groups:
            columns.setdefault(item.column, item)
    return sorted(columns.values(), key=lambda item: item.is_aggregate)


def _join_conditions(conditions: Sequence[str]) -> str:
    return f" WHERE {' AND '.join(conditions)}" if conditions else ""
