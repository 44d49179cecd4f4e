"""Denials: how many things a query says not to be so."""

from __future__ import annotations

from collections.abc import Sequence

from trellis.automata.cypher.meaning.query import QueryFilter, QueryGraph
from trellis.domain.graphs.links import StoredValue
from trellis.domain.graphs.schema import says_no


def count_denials(graph: QueryGraph, values: Sequence[StoredValue]) -> int:
    """How many things a query denies; each of the names that it rules out is one."""
    scopes = [at for at, scope in enumerate(graph.scopes, 1) if scope.kind in ("none", "number")]
    visible = [each for scope, each in _list_filters(graph) if not _is_denied(graph, scope)]
    denying = [each for each in visible if _denies(each, values)]
    count = sum(max(1, len(each.list_choices())) for each in denying)
    for scope in scopes:
        within = [each for number, each in _list_filters(graph) if number == scope]
        count += max([1, *(len(each.list_choices()) for each in within)])
    return count


def _is_denied(graph: QueryGraph, scope: int) -> bool:
    return bool(scope) and graph.scopes[scope - 1].kind == "none"


def _list_filters(graph: QueryGraph) -> list[tuple[int, QueryFilter]]:
    """All filters, each with the number of the scope that it belongs to."""
    of_nodes = [(node.scope, each) for node in graph.nodes for each in node.filters]
    return of_nodes + [(edge.scope, each) for edge in graph.edges for each in edge.filters]


def _denies(each: QueryFilter, values: Sequence[StoredValue]) -> bool:
    """Whether a filter wants something not to be so: another value, none, or a flag not set."""
    if each.operator == "IS NULL":
        return not each.is_negated
    is_unset = any(says_no(values[number].value) for number in each.values)
    return each.is_negated or each.operator == "<>" or (each.operator == "=" and is_unset)
