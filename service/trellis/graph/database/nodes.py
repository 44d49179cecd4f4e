"""Cypher that returns a node as id, name and labels, without reserved labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from trellis.domain.graphs.graph import Node, NodeId
from trellis.graph.database.connection import GraphConnection
from trellis.graph.database.names import META

_BY_ID = "MATCH (n) WHERE elementId(n) IN $ids RETURN {node} AS node"


def name_expression(variable: str) -> str:
    """The Cypher expression of a node's name: the indexed name, else a usual property, else the
    element id."""
    usual = ", ".join(f"toStringOrNull({variable}.{p})" for p in ("name", "title", "label"))
    return f"coalesce({variable}._trellis_name, {usual}, elementId({variable}))"


def node_expression(variable: str) -> str:
    """The Cypher expression of the map that `parse_node` reads."""
    labels = f"[l IN labels({variable}) WHERE NOT toLower(l) STARTS WITH '_trellis']"
    return f"{{id: elementId({variable}), name: {name_expression(variable)}, labels: {labels}}}"


def is_visible_expression(variable: str) -> str:
    """The Cypher expression that says whether a node is shown; `$hiddenLabels` are not."""
    return f"NOT {variable}:{META} AND none(l IN labels({variable}) WHERE l IN $hiddenLabels)"


def parse_node(row: Mapping[str, Any]) -> Node:
    return Node(row["id"], row["name"], tuple(row["labels"]))


async def read_nodes_by_id(
    connection: GraphConnection, ids: Iterable[NodeId]
) -> dict[NodeId, Node]:
    """Read nodes by their element ids; deleted nodes are left out."""
    rows = await connection.read_rows(
        _BY_ID.format(node=node_expression("n")), ids=sorted(set(ids))
    )
    return {row["node"]["id"]: parse_node(row["node"]) for row in rows}
