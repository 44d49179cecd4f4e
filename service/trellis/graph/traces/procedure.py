"""Traces by one call of our procedure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from trellis.domain.errors import GraphError
from trellis.domain.graphs.graph import Node, NodeId
from trellis.domain.structures.traces import MOST_ANCHORS, Trace, Traces, TraceSearch
from trellis.graph.database.connection import GraphConnection, Row
from trellis.graph.database.nodes import read_nodes_by_id
from trellis.graph.neighbourhoods.traversal import HiddenKinds
from trellis.graph.patterns.procedure import locate_row, translate_refusal

_SEARCH = """
CALL trellis.trace.search($schemaGraph, $candidates, $guidance, $config)
YIELD score, nodes, relationships, types, scores, complete
RETURN score, nodes, relationships, types, scores, complete,
       COLLECT { UNWIND relationships AS id MATCH (n)-[r]->() WHERE elementId(r) = id
                 RETURN {id: id, start: elementId(n)} } AS starts
"""


@dataclass(frozen=True, slots=True)
class ProcedureTraces:
    """Traces in the database."""

    connection: GraphConnection
    hidden: HiddenKinds

    async def search(self, search: TraceSearch, seconds: float) -> Traces:
        graph = search.schema_graph
        try:
            rows = await self.connection.read_rows(
                _SEARCH,
                schemaGraph={"nodes": graph.nodes, "edges": [list(edge) for edge in graph.edges]},
                candidates=_write_candidates(search),
                guidance=list(search.guidance),
                config=self._write_config(search, seconds),
            )
        except GraphError as error:
            raise translate_refusal(error) from error
        ids = {id for row in rows for id in row["nodes"]}
        named = await read_nodes_by_id(self.connection, ids) if ids else {}
        traces = [trace for row in rows if (trace := _parse_trace(row, search, named))]
        return Traces(tuple(traces), all(row["complete"] for row in rows))

    def _write_config(self, search: TraceSearch, seconds: float) -> dict[str, Any]:
        rules = search.rules
        return {
            "strategy": rules.strategy,
            "threshold": rules.threshold,
            "bias": rules.bias,
            "boost": rules.boost,
            "turned": rules.turned,
            "anchors": MOST_ANCHORS,
            "revisit": rules.revisit,
            "shapes": rules.has_shapes,
            "limit": rules.limit,
            "timeout": seconds,
            "summary": True,
            **self.hidden.as_exclusions(),
        }


def _write_candidates(search: TraceSearch) -> dict[str, list[dict[str, list[Any]] | None]]:
    """The candidates as the procedure takes them."""
    return {
        "nodes": [
            {"ids": list(given.ids), "scores": list(given.scores)} if given else None
            for given in search.nodes
        ],
        "relations": [
            {"types": list(given.types), "scores": list(given.scores)} if given else None
            for given in search.relations
        ],
    }


def _parse_trace(row: Row, search: TraceSearch, named: Mapping[NodeId, Node]) -> Trace | None:
    """A row's trace; None if it has none, or parts of it were deleted in between."""
    located = locate_row(row, search.schema_graph.edges, named)
    if located is None:
        return None
    nodes, triples = located
    scores = tuple(row["scores"])
    return Trace(row["score"], nodes, triples, scores, tuple(row["relationships"]))
