"""Grounding: finds all nodes that a path's relations reach, by one query with a MATCH per step.

Each step is a MATCH clause of its own, because Cypher forbids the same relationship twice within
one clause. Only `revisit` decides whether a walk may come back to a node.

Types are one list of parameters: all paths of one shape share one plan, which Neo4j keeps by the
magnitude of each parameter's length, too. To plan a query takes Neo4j far longer than to filter
the relationships of a few nodes by type.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from trellis.domain.graphs.graph import Node, NodeId, ReachedNode, RelationPath, Revisit, Step, Walk
from trellis.domain.limits.many_rows import work_through_rows
from trellis.graph.database.connection import GraphConnection, Row
from trellis.graph.database.nodes import name_expression, read_nodes_by_id
from trellis.graph.neighbourhoods.traversal import HiddenKinds


async def reach_nodes(
    connection: GraphConnection,
    path: RelationPath,
    revisit: Revisit,
    limit: int,
    hidden: HiddenKinds,
) -> list[ReachedNode]:
    """The nodes at the end of the path; those that most walks reach come first, then by name.

    If the path names nodes (`path.nodes`), every step but the last must end in one of them. Walks
    over two parallel relationships count as two.
    """
    query, parameters = build_reach_query(path, revisit, hidden)
    rows = await connection.read_rows(query, **parameters, limit=limit)
    nodes = await read_nodes_by_id(connection, (node for row in rows for node in row["walk"]))
    return await work_through_rows(len(rows), _list_reached, path, rows, nodes)


def _list_reached(
    path: RelationPath, rows: Sequence[Row], nodes: Mapping[NodeId, Node]
) -> list[ReachedNode]:
    """The nodes at the ends of walks, without those of which a node was deleted in between."""
    whole = [row for row in rows if nodes.keys() >= set(row["walk"])]
    walks = [Walk(tuple(nodes[i] for i in row["walk"]), path.steps) for row in whole]
    return [ReachedNode(w.tail, w, row["walks"]) for w, row in zip(walks, whole, strict=True)]


def build_reach_query(
    path: RelationPath, revisit: Revisit, hidden: HiddenKinds
) -> tuple[str, dict[str, Any]]:
    """The query and its parameters: its text depends on the path's shape alone."""
    allowed = _build_node_parameters(path)
    lines = ["MATCH (a) WHERE elementId(a) IN $anchors"]
    lines.append("WITH a, a AS n, 1 AS walks, [elementId(a)] AS walk")
    for index, step in enumerate(path.steps):
        parameter = f"$nodes{index}" if f"nodes{index}" in allowed else ""
        lines += _build_step(index, step, revisit, parameter, nothing_hidden=not hidden.labels)
    lines.append("WITH n, sum(walks) AS walks, min(walk) AS walk")
    lines.append(f"RETURN walk, walks ORDER BY walks DESC, {name_expression('n')}, elementId(n)")
    return "\n".join([*lines, "LIMIT $limit"]), {
        "anchors": list(path.anchors),
        "types": [step.relation for step in path.steps],
        **allowed,
        **({"hidden": list(hidden.labels)} if hidden.labels else {}),
    }


def _build_node_parameters(path: RelationPath) -> Mapping[str, list[NodeId]]:
    """The nodes in which each step but the last must end, as query parameters."""
    inner = path.nodes[: len(path.steps) - 1]
    return {f"nodes{index}": list(nodes) for index, nodes in enumerate(inner)}


def _build_step(
    index: int, step: Step, revisit: Revisit, allowed_nodes: str, *, nothing_hidden: bool
) -> list[str]:
    """The clauses of one hop. Unless walks must be simple, those that meet in a node are merged and
    counted."""
    pattern = f"(n)<-[r{index}]-(m)" if step.reversed else f"(n)-[r{index}]->(m)"
    conditions = [f"type(r{index}) = $types[{index}]"]
    conditions += [_FORBIDDEN[revisit]] if _FORBIDDEN[revisit] else []
    conditions += [f"elementId(m) IN {allowed_nodes}"] if allowed_nodes else []
    conditions += [] if nothing_hidden else ["none(l IN labels(m) WHERE l IN $hidden)"]
    merged = "sum(walks) AS walks, min(walk + elementId(m)) AS walk"
    single = "walks, walk + elementId(m) AS walk"
    return [
        f"MATCH {pattern} WHERE {' AND '.join(conditions)}",
        f"WITH a, m AS n, {single if revisit == 'simple' else merged}",
    ]


_FORBIDDEN: Mapping[Revisit, str] = {
    "any": "",
    "not_topic": "m <> a",
    "simple": "NOT elementId(m) IN walk",
}
