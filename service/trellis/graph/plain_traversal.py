"""Neighbourhoods and reachable paths in plain Cypher: for servers without our procedures.

Three queries a level, one for names or labels; all relationships travel to us, so it is slower than
the procedures and gives what they give.
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
    """What was read so far: nodes in their order, rows of groups, what was cut."""

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
    """By Cypher alone."""

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
        """As the procedure's; where it is cut, groups that lose any are cut at one size."""
        ids = list(dict.fromkeys(anchors))
        rows = await self._read(_ANCHORS, ids, after=after)
        found = _Found({row["id"]: i for i, row in enumerate(rows)}, [0] * len(rows))
        level, nodes, left = 0, list(found.numbers), edge_budget
        while nodes and level < hops:
            left -= await self._expand(found, nodes, left, after)
            level += 1
            known = len(found.numbers)
            found.place((o for n in nodes for g in found.rows[n] for o in g["others"]), level)
            nodes = list(found.numbers)[known:]
        texts = await self._names(list(found.numbers), after) if names else {}
        return _neighbourhood(found, texts, len(rows), hops, names=names)

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
        """Read the rows of some nodes, at most `left` entries; gives how many there are."""
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
        """The most neighbours of one node, type and direction for which all fit into `left`."""
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
    """Element ids in the order of the numbers at their ends."""
    return len(node), node
