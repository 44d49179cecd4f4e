"""Reads what may be part of matches or traces, in plain Cypher, for servers without our procedures.

All of it travels over the network, so beyond a number of relationships it is cut.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from trellis.domain.errors import PatternError
from trellis.domain.graphs.graph import NodeId
from trellis.graph.database.connection import GraphConnection, Row
from trellis.graph.database.nodes import is_visible_expression
from trellis.graph.neighbourhoods.traversal import HiddenKinds
from trellis.graph.patterns.edge_groups import StoredRelationship

_MOST_READ = 200_000  # rows of one query

_LISTED = f"""
UNWIND $ids AS id MATCH (n) WHERE elementId(n) = id
RETURN id, {is_visible_expression("n")} AS visible
"""
_RELATIONSHIPS = f"""
UNWIND $ids AS id MATCH (n)-[r]-(m) WHERE elementId(n) = id
  AND NOT toLower(type(r)) STARTS WITH '_trellis' AND NOT type(r) IN $hiddenTypes
  AND ($types IS NULL OR type(r) IN $types) AND ($loops IS NULL OR (m = n) = $loops)
  AND ($others IS NULL OR elementId(m) IN $others) AND {is_visible_expression("m")}
RETURN DISTINCT elementId(r) AS id, type(r) AS type, elementId(startNode(r)) AS start,
       elementId(endNode(r)) AS end LIMIT $most
"""


@dataclass(slots=True)
class PlainReading:
    """What was read so far: relationships by id, what each node of a pattern, or schema graph, may
    be, and whether anything was cut."""

    connection: GraphConnection
    hidden: HiddenKinds
    relationships: dict[str, StoredRelationship] = field(default_factory=dict)
    nodes: dict[int, set[NodeId]] = field(default_factory=dict)
    is_cut: bool = False

    async def find_visible(
        self, listed: Sequence[Sequence[NodeId]], guidance: Sequence[NodeId] = ()
    ) -> set[NodeId]:
        """The visible ones of the ids that are listed for each node, and of guidance; raises
        PatternError for one that is not there."""
        places = {
            f"candidates.nodes[{position}].ids[{at}]": id
            for position, ids in enumerate(listed)
            for at, id in enumerate(ids)
        } | {f"guidance[{at}]": id for at, id in enumerate(guidance)}
        rows = await self.read_rows(_LISTED, ids=sorted({*places.values()}))
        visible = {row["id"]: row["visible"] for row in rows}
        for where, id in places.items():
            if id not in visible:
                raise PatternError(
                    f"{where} is '{id}'", "allowed: element ids of nodes that are there"
                )
        return {id for id, is_visible in visible.items() if is_visible}

    async def reach(
        self,
        starts: set[NodeId],
        others: set[NodeId] | None,
        types: Iterable[str] | None,
        *,
        loops: bool | None = None,
    ) -> set[NodeId]:
        """Read the relationships between some nodes and others (None: any); gives those of the
        others that they lead to. `loops`: whether only loops are read, or none."""
        rows = await self.read_most_rows(
            _RELATIONSHIPS,
            ids=sorted(starts),
            others=None if others is None else sorted(others),
            types=None if types is None else sorted({*types}),
            loops=loops,
        )
        read = [StoredRelationship(r["id"], r["type"], r["start"], r["end"]) for r in rows]
        self.relationships |= {each.id: each for each in read}
        pairs = [pair for r in read for pair in ((r.start, r.end), (r.end, r.start))]
        ends = {end for start, end in pairs if start in starts}
        return ends if others is None else ends & others

    async def read_most_rows(self, query: str, **parameters: Any) -> list[Row]:
        """The rows of a query that gives at most `$most`."""
        rows = await self.read_rows(query, most=_MOST_READ + 1, **parameters)
        self.is_cut |= len(rows) > _MOST_READ
        return rows

    async def read_rows(self, query: str, **parameters: Any) -> list[Row]:
        """The rows of a query, which may leave out what is hidden."""
        hidden: dict[str, Any] = self.hidden.as_parameters()
        return await self.connection.read_rows(query, **hidden, **parameters)
