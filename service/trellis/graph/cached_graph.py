"""Serves a KG-Trie from memory, from a file that was built ahead, or from the graph itself."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any

from cachetools import LRUCache

from trellis.domain.errors import GraphError
from trellis.domain.graph import Neighbourhood, NodeId
from trellis.domain.graph_config import GraphConfig
from trellis.domain.links import StoredValue
from trellis.domain.reachable import Reachable
from trellis.domain.schema import Schema
from trellis.graph.connection import GraphConnection, GraphVersion
from trellis.graph.kept import Kept
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.graph.trie_cache import TrieCache, TrieFigures, TrieKey
from trellis.graph.trie_files import TrieFiles
from trellis.linking.value_index import ValueIndex

log = logging.getLogger(__name__)

_MOST_ASKED = 2_000  # holder and path look-ups that are remembered


class CachedGraph(Neo4jGraph):
    """A Neo4jGraph that remembers what it read until the next commit.

    Each question first asks for the graph's version (one round trip) and sees everything that was
    committed before. Under steady writes, each question reads its trie anew.
    """

    def __init__(
        self,
        connection: GraphConnection,
        cache: TrieCache | None,
        files: TrieFiles,
        config: GraphConfig | None = None,
    ) -> None:
        """`cache`: None turns off both the cache in memory and the files."""
        super().__init__(connection, config)
        self._cache = cache
        self._files = files
        self._from_files = self._from_graph = 0
        self._schema = Kept(self._version, super().schema)
        self._values = Kept(self._version, super().values)
        self._asked_once: Kept[LRUCache[Hashable, Any]] = Kept(self._version, _nothing)

    def figures(self) -> TrieFigures:
        sources = {"from_files": self._from_files, "from_graph": self._from_graph}
        in_memory = self._cache.figures() if self._cache else TrieFigures()
        return replace(in_memory, **sources)

    async def schema(self) -> Schema:
        """The schema, at most a second old, or ten times as old as the time it takes to read."""
        return await self._schema.get()

    async def values(self) -> ValueIndex:
        return await self._values.get()

    async def holders(
        self, values: Sequence[StoredValue], most: int
    ) -> Sequence[Sequence[NodeId] | None]:
        known = await self._asked_once.get()
        holders = {value: known[value, most] for value in values if (value, most) in known}
        new = [value for value in dict.fromkeys(values) if value not in holders]
        read = dict(zip(new, await super().holders(new, most), strict=True))
        known.update({(value, most): nodes for value, nodes in read.items()})
        return [(holders | read)[value] for value in values]

    async def reachable(
        self, anchors: Sequence[NodeId], hops: int, *, edge_budget: int, path_budget: int
    ) -> Reachable:
        known = await self._asked_once.get()
        key = frozenset(anchors), hops, edge_budget, path_budget
        reachable: Reachable | None = known.get(key)
        if reachable is None:
            reachable = known[key] = await super().reachable(
                anchors, hops, edge_budget=edge_budget, path_budget=path_budget
            )
        return reachable

    async def neighbourhood(
        self,
        anchors: Sequence[NodeId],
        hops: int,
        *,
        edge_budget: int,
        names: bool,
        after: GraphVersion | None = None,
    ) -> Neighbourhood:
        """The neighbourhood that the procedure gives for the anchors, sorted by their ids."""
        key = TrieKey.of(anchors, hops, edge_budget=edge_budget, names=names)
        version = after or (await self._version() if self._cache else None)
        if version is None or self._cache is None:
            return await self._asked(key, after)
        return await self._cache.get(key, version, lambda: self._found(key, version))

    async def _found(self, key: TrieKey, version: GraphVersion) -> Neighbourhood:
        stored = await asyncio.to_thread(self._files.read, key, version)
        if stored is None:
            return await self._asked(key, version)
        self._from_files += 1
        return stored

    async def _asked(self, key: TrieKey, after: GraphVersion | None) -> Neighbourhood:
        self._from_graph += 1
        return await super().neighbourhood(
            key.anchors, key.hops, edge_budget=key.edge_budget, names=key.names, after=after
        )

    async def _version(self) -> GraphVersion | None:
        """The graph's version, or None if the server does not give one: then nothing is cached."""
        try:
            return await self.version()
        except GraphError as error:
            log.warning("tries are not cached: %s", error)
            return None


async def _nothing() -> LRUCache[Hashable, Any]:
    return LRUCache(_MOST_ASKED)
