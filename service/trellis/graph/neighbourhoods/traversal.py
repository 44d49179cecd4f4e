"""Reads neighbourhoods and reachable paths by our procedures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trellis.domain.graphs.graph import BudgetCut, Neighbourhood, NodeId, Step
from trellis.domain.graphs.reachable import ReachablePath, ReachablePaths
from trellis.graph.database.connection import GraphConnection, GraphVersion, Row

_NEIGHBOURHOOD = """
CALL trellis.trie.neighbourhood($anchors, $hops, $config)
YIELD nodes, levels, names, relationTypes, offsets, targets, types, directions, anchors, cut, cuts
RETURN nodes, levels, names, relationTypes, offsets, targets, types, directions, anchors, cut, cuts
"""
_REACHABLE = """
CALL trellis.schema.reachable($anchors, $hops, $config)
YIELD relations, endLabels, walks, ends, counted, followed
RETURN relations, endLabels, walks, ends, counted, followed
"""


@dataclass(frozen=True, slots=True)
class HiddenKinds:
    """Labels and relationship types that a traversal ignores."""

    labels: tuple[str, ...]
    types: tuple[str, ...]

    def as_parameters(self) -> dict[str, list[str]]:
        """As parameters of plain Cypher."""
        return {"hiddenLabels": list(self.labels), "hiddenTypes": list(self.types)}

    def as_exclusions(self) -> dict[str, list[str]]:
        """As our procedures take them, among their options."""
        return {"excludeLabels": list(self.labels), "excludeTypes": list(self.types)}


@dataclass(frozen=True, slots=True)
class ProcedureTraversal:
    """The traversal that calls a procedure of our plugin once for each request."""

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
        config = {"edgeBudget": edge_budget, "names": names, **self.hidden.as_exclusions()}
        rows = await self.connection.read_rows(
            _NEIGHBOURHOOD, after=after, anchors=list(anchors), hops=hops, config=config
        )
        return parse_neighbourhood(rows[0], hops)

    async def reachable(
        self, anchors: Sequence[NodeId], hops: int, *, edge_budget: int, path_budget: int
    ) -> ReachablePaths:
        config = {"edgeBudget": edge_budget, "limit": path_budget, **self.hidden.as_exclusions()}
        rows = await self.connection.read_rows(
            _REACHABLE, anchors=list(anchors), hops=hops, config=config
        )
        return ReachablePaths(tuple(map(_parse_path, rows)))


def _parse_path(row: Row) -> ReachablePath:
    return ReachablePath(
        tuple(map(Step.parse, row["relations"])),
        tuple(row["endLabels"]),
        row["walks"],
        row["ends"],
        row["counted"],
        row["followed"],
    )


def parse_neighbourhood(row: Row, hops: int) -> Neighbourhood:
    """Parse the procedure's row; numbers are little-endian int32, read without copying."""
    names = tuple(name or node for name, node in zip(row["names"], row["nodes"], strict=False))
    return Neighbourhood(
        nodes=tuple(row["nodes"]),
        names=names,
        relation_types=tuple(row["relationTypes"]),
        levels=_decode_int32(row["levels"]),
        offsets=_decode_int32(row["offsets"]),
        targets=_decode_int32(row["targets"]),
        types=_decode_int32(row["types"]),
        directions=np.frombuffer(row["directions"], np.uint8),
        anchors=np.array(row["anchors"], np.int32),
        hops=hops,
        cuts=tuple(map(_parse_cut, row["cuts"])),
        cut=row["cut"],
    )


def _decode_int32(packed: bytes) -> NDArray[np.int32]:
    return np.frombuffer(packed, "<i4")


def _parse_cut(row: Row) -> BudgetCut:
    outgoing = row["direction"] == "OUT"
    return BudgetCut(row["node"], row["relationType"], outgoing, row["kept"], row["total"])
