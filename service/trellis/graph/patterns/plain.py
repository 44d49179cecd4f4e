"""Searches for patterns in plain Cypher, for servers without our procedures.

It reads the relationships that may take part, node by node of the pattern, and matches them here.
It gives the same results as the procedure, but more slowly; where what was read is cut, it says
that its results are not complete.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from trellis.domain.graphs.graph import Node, NodeId, Triple
from trellis.domain.structures.patterns import (
    DistanceScale,
    LabelCandidates,
    NodeCandidates,
    PatternMatch,
    PatternMatches,
    PatternSearch,
    check_limit,
)
from trellis.graph.database.connection import GraphConnection
from trellis.graph.database.names import is_reserved
from trellis.graph.database.nodes import is_visible_expression, read_nodes_by_id
from trellis.graph.neighbourhoods.traversal import HiddenKinds
from trellis.graph.patterns.edge_groups import (
    EdgeGroup,
    StoredRelationship,
    count_least_ticks,
    group_edges,
)
from trellis.graph.patterns.matching import Matcher
from trellis.graph.patterns.plain_reading import PlainReading
from trellis.graph.patterns.plan import plan_matching

_NODES = f"""
MATCH (n) WHERE {is_visible_expression("n")}
  AND ($labels IS NULL OR any(l IN labels(n) WHERE l IN $labels))
RETURN elementId(n) AS id LIMIT $most
"""
_LABELS = """
UNWIND $ids AS id MATCH (n) WHERE elementId(n) = id
RETURN id, [l IN labels(n) WHERE l IN $labels] AS labels
"""

_Candidates = LabelCandidates | NodeCandidates | None


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
        reading = PlainReading(self.connection, self.hidden)
        listed = await reading.find_visible(
            [given.ids if isinstance(given, NodeCandidates) else () for given in search.nodes]
        )
        for node in plan.order:
            reading.nodes[node] = await _read_node(
                search.nodes[node], node, plan.parents[node], groups, listed, reading
            )
            await _read_closing(node, plan.parents[node], groups, reading)
        ticks = [
            await _rate_nodes(given, node, scale, reading)
            for node, given in enumerate(search.nodes)
        ]
        matcher = Matcher(search, groups, plan, reading.relationships.values(), ticks)
        found = await asyncio.to_thread(matcher.find, limit, deadline)
        ids = {id for _, mapped in found.mappings for id in mapped}
        named = await read_nodes_by_id(self.connection, ids)
        return PatternMatches(
            tuple(
                _build_match(search, groups, matcher, scale.compute_distance(ticks), mapped, named)
                for ticks, mapped in found.mappings
                if named.keys() >= {*mapped}
            ),
            found.is_complete and not reading.is_cut,
        )


async def _read_node(
    given: _Candidates,
    node: int,
    parent: int | None,
    groups: Iterable[EdgeGroup],
    listed: set[NodeId],
    reading: PlainReading,
) -> set[NodeId]:
    """What a pattern's node may be; reads the relationships from what its parent may be."""
    allowed = listed & {*given.ids} if isinstance(given, NodeCandidates) else None
    if parent is not None:
        group = next(g for g in groups if {g.first, g.second} == {node, parent})
        return await reading.reach(reading.nodes[parent], allowed, group.types, loops=False)
    if allowed is not None:
        return allowed
    labels = _list_shown_labels(given) if isinstance(given, LabelCandidates) else None
    return {row["id"] for row in await reading.read_most_rows(_NODES, labels=labels)}


async def _read_closing(
    node: int, parent: int | None, groups: Iterable[EdgeGroup], reading: PlainReading
) -> None:
    """Read the relationships of edges to nodes before the parent, and of loops."""
    for group in groups:
        other = group.second if group.first == node else group.first
        if node in (group.first, group.second) and other != parent and other in reading.nodes:
            small, large = sorted((reading.nodes[node], reading.nodes[other]), key=len)
            await reading.reach(small, large, group.types, loops=group.first == group.second)


async def _rate_nodes(
    given: _Candidates, node: int, scale: DistanceScale, reading: PlainReading
) -> dict[NodeId, int]:
    """The distance in ticks of each node that a pattern's node may be."""
    nodes = reading.nodes[node]
    if given is None:
        return dict.fromkeys(nodes, 0)
    if isinstance(given, NodeCandidates):
        ticks = count_least_ticks(given.ids, given.distances, scale)
        return {id: ticks[id] for id in nodes}
    ticks = count_least_ticks(given.labels, given.distances, scale)
    labels = _list_shown_labels(given)
    rows = await reading.read_rows(_LABELS, ids=sorted(nodes), labels=labels)
    return {row["id"]: min(map(ticks.__getitem__, row["labels"])) for row in rows if row["labels"]}


def _list_shown_labels(given: LabelCandidates) -> list[str]:
    return [name for name in given.labels if not is_reserved(name)]


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
