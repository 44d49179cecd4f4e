"""Searches for patterns in plain Cypher, for servers without our procedures.

It reads the relationships that may take part, node by node of the pattern, and matches them here.
It gives the same results as the procedure, but more slowly, because all of them travel over the
network; beyond a number of relationships it says that its results are not complete.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from trellis.domain.errors import PatternError
from trellis.domain.graph import Node, NodeId, Triple
from trellis.domain.patterns import (
    DistanceScale,
    LabelCandidates,
    NodeCandidates,
    PatternMatch,
    PatternMatches,
    PatternSearch,
    check_limit,
)
from trellis.graph.connection import GraphConnection, Row
from trellis.graph.names import is_reserved
from trellis.graph.nodes import is_visible_expression, read_nodes_by_id
from trellis.graph.patterns.edge_groups import (
    EdgeGroup,
    StoredRelationship,
    count_least_ticks,
    group_edges,
)
from trellis.graph.patterns.matching import Matcher
from trellis.graph.patterns.plan import plan_matching
from trellis.graph.traversal import HiddenKinds

_MOST_READ = 200_000  # relationships, or nodes, of one search

_LISTED = f"""
UNWIND $ids AS id MATCH (n) WHERE elementId(n) = id
RETURN id, {is_visible_expression("n")} AS visible, [l IN labels(n) WHERE l IN $labels] AS labels
"""
_NODES = f"""
MATCH (n) WHERE {is_visible_expression("n")}
  AND ($labels IS NULL OR any(l IN labels(n) WHERE l IN $labels))
RETURN elementId(n) AS id LIMIT $most
"""
_RELATIONSHIPS = f"""
UNWIND $ids AS id MATCH (n)-[r]-(m) WHERE elementId(n) = id
  AND NOT toLower(type(r)) STARTS WITH '_trellis' AND NOT type(r) IN $hiddenTypes
  AND ($types IS NULL OR type(r) IN $types) AND (m = n) = $loops
  AND ($others IS NULL OR elementId(m) IN $others) AND {is_visible_expression("m")}
RETURN DISTINCT elementId(r) AS id, type(r) AS type, elementId(startNode(r)) AS start,
       elementId(endNode(r)) AS end LIMIT $most
