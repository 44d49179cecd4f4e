"""Neighbourhoods and reachable paths in plain Cypher, for servers without our procedures.

It sends up to three queries for each level and one for names or labels. It gives the same results
as the procedures, but more slowly, because all relationships travel over the network.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from trellis.automata.paths.relation_paths import find_relation_paths
from trellis.domain.graphs.graph import BudgetCut, Neighbourhood, NodeId
from trellis.domain.graphs.reachable import ReachablePaths
from trellis.graph.database.connection import GraphConnection, GraphVersion, Row
from trellis.graph.database.names import is_reserved
from trellis.graph.database.nodes import is_visible_expression, name_expression
from trellis.graph.neighbourhoods.traversal import HiddenKinds

_VISIBLE = f"""
NOT toLower(type(r)) STARTS WITH '_trellis' AND NOT type(r) IN $hiddenTypes
  AND {is_visible_expression("m")}
"""
_NEIGHBOURS = f"""
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
  AND {is_visible_expression("m")}
RETURN elementId(m) AS id ORDER BY at
"""
_SIZE = """
UNWIND $ids AS id MATCH (n) WHERE elementId(n) = id
RETURN sum(COUNT { (n)-->() } + COUNT { (n)<--() }) AS entries
"""
_SIZES = f"""
UNWIND $ids AS id MATCH (n) WHERE elementId(n) = id {_NEIGHBOURS}
RETURN id, direction, type, count(*) AS total ORDER BY id, direction, type
"""
_ENTRIES = f"""
UNWIND $ids AS id MATCH (n) WHERE elementId(n) = id {_NEIGHBOURS}
WITH id, direction, type, other ORDER BY size(other), other
RETURN id, direction, type, collect(other)[..$cap] AS others, count(*) AS total
"""
_NAMES = """
UNWIND $ids AS id MATCH (n) WHERE elementId(n) = id RETURN id, {name} AS name
"""
_LABELS = "UNWIND $ids AS id MATCH (n) WHERE elementId(n) = id RETURN id, labels(n) AS labels"
_MOST_CUTS = 100


@dataclass(slots=True)
class _Exploration:
    """What was read so far: numbered nodes with their levels, rows of neighbours, cuts.

    A row holds one node's neighbours over one type and direction.
    """

    numbers: dict[NodeId, int]
    levels: list[int]
    rows: dict[NodeId, list[Row]] = field(default_factory=dict)
    cuts: list[BudgetCut] = field(default_factory=list)

    def add_nodes(self, nodes: Iterable[NodeId], level: int) -> None:
        for node in sorted(set(nodes) - self.numbers.keys(), key=_id_order):
            self.numbers[node] = len(self.numbers)
            self.levels.append(level)


@dataclass(frozen=True, slots=True)
class PlainTraversal:
    """The traversal that needs no procedures; it gives the same results as `ProcedureTraversal`."""

    connection: GraphConnection
    hidden: HiddenKinds

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
        rows = await self._read_rows(_ANCHORS, ids, after=after)
        seen = _Exploration({row["id"]: i for i, row in enumerate(rows)}, [0] * len(rows))
        level, nodes, budget = 0, list(seen.numbers), edge_budget
        while nodes and level < hops:
            budget -= await self._expand_nodes(seen, nodes, budget, after)
            level += 1
            known = len(seen.numbers)
            seen.add_nodes((o for n in nodes for row in seen.rows[n] for o in row["others"]), level)
            nodes = list(seen.numbers)[known:]
        texts = await self._read_names(list(seen.numbers), after) if names else {}
        return _build_neighbourhood(seen, texts, len(rows), hops, names=names)

    async def reachable(
        self, anchors: Sequence[NodeId], hops: int, *, edge_budget: int, path_budget: int
    ) -> ReachablePaths:
        around = await self.neighbourhood(anchors, hops, edge_budget=edge_budget, names=False)
        rows = await self._read_rows(_LABELS, list(around.nodes))
        labels = {row["id"]: [x for x in row["labels"] if not is_reserved(x)] for row in rows}
        return find_relation_paths(around, labels, edge_budget=edge_budget, path_budget=path_budget)

    async def _expand_nodes(
        self,
        explored: _Exploration,
        nodes: Sequence[NodeId],
        budget: int,
        after: GraphVersion | None,
    ) -> int:
        """Read the neighbours of some nodes, at most `budget`; returns how many were read."""
        size = (await self._read_rows(_SIZE, nodes, after=after))[0]["entries"] if nodes else 0
        cap = size if size <= budget else await self._compute_cap(nodes, budget, after)
        explored.rows |= {node: [] for node in nodes}
        for row in await self._read_rows(_ENTRIES, nodes, after=after, cap=cap):
            explored.rows[row["id"]].append(row)
            if (kept := len(row["others"])) < row["total"]:
                outgoing = row["direction"] == 0
                explored.cuts.append(
                    BudgetCut(row["id"], row["type"], outgoing, kept, row["total"])
                )
        return sum(len(row["others"]) for node in nodes for row in explored.rows[node])

    async def _compute_cap(
        self, nodes: Sequence[NodeId], budget: int, after: GraphVersion | None
    ) -> int:
        """The longest that a row may be so that the rows of all nodes fit into `budget` entries."""
        rows = await self._read_rows(_SIZES, nodes, after=after)
        sizes = np.sort(np.array([row["total"] for row in rows], np.int64))
        low, high = 0, int(sizes[-1]) if len(sizes) else 0
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (
                (middle, high) if np.minimum(sizes, middle).sum() <= budget else (low, middle - 1)
            )
        return low

    async def _read_names(
        self, nodes: Sequence[NodeId], after: GraphVersion | None
    ) -> dict[NodeId, str]:
        rows = await self._read_rows(_NAMES.format(name=name_expression("n")), nodes, after=after)
        return {row["id"]: row["name"] for row in rows}

    async def _read_rows(
        self,
        query: str,
        ids: Sequence[NodeId],
        *,
        after: GraphVersion | None = None,
        cap: int = 0,
    ) -> list[Row]:
        return await self.connection.read_rows(
            query,
            after=after,
            ids=list(ids),
            cap=cap,
            **self.hidden.as_parameters(),
        )


def _build_neighbourhood(
    explored: _Exploration,
    names_by_id: Mapping[NodeId, str],
    anchors: int,
    hops: int,
    *,
    names: bool,
) -> Neighbourhood:
    nodes = tuple(explored.numbers)
    kinds = tuple(sorted({group["type"] for rows in explored.rows.values() for group in rows}))
    number = {kind: i for i, kind in enumerate(kinds)}
    entries = [
        sorted(
            (group["direction"], number[group["type"]], explored.numbers[other])
            for group in explored.rows.get(node, ())
            for other in group["others"]
        )
        for node in nodes
    ]
    flat = np.array([entry for row in entries for entry in row], np.int32).reshape(-1, 3)
    sizes = [0, *(len(row) for row in entries)]
    cuts = sorted(explored.cuts, key=lambda cut: cut.kept - cut.total)[:_MOST_CUTS]
    return Neighbourhood(
        nodes=nodes,
        names=tuple(names_by_id.get(node, node) for node in nodes) if names else (),
        relation_types=kinds,
        levels=np.array(explored.levels, np.int32),
        offsets=np.cumsum(sizes).astype(np.int32),
        targets=flat[:, 2],
        types=flat[:, 1],
        directions=flat[:, 0].astype(np.uint8),
        anchors=np.arange(anchors, dtype=np.int32),
        hops=hops,
        cuts=tuple(cuts),
        cut=bool(explored.cuts),
    )


def _id_order(node: NodeId) -> tuple[int, str]:
    """Sort key that orders element ids by the number at their end."""
    return len(node), node
