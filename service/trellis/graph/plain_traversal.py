"""Neighbourhoods and reachable paths in plain Cypher, for servers without our procedures.

It sends up to three queries for each level and one for names or labels. It gives the same results
as the procedures, but more slowly, because all relationships travel over the network.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from trellis.automata.relation_paths import relation_paths
from trellis.domain.graph import Cut, Neighbourhood, NodeId
from trellis.domain.reachable import Reachable
from trellis.graph.connection import GraphConnection, GraphVersion, Row
from trellis.graph.names import META, is_reserved
from trellis.graph.nodes import name_of
from trellis.graph.traversal import NOTHING_HIDDEN, Hidden

_VISIBLE = f"""
NOT toLower(type(r)) STARTS WITH '_trellis' AND NOT type(r) IN $hiddenTypes
  AND NOT m:{META} AND none(l IN labels(m) WHERE l IN $hiddenLabels)
"""
_BESIDE = f"""
CALL (n) {{
  MATCH (n)-[r]->(m) WHERE {_VISIBLE}
  RETURN 0 AS direction, type(r) AS type, elementId(m) AS other
  UNION ALL
  MATCH (n)<-[r]-(m) WHERE {_VISIBLE}
  RETURN 1 AS direction, type(r) AS type, elementId(m) AS other
}}
"""
_ANCHORS = f"""
UNWIND range(0, size($ids) - 1) AS at MATCH (m) WHERE elementId(m) = $ids[at]
  AND NOT m:{META} AND none(l IN labels(m) WHERE l IN $hiddenLabels)
