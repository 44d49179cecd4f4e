"""Shared nodes: what each of some nodes is related to directly, the telling ones first.

A node of few relationships says much of those that share it, a hub little: `Africa` of two
countries, where half of the graph is in Africa.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trellis.domain.errors import GraphTimeoutError
from trellis.domain.graphs.graph import Node, Walk
from trellis.domain.identifiers import quote_name
from trellis.domain.structures.cypher import CypherQuery, QueryLimits
from trellis.steps.ground.connect_nodes import LONGEST_SEARCH, ConnectionSearch

_QUERY = """\
MATCH path = (a)-[r]-(n)
WHERE {conditions}
WITH n, a, type(r) AS type, startNode(r) = a AS leaves, head(collect(path)) AS path
WITH n, count(DISTINCT a) AS reached, collect(path) AS paths
WHERE reached = size($ends)
WITH n, paths, COUNT {{ (n)--() }} AS relationships ORDER BY relationships, elementId(n)
WITH count(*) AS total, collect({{paths: paths, relationships: relationships}})[..$most] AS first
UNWIND first AS each
RETURN each.paths, each.relationships, total"""
_ENDS = ("elementId(a) IN $ends", "NOT elementId(n) IN $ends")


@dataclass(frozen=True, slots=True)
class SharedNode:
    """A node that all ends are related to. `walks`: from each end to it, one for each type of the
    relationships between them. `relationships`: how many it has in all."""

    node: Node
    walks: tuple[Walk, ...]
    relationships: int


@dataclass(frozen=True, slots=True)
class SharedNodes:
    """What nodes share: the first nodes, of the fewest relationships, and the `total`.

    `query`: the one that found them, or none. `is_late`: it took too long, and nothing is known.
    """

    nodes: tuple[SharedNode, ...]
    query: CypherQuery
    total: int = 0
    is_late: bool = False


async def find_shared_nodes(search: ConnectionSearch, ends: Sequence[Node]) -> SharedNodes:
    """What each of the ends is related to, in any direction; as many nodes as the search gives
    paths, and none of what it hides."""
    query = _build_query(search, ends)
    try:
        found = await search.queries.run(query, QueryLimits(seconds=LONGEST_SEARCH))
    except GraphTimeoutError:
        return SharedNodes((), query, is_late=True)
    order = [end.id for end in ends]
    nodes = [_read_node(walks, size, order) for walks, size, _ in found.rows]
    nodes.sort(key=lambda it: (it.relationships, it.node.name))
    return SharedNodes(tuple(nodes), query, found.rows[0][-1] if found.rows else 0)


def _build_query(search: ConnectionSearch, ends: Sequence[Node]) -> CypherQuery:
    params: dict[str, object] = {"ends": [end.id for end in ends], "most": search.most_paths}
    conditions = [*_ENDS, *(f"NOT n:{quote_name(label)}" for label in search.hidden_labels)]
    if search.hidden_types:
        conditions.append("NOT type(r) IN $hiddenTypes")
        params["hiddenTypes"] = list(search.hidden_types)
    return CypherQuery(_QUERY.format(conditions="\n  AND ".join(conditions)), params)


def _read_node(walks: Sequence[Walk], relationships: int, order: Sequence[str]) -> SharedNode:
    """The node of a row, its walks in the order of the ends, those of one end by their types. Of
    types that lead both ways, such as borders, one way is kept: the other says the same."""
    kept: dict[tuple[str, str], Walk] = {}
    for walk in sorted(walks, key=lambda walk: (order.index(walk.anchor.id), walk.steps)):
        kept.setdefault((walk.anchor.id, walk.steps[0].relation), walk)
    return SharedNode(walks[0].tail, tuple(kept.values()), relationships)
