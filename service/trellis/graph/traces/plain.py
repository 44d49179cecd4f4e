"""Traces in plain Cypher, for servers without our procedures.

It reads the relationships that may take part, edge by edge of the schema graph, and traces them
here. It gives the same results as the procedure, but more slowly, because all of them travel over
the network; beyond a number of relationships it says that its results are not complete.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from trellis.domain.errors import PatternError
from trellis.domain.graph import Node, NodeId, Triple
from trellis.domain.traces import Trace, Traces, TraceSearch
from trellis.graph.connection import GraphConnection, Row
from trellis.graph.nodes import is_visible_expression, read_nodes_by_id
from trellis.graph.patterns.edge_groups import StoredRelationship
from trellis.graph.traces.plan import TraceStep, find_start, plan_steps, rank_anchors
from trellis.graph.traces.tracing import FoundTrace, Tracer
from trellis.graph.traversal import HiddenKinds

_MOST_READ = 200_000  # relationships of one edge

_LISTED = f"""
UNWIND $ids AS id MATCH (n) WHERE elementId(n) = id
RETURN id, {is_visible_expression("n")} AS visible
"""
_RELATIONSHIPS = f"""
UNWIND $ids AS id MATCH (n)-[r]-(m) WHERE elementId(n) = id
  AND NOT toLower(type(r)) STARTS WITH '_trellis' AND NOT type(r) IN $hiddenTypes
  AND ($types IS NULL OR type(r) IN $types)
  AND ($others IS NULL OR elementId(m) IN $others) AND {is_visible_expression("m")}
RETURN DISTINCT elementId(r) AS id, type(r) AS type, elementId(startNode(r)) AS start,
       elementId(endNode(r)) AS end LIMIT $most
"""


@dataclass(frozen=True, slots=True)
class PlainTraces:
    """Traces without our procedures."""

    connection: GraphConnection
    hidden: HiddenKinds

    async def search(self, search: TraceSearch, seconds: float) -> Traces:
        deadline = time.monotonic() + seconds
        visible = await self._check_listed(search)
        relationships, is_cut = await self._read_steps(search, visible)
        tracer = Tracer(search, relationships, deadline)
        found = await asyncio.to_thread(tracer.find, visible)
        ids = {id for trace in found for id in trace.nodes}
        named = await read_nodes_by_id(self.connection, ids)
        built = tuple(_build_trace(t, named) for t in found if named.keys() >= {*t.nodes})
        return Traces(built, not (is_cut or tracer.is_cut))

    async def _check_listed(self, search: TraceSearch) -> set[NodeId]:
        """The listed nodes that are visible; raises PatternError for one that is not there."""
        listed = [
            (f"candidates.nodes[{position}].ids[{at}]", id)
            for position, given in enumerate(search.nodes)
            for at, id in enumerate(given.ids if given else ())
        ]
        listed += [(f"guidance[{at}]", id) for at, id in enumerate(search.guidance)]
        rows = {
            row["id"]: row["visible"]
            for row in await self._read_rows(_LISTED, ids=sorted({id for _, id in listed}))
        }
        for where, id in listed:
            if id not in rows:
                raise PatternError(
                    f"{where} is '{id}'", "allowed: element ids of nodes that are there"
                )
        return {id for id, is_visible in rows.items() if is_visible}

    async def _read_steps(
        self, search: TraceSearch, visible: set[NodeId]
    ) -> tuple[Iterable[StoredRelationship], bool]:
        """The relationships that may be part of traces, and whether there are too many to read."""
        anchors = rank_anchors(search)
        start = find_start(anchors)
        nodes = {start: visible & {*(anchors[start] or {})}}
        stored: dict[str, StoredRelationship] = {}
        is_cut = False
        for step in plan_steps(search.schema_graph, start):
            table = anchors[step.end]
            others = nodes[step.end] if step.closes else None if table is None else {*table}
            rows = await self._read_relationships(search, step, nodes[step.origin], others)
            is_cut |= len(rows) > _MOST_READ
            read = [StoredRelationship(r["id"], r["type"], r["start"], r["end"]) for r in rows]
            stored |= {each.id: each for each in read}
            ends = {end for each in read for end in _list_ends(each, nodes[step.origin])}
            nodes.setdefault(step.end, ends if others is None else ends & others)
        return stored.values(), is_cut

    async def _read_relationships(
        self, search: TraceSearch, step: TraceStep, origins: set[NodeId], others: set[NodeId] | None
    ) -> list[Row]:
        given = search.relations[step.edge]
        return await self._read_rows(
            _RELATIONSHIPS,
            ids=sorted(origins),
            others=None if others is None else sorted(others),
            types=None if given is None else sorted(set(given.types)),
            most=_MOST_READ + 1,
        )

    async def _read_rows(self, query: str, **parameters: Any) -> list[Row]:
        return await self.connection.read_rows(
            query,
            **self.hidden.as_parameters(),
            **parameters,
        )


def _list_ends(stored: StoredRelationship, origins: set[NodeId]) -> Iterable[NodeId]:
    """The nodes that a relationship leads to from some nodes."""
    pairs = ((stored.start, stored.end), (stored.end, stored.start))
    return (end for origin, end in pairs if origin in origins)


def _build_trace(found: FoundTrace, named: dict[NodeId, Node]) -> Trace:
    stored = [option.relationship for option in found.options]
    return Trace(
        found.score,
        tuple(named[id] for id in found.nodes),
        tuple(Triple(named[r.start], r.type, named[r.end]) for r in stored),
        tuple(option.score for option in found.options),
        tuple(r.id for r in stored),
    )
