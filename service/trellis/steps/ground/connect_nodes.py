"""Connect nodes: the shortest paths between two nodes, which Neo4j searches from both sides.

A hub, such as a genre of thousands of films, joins almost any two nodes and says little of them. So
paths without hubs come first; one with a hub is given where it is shorter, behind them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from trellis.domain.errors import GraphTimeoutError
from trellis.domain.graphs.facts import describe_walk
from trellis.domain.graphs.graph import Node, Walk
from trellis.domain.identifiers import quote_name
from trellis.domain.ports import Queries
from trellis.domain.structures.cypher import CypherQuery, QueryLimits

_MOST_ROWS = 100  # paths of one length among which the ones of the smallest nodes are chosen
LONGEST_SEARCH = 5.0
"""Seconds after which a search is given up."""

_QUERY = """\
MATCH (a), (b) WHERE elementId(a) = $first AND elementId(b) = $second
MATCH path = allShortestPaths((a)-[*..{steps}]-(b))
WHERE {conditions}
RETURN path, [n IN nodes(path)[1..-1] | COUNT {{ (n)--() }}] AS relationships,
  [r IN relationships(path) | elementId(r)] AS ids
LIMIT $most"""
_NO_HUB = "all(n IN nodes(path) WHERE n = a OR n = b OR COUNT { (n)--() } <= $hub)"
_NOT_USED = "none(r IN relationships(path) WHERE elementId(r) IN $used)"
_NO_HIDDEN_TYPE = "none(r IN relationships(path) WHERE type(r) IN $hiddenTypes)"


@dataclass(frozen=True, slots=True)
class Connection:
    """A path between two nodes. `hubs`: the hubs that it passes through, with the number of their
    relationships."""

    walk: Walk
    hubs: tuple[tuple[Node, int], ...] = ()
    relationship_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Connections:
    """The paths between two nodes, in the order in which they are given.

    `query`: the one that found the first path, or that found none. `is_late`: a search was given
    up, as it took too long.
    """

    paths: tuple[Connection, ...]
    query: CypherQuery
    is_late: bool = False


@dataclass(frozen=True, slots=True)
class ConnectionSearch:
    """Searches for paths between two nodes.

    `most_paths`: how many are given; `most_steps`: the relationships of the longest; `hub`: the
    relationships of a node beyond which it is a hub. No path has a relationship or a node of the
    hidden types and labels.
    """

    queries: Queries
    most_paths: int = 5
    most_steps: int = 6
    hub: int = 200
    hidden_types: tuple[str, ...] = ()
    hidden_labels: tuple[str, ...] = ()

    async def find_paths(self, first: Node, second: Node) -> Connections:
        """The shortest paths without hubs; then those that are one step longer and have none of
        their relationships; at the end paths through hubs, where these are shorter or the only
        ones. Beside the shortest, there is one for each sequence of nodes."""
        ends = {"first": first.id, "second": second.id}
        plain = await self._search_without_hubs(ends)
        length = len(plain.paths[0].walk.steps) if plain.paths else self.most_steps + 1
        if length == 1:
            return plain
        through_hubs = await self._search(ends, length - 1, [])
        kept = plain.paths[: self.most_paths - bool(through_hubs.paths)]
        last = _keep_first_of_nodes(through_hubs.paths) if kept else through_hubs.paths
        paths = (*kept, *last)[: self.most_paths]
        return Connections(
            paths,
            plain.query if plain.paths else through_hubs.query,
            plain.is_late or through_hubs.is_late,
        )

    async def _search_without_hubs(self, ends: dict[str, Any]) -> Connections:
        found = await self._search(ends | {"hub": self.hub}, self.most_steps, [_NO_HUB])
        length = len(found.paths[0].walk.steps) if found.paths else self.most_steps
        if len(found.paths) >= self.most_paths or length == self.most_steps:
            return found
        used = [id for each in found.paths for id in each.relationship_ids]
        given = ends | {"hub": self.hub, "used": used}
        more = await self._search(given, length + 1, [_NO_HUB, _NOT_USED])
        paths = (*found.paths, *_keep_first_of_nodes(more.paths))[: self.most_paths]
        return replace(found, paths=paths, is_late=found.is_late or more.is_late)

    async def _search(
        self, params: dict[str, Any], steps: int, conditions: Sequence[str]
    ) -> Connections:
        """The shortest paths of at most `steps` relationships; of those equally long, the ones come
        first whose largest node has the fewest relationships, one for each sequence of nodes."""
        query = self._build_query(params, steps, conditions)
        try:
            found = await self.queries.run(query, QueryLimits(_MOST_ROWS, LONGEST_SEARCH))
        except GraphTimeoutError:
            return Connections((), query, is_late=True)
        paths: dict[Walk, Connection] = {}
        for walk, sizes, ids in sorted(found.rows, key=_order_row):
            former = paths.get(walk)  # by a parallel relationship of the same type
            known = former.relationship_ids if former else ()
            paths[walk] = Connection(walk, self._find_hubs(walk, sizes), (*known, *ids))
        return Connections(_put_new_nodes_first([*paths.values()])[: self.most_paths], query)

    def _build_query(
        self, params: dict[str, Any], steps: int, conditions: Sequence[str]
    ) -> CypherQuery:
        hidden = [f"NOT n:{quote_name(label)}" for label in self.hidden_labels]
        every = [
            *conditions,
            *([f"all(n IN nodes(path) WHERE {' AND '.join(hidden)})"] if hidden else []),
            *([_NO_HIDDEN_TYPE] if self.hidden_types else []),
        ]
        given = {**params, "most": _MOST_ROWS}
        if self.hidden_types:
            given["hiddenTypes"] = list(self.hidden_types)
        text = _QUERY.format(steps=steps, conditions="\n  AND ".join(every))
        return CypherQuery(text if every else text.replace("WHERE \n", ""), given)

    def _find_hubs(self, walk: Walk, sizes: Sequence[int]) -> tuple[tuple[Node, int], ...]:
        inner = zip(walk.nodes[1:-1], sizes, strict=True)
        return tuple((node, size) for node, size in inner if size > self.hub)


def _put_new_nodes_first(paths: Sequence[Connection]) -> tuple[Connection, ...]:
    """The paths, those at the end that only take other relationships between the same nodes."""
    first = _keep_first_of_nodes(paths)
    return (*first, *(path for path in paths if path not in first))


def _keep_first_of_nodes(paths: Sequence[Connection]) -> tuple[Connection, ...]:
    """Of the paths through the same nodes the first one."""
    first: dict[tuple[Node, ...], Connection] = {}
    for path in paths:
        first.setdefault(path.walk.nodes, path)
    return tuple(first.values())


def _order_row(row: Sequence[Any]) -> tuple[int, str]:
    """Paths of small nodes first, and of equal ones always in the same order."""
    walk, sizes, _ = row
    return max(sizes, default=0), describe_walk(walk)
