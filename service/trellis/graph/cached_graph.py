"""Serves a KG-Trie from memory, from a file that was built ahead, or from the graph itself."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Hashable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from cachetools import LRUCache

from trellis.domain.errors import GraphError, GraphUnavailableError
from trellis.domain.graphs.graph import Neighbourhood, NodeId
from trellis.domain.graphs.graph_config import GraphConfig
from trellis.domain.graphs.links import StoredValue
from trellis.domain.graphs.reachable import ReachablePaths
from trellis.domain.graphs.schema import Schema
from trellis.domain.graphs.texts import IndexedTexts
from trellis.domain.ports import NamedEmbedder
from trellis.graph.database.changes import ChangeFeed, GraphStamp
from trellis.graph.database.connection import GraphConnection, GraphVersion
from trellis.graph.kept import KeptSchema, VersionedCache
from trellis.graph.neighbourhoods.trie_cache import TrieCache, TrieFigures, TrieKey
from trellis.graph.neighbourhoods.trie_files import TrieFiles
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.graph.texts.own_vectors import OpenEmbedder
from trellis.linking.values.value_index import ValueIndex

log = logging.getLogger(__name__)

T = TypeVar("T")

_MOST_REMEMBERED = 2_000  # holder and path look-ups that are remembered


def _leave_unprepared(schema: Schema) -> None:
    """Build nothing of a schema ahead."""


class CachedGraph(Neo4jGraph):
    """A Neo4jGraph that remembers what it read until a commit touches it.

    Each question first asks what was touched since the last one (one round trip) and sees
    everything that was committed before. A server without our plugin does not tell what a commit
    touched: there, any commit makes all that is kept stale.
    """

    def __init__(
        self,
        connection: GraphConnection,
        cache: TrieCache | None,
        files: TrieFiles,
        config: GraphConfig | None = None,
        embedder: NamedEmbedder | None = None,
        trie_age: float = 0,
        prepare_schema: Callable[[Schema], object] = _leave_unprepared,
        open_embedder: OpenEmbedder | None = None,
    ) -> None:
        """`cache`: None turns off both the cache in memory and the files. `trie_age`: for how many
        seconds a neighbourhood is served without asking whether it is still current.
        `prepare_schema`: builds, in a thread, what questions read of a schema, before any question
        gets the schema."""
        super().__init__(connection, config, embedder=embedder, open_embedder=open_embedder)
        self._cache = cache
        self._trie_age = trie_age
        self._feed = ChangeFeed(connection, self._config.hidden_labels)
        self._files = files
        self._from_files = self._from_graph = 0
        self._schema = KeptSchema(self.read_kept_version, super().schema, prepare_schema)
        self._values_cache = VersionedCache(self.read_kept_version, super().values)
        self._texts_cache = VersionedCache(self.read_kept_version, super().indexed_texts)
        self._lookup_cache: VersionedCache[LRUCache[Hashable, Any]] = VersionedCache(
            self.read_kept_version, _create_lookup_cache
        )

    def collect_figures(self) -> TrieFigures:
        sources = {"from_files": self._from_files, "from_graph": self._from_graph}
        in_memory = self._cache.collect_figures() if self._cache else TrieFigures()
        return replace(in_memory, **sources)

    async def schema(self) -> Schema:
        """The schema, at most a second old, or ten times as old as the time it takes to read."""
        return await self._schema.get()

    async def values(self) -> ValueIndex:
        return await self._values_cache.get()

    async def indexed_texts(self) -> IndexedTexts:
        return await self._texts_cache.get()

    async def find_holders(
        self, values: Sequence[StoredValue], limit: int
    ) -> Sequence[Sequence[NodeId] | None]:
        known = await self._lookup_cache.get()
        holders = {value: known[value, limit] for value in values if (value, limit) in known}
        new = [value for value in dict.fromkeys(values) if value not in holders]
        read = dict(zip(new, await super().find_holders(new, limit), strict=True))
        known.update({(value, limit): nodes for value, nodes in read.items()})
        return [(holders | read)[value] for value in values]

    async def reachable(
        self, anchors: Sequence[NodeId], hops: int, *, edge_budget: int, path_budget: int
    ) -> ReachablePaths:
        known = await self._lookup_cache.get()
        key = frozenset(anchors), hops, edge_budget, path_budget
        reachable: ReachablePaths | None = known.get(key)
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
        if self._trie_age and self._cache and not after:
            recent = self._cache.find_recent(key, time.monotonic() - self._trie_age)
            if recent is not None:
                return recent
        now = await self._read_stamp(after) if self._cache else None
        if now is None or self._cache is None:
            return await self._fetch_neighbourhood(key, after)
        return await self._cache.get(
            key, now, lambda: self._load_neighbourhood(key, now.version), self._feed
        )

    async def list_notes(self) -> tuple[str, ...]:
        """Notes for the caller about how this graph is read, and how old what is kept may be."""
        notes = await super().list_notes()
        if not (self._trie_age and self._cache):
            return notes
        return (*notes, f"neighbourhoods of nodes may be {self._trie_age:g} seconds old")

    async def _load_neighbourhood(self, key: TrieKey, version: GraphVersion) -> Neighbourhood:
        stored = await asyncio.to_thread(self._files.read_neighbourhood, key, version)
        if stored is None:
            return await self._fetch_neighbourhood(key, version)
        self._from_files += 1
        return stored

    async def _fetch_neighbourhood(self, key: TrieKey, after: GraphVersion | None) -> Neighbourhood:
        self._from_graph += 1
        return await super().neighbourhood(
            key.anchors, key.hops, edge_budget=key.edge_budget, names=key.names, after=after
        )

    async def _read_stamp(self, after: GraphVersion | None) -> GraphStamp | None:
        """The present moment of the graph, or the one that the caller has read."""
        return GraphStamp(after) if after else await _read_if_told(self._feed.read_stamp)

    async def read_kept_version(self) -> GraphVersion | None:
        """The graph's version, or None if the server does not give one: then nothing is cached.

        Raises GraphUnavailableError.
        """
        return await _read_if_told(self.read_version)


async def _read_if_told(read: Callable[[], Awaitable[T | None]]) -> T | None:
    """What is read of the graph's moment, or None where the server does not tell it."""
    try:
        return await read()
    except GraphUnavailableError:
        raise  # whatever is read instead would wait as long, and fail
    except GraphError as error:
        log.warning("tries are not cached: %s", error)
        return None


async def _create_lookup_cache() -> LRUCache[Hashable, Any]:
    return LRUCache(_MOST_REMEMBERED)