RETURN elementId(m) AS id ORDER BY at
"""
_SIZE = """
UNWIND $ids AS id MATCH (n) WHERE elementId(n) = id
RETURN sum(COUNT { (n)-->() } + COUNT { (n)<--() }) AS entries
"""
_SIZES = f"""
UNWIND $ids AS id MATCH (n) WHERE elementId(n) = id {_BESIDE}
RETURN id, direction, type, count(*) AS total ORDER BY id, direction, type
"""
_ENTRIES = f"""
UNWIND $ids AS id MATCH (n) WHERE elementId(n) = id {_BESIDE}
WITH id, direction, type, other ORDER BY size(other), other
RETURN id, direction, type, collect(other)[..$cap] AS others, count(*) AS total
"""
_NAMES = """
UNWIND $ids AS id MATCH (n) WHERE elementId(n) = id RETURN id, {name} AS name
"""
_LABELS = "UNWIND $ids AS id MATCH (n) WHERE elementId(n) = id RETURN id, labels(n) AS labels"
_MOST_CUTS = 100


@dataclass(slots=True)
class _Found:
    """What was read so far: numbered nodes with their levels, rows of neighbours, cuts.

    A row holds one node's neighbours over one type and direction.
    """

    numbers: dict[NodeId, int]
    levels: list[int]
    rows: dict[NodeId, list[Row]] = field(default_factory=dict)
    cuts: list[Cut] = field(default_factory=list)

    def place(self, nodes: Iterable[NodeId], level: int) -> None:
        for node in sorted(set(nodes) - self.numbers.keys(), key=_by_number):
            self.numbers[node] = len(self.numbers)
            self.levels.append(level)


@dataclass(frozen=True, slots=True)
class PlainTraversal:
    """The traversal that needs no procedures."""

    connection: GraphConnection
    hidden: Hidden = NOTHING_HIDDEN

    async def neighbourhood(
        self,
        anchors: Sequence[NodeId],
        hops: int,
        *,
        edge_budget: int,
        names: bool,
        after: GraphVersion | None = None,
    ) -> Neighbourhood:
        """The procedure's result; if the budget cuts a level, all rows are cut to one length."""
        ids = list(dict.fromkeys(anchors))
        rows = await self._read(_ANCHORS, ids, after=after)
        seen = _Found({row["id"]: i for i, row in enumerate(rows)}, [0] * len(rows))
        level, nodes, budget = 0, list(seen.numbers), edge_budget
        while nodes and level < hops:
            budget -= await self._expand(seen, nodes, budget, after)
            level += 1
            known = len(seen.numbers)
            seen.place((o for n in nodes for row in seen.rows[n] for o in row["others"]), level)
            nodes = list(seen.numbers)[known:]
        texts = await self._names(list(seen.numbers), after) if names else {}
        return _neighbourhood(seen, texts, len(rows), hops, names=names)

    async def reachable(
        self, anchors: Sequence[NodeId], hops: int, *, edge_budget: int, path_budget: int
    ) -> Reachable:
        around = await self.neighbourhood(anchors, hops, edge_budget=edge_budget, names=False)
        rows = await self._read(_LABELS, list(around.nodes))
        labels = {row["id"]: [x for x in row["labels"] if not is_reserved(x)] for row in rows}
        return relation_paths(around, labels, edge_budget=edge_budget, path_budget=path_budget)

    async def _expand(
        self, found: _Found, nodes: Sequence[NodeId], left: int, after: GraphVersion | None
    ) -> int:
        """Read the neighbours of some nodes, at most `left`; returns how many were read."""
        size = (await self._read(_SIZE, nodes, after=after))[0]["entries"] if nodes else 0
        cap = size if size <= left else await self._cap(nodes, left, after)
        found.rows |= {node: [] for node in nodes}
        for row in await self._read(_ENTRIES, nodes, after=after, cap=cap):
            found.rows[row["id"]].append(row)
            if (kept := len(row["others"])) < row["total"]:
                outgoing = row["direction"] == 0
                found.cuts.append(Cut(row["id"], row["type"], outgoing, kept, row["total"]))
        return sum(len(row["others"]) for node in nodes for row in found.rows[node])

    async def _cap(self, nodes: Sequence[NodeId], left: int, after: GraphVersion | None) -> int:
        """The longest that a row may be so that the rows of all nodes fit into `left` entries."""
        rows = await self._read(_SIZES, nodes, after=after)
        sizes = np.sort(np.array([row["total"] for row in rows], np.int64))
        low, high = 0, int(sizes[-1]) if len(sizes) else 0
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (
                (middle, high) if np.minimum(sizes, middle).sum() <= left else (low, middle - 1)
            )
        return low

    async def _names(
        self, nodes: Sequence[NodeId], after: GraphVersion | None
    ) -> dict[NodeId, str]:
        rows = await self._read(_NAMES.format(name=name_of("n")), nodes, after=after)
        return {row["id"]: row["name"] for row in rows}

    async def _read(
        self,
        query: str,
        ids: Sequence[NodeId],
        *,
        after: GraphVersion | None = None,
        cap: int = 0,
    ) -> list[Row]:
        return await self.connection.read(
            query,
            after=after,
            ids=list(ids),
            cap=cap,
            hiddenTypes=list(self.hidden.types),
            hiddenLabels=list(self.hidden.labels),
        )


def _neighbourhood(
    found: _Found, texts: Mapping[NodeId, str], anchors: int, hops: int, *, names: bool
) -> Neighbourhood:
    nodes = tuple(found.numbers)
    kinds = tuple(sorted({group["type"] for rows in found.rows.values() for group in rows}))
    number = {kind: i for i, kind in enumerate(kinds)}
    entries = [
        sorted(
            (group["direction"], number[group["type"]], found.numbers[other])
            for group in found.rows.get(node, ())
            for other in group["others"]
        )
        for node in nodes
    ]
    flat = np.array([entry for row in entries for entry in row], np.int32).reshape(-1, 3)
    sizes = [0, *(len(row) for row in entries)]
    cuts = sorted(found.cuts, key=lambda cut: cut.kept - cut.total)[:_MOST_CUTS]
    return Neighbourhood(
        nodes=nodes,
        names=tuple(texts.get(node, node) for node in nodes) if names else (),
        relation_types=kinds,
        levels=np.array(found.levels, np.int32),
        offsets=np.cumsum(sizes).astype(np.int32),
        targets=flat[:, 2],
        types=flat[:, 1],
        directions=flat[:, 0].astype(np.uint8),
        anchors=np.arange(anchors, dtype=np.int32),
        hops=hops,
        cuts=tuple(cuts),
        cut=bool(found.cuts),
    )


def _by_number(node: NodeId) -> tuple[int, str]:
    """Sort key that orders element ids by the number at their end."""
    return len(node), node