"""
_LABELS = """
UNWIND $ids AS id MATCH (n) WHERE elementId(n) = id
RETURN id, [l IN labels(n) WHERE l IN $labels] AS labels
"""


@dataclass(slots=True)
class _ReadGraph:
    """What was read so far: relationships by id, what each pattern node may be, what was cut."""

    relationships: dict[str, StoredRelationship] = field(default_factory=dict)
    nodes: dict[int, set[NodeId]] = field(default_factory=dict)
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class PlainPatterns:
    """Searches without our procedures."""

    connection: GraphConnection
    hidden: HiddenKinds

    async def search(self, search: PatternSearch, limit: int, seconds: float) -> PatternMatches:
        check_limit(limit)
        deadline = time.monotonic() + seconds
        scale, plan = DistanceScale.of(search), plan_matching(search)
        groups = group_edges(search, scale)
        read = _ReadGraph()
        listed = await self._check_listed(search)
        for node in plan.order:
            parent = plan.parents[node]
            if parent is None:
                read.nodes[node] = await self._read_root(search, node, listed, read)
            else:
                await self._read_children(search, node, parent, groups, listed, read)
            await self._read_closing(node, parent, groups, read)
        ticks = [await self._rate_nodes(search, node, scale, read) for node in sorted(plan.order)]
        matcher = Matcher(search, groups, plan, read.relationships.values(), ticks)
        found = await asyncio.to_thread(matcher.find, limit, deadline)
        ids = {id for _, mapped in found.mappings for id in mapped}
        named = await read_nodes_by_id(self.connection, ids)
        return PatternMatches(
            tuple(
                _build_match(search, groups, matcher, scale.compute_distance(ticks), mapped, named)
                for ticks, mapped in found.mappings
                if named.keys() >= {*mapped}
            ),
            found.is_complete and not read.is_cut,
        )

    async def _check_listed(self, search: PatternSearch) -> set[NodeId]:
        """The listed nodes that are visible; raises PatternError for one that is not there."""
        ids = {id for c in search.nodes if isinstance(c, NodeCandidates) for id in c.ids}
        rows = {row["id"]: row for row in await self._read_rows(_LISTED, ids=sorted(ids))}
        for position, given in enumerate(search.nodes):
            for at, id in enumerate(given.ids if isinstance(given, NodeCandidates) else ()):
                if id not in rows:
                    raise PatternError(
                        f"candidates.nodes[{position}].ids[{at}] is '{id}'",
                        "allowed: element ids of nodes that are there",
                    )
        return {id for id, row in rows.items() if row["visible"]}

    async def _read_root(
        self, search: PatternSearch, node: int, listed: set[NodeId], read: _ReadGraph
    ) -> set[NodeId]:
        given = search.nodes[node]
        if isinstance(given, NodeCandidates):
            return listed & {*given.ids}
        labels = _list_shown_labels(given) if given else None
        rows = await self._read_rows(_NODES, labels=labels, most=_MOST_READ + 1)
        read.is_cut |= len(rows) > _MOST_READ
        return {row["id"] for row in rows}

    async def _read_children(
        self,
        search: PatternSearch,
        node: int,
        parent: int,
        groups: Iterable[EdgeGroup],
        listed: set[NodeId],
        read: _ReadGraph,
    ) -> None:
        """Read the relationships from what a node's parent may be, and so what the node may be."""
        given, start = search.nodes[node], read.nodes[parent]
        others = listed & {*given.ids} if isinstance(given, NodeCandidates) else None
        group = next(g for g in groups if {g.first, g.second} == {node, parent})
        added = await self._read_between(start, others, group, read)
        ends = {end for r in added for a, end in ((r.start, r.end), (r.end, r.start)) if a in start}
        read.nodes[node] = ends if others is None else ends & others

    async def _read_closing(
        self, node: int, parent: int | None, groups: Iterable[EdgeGroup], read: _ReadGraph
    ) -> None:
        """Read the relationships of edges to nodes before the parent, and of loops."""
        for group in groups:
            other = group.second if group.first == node else group.first
            if node in (group.first, group.second) and other != parent and other in read.nodes:
                small, large = sorted((read.nodes[node], read.nodes[other]), key=len)
                await self._read_between(small, large, group, read)

    async def _read_between(
        self,
        starts: set[NodeId],
        others: set[NodeId] | None,
        group: EdgeGroup,
        read: _ReadGraph,
    ) -> list[StoredRelationship]:
        rows = await self._read_rows(
            _RELATIONSHIPS,
            ids=sorted(starts),
            others=None if others is None else sorted(others),
            types=None if group.types is None else sorted(group.types),
            loops=group.first == group.second,
            most=_MOST_READ + 1,
        )
        read.is_cut |= len(rows) > _MOST_READ
        added = [StoredRelationship(r["id"], r["type"], r["start"], r["end"]) for r in rows]
        read.relationships |= {relationship.id: relationship for relationship in added}
        return added

    async def _rate_nodes(
        self, search: PatternSearch, node: int, scale: DistanceScale, read: _ReadGraph
    ) -> dict[NodeId, int]:
        """The distance in ticks of each node that a pattern's node may be."""
        given, nodes = search.nodes[node], read.nodes[node]
        if given is None:
            return dict.fromkeys(nodes, 0)
        if isinstance(given, NodeCandidates):
            ticks = count_least_ticks(given.ids, given.distances, scale)
            return {id: ticks[id] for id in nodes}
        ticks = count_least_ticks(given.labels, given.distances, scale)
        labels = _list_shown_labels(given)
        rows = await self._read_rows(_LABELS, ids=sorted(nodes), labels=labels)
        return {
            row["id"]: min(map(ticks.__getitem__, row["labels"])) for row in rows if row["labels"]
        }

    async def _read_rows(
        self, query: str, labels: Sequence[str] | None = (), **parameters: Any
    ) -> list[Row]:
        return await self.connection.read_rows(
            query,
            labels=None if labels is None else list(labels),
            **self.hidden.as_parameters(),
            **parameters,
        )


def _list_shown_labels(given: LabelCandidates | NodeCandidates) -> list[str]:
    names = given.labels if isinstance(given, LabelCandidates) else ()
    return [name for name in names if not is_reserved(name)]


def _build_match(
    search: PatternSearch,
    groups: Sequence[EdgeGroup],
    matcher: Matcher,
    distance: float,
    mapped: Sequence[NodeId],
    named: Mapping[NodeId, Node],
) -> PatternMatch:
    chosen: dict[int, StoredRelationship] = {}
    for group in groups:
        first, second = mapped[group.first], mapped[group.second]
        between = matcher.list_between(first, second)
        chosen |= dict(zip(group.edges, group.choose(between, first, second), strict=True))
    relationships = [chosen[edge] for edge in range(len(search.pattern.edges))]
    triples = tuple(Triple(named[r.start], r.type, named[r.end]) for r in relationships)
    return PatternMatch(
        distance, tuple(named[id] for id in mapped), triples, tuple(r.id for r in relationships)
    )
