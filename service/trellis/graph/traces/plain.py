"""Traces in plain Cypher, for servers without our procedures.

It reads the relationships that may take part, edge by edge of the schema graph, and traces them
here. It gives the same results as the procedure, but more slowly; where what was read is cut, it
says that its results are not complete.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass

from trellis.domain.graphs.graph import Node, NodeId, Triple
from trellis.domain.structures.traces import Trace, Traces, TraceSearch
from trellis.graph.database.connection import GraphConnection
from trellis.graph.database.nodes import read_nodes_by_id
from trellis.graph.neighbourhoods.traversal import HiddenKinds
from trellis.graph.patterns.plain_reading import PlainReading
from trellis.graph.traces.plan import find_start, plan_steps, rank_anchors
from trellis.graph.traces.tracing import FoundTrace, Tracer


@dataclass(frozen=True, slots=True)
class PlainTraces:
    """Traces without our procedures."""

    connection: GraphConnection
    hidden: HiddenKinds

    async def search(self, search: TraceSearch, seconds: float) -> Traces:
        deadline = time.monotonic() + seconds
        reading = PlainReading(self.connection, self.hidden)
        listed = [given.ids if given else () for given in search.nodes]
        visible = await reading.find_visible(listed, search.guidance)
        await _read_steps(search, visible, reading)
        tracer = Tracer(search, reading.relationships.values(), deadline)
        found = await asyncio.to_thread(tracer.find, visible)
        ids = {id for trace in found for id in trace.nodes}
        named = await read_nodes_by_id(self.connection, ids)
        built = tuple(_build_trace(t, named) for t in found if named.keys() >= {*t.nodes})
        return Traces(built, not (reading.is_cut or tracer.is_cut))


async def _read_steps(search: TraceSearch, visible: set[NodeId], reading: PlainReading) -> None:
    """Read the relationships that may be part of traces."""
    anchors = rank_anchors(search)
    start = find_start(anchors)
    nodes = reading.nodes
    nodes[start] = visible & {*(anchors[start] or {})}
    for step in plan_steps(search.schema_graph, start):
        table, given = anchors[step.end], search.relations[step.edge]
        others = nodes[step.end] if step.closes else None if table is None else {*table}
        ends = await reading.reach(nodes[step.origin], others, given.types if given else None)
        nodes.setdefault(step.end, ends)


def _build_trace(found: FoundTrace, named: dict[NodeId, Node]) -> Trace:
    stored = [option.relationship for option in found.options]
    return Trace(
        found.score,
        tuple(named[id] for id in found.nodes),
        tuple(Triple(named[r.start], r.type, named[r.end]) for r in stored),
        tuple(option.score for option in found.options),
        tuple(r.id for r in stored),
    )
