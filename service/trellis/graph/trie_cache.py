"""Neighbourhoods kept in memory, each under the version of the graph that it was read at."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from cachetools import LRUCache

from trellis.domain.graph import Neighbourhood, NodeId
from trellis.graph.connection import GraphVersion

_POINTER = 8
_ENTRY = 1_000  # bytes of an entry beside its arrays and texts


@dataclass(frozen=True, slots=True)
class TrieKey:
    """What was asked for; `anchors` are sorted, each once."""

    anchors: tuple[NodeId, ...]
    hops: int
    edge_budget: int
    names: bool

    @classmethod
    def of(cls, anchors: Sequence[NodeId], hops: int, *, edge_budget: int, names: bool) -> TrieKey:
        return cls(tuple(sorted(set(anchors))), hops, edge_budget, names)


@dataclass(frozen=True, slots=True)
class TrieFigures:
    """Where the tries of all questions so far came from, and what memory holds."""

    hits: int = 0  # from memory
    from_files: int = 0
    from_graph: int = 0
    invalidated: int = 0  # entries that the graph had gone on from
    entries: int = 0
    bytes: int = 0

    @property
    def misses(self) -> int:
        return self.from_files + self.from_graph


@dataclass(frozen=True, slots=True)
class _Kept:
    version: GraphVersion
    neighbourhood: Neighbourhood
    size: int


class TrieCache:
    """The neighbourhoods asked for last, up to `most` bytes; for one event loop.

    Versions are only compared: an entry of any other version than the asker's is dropped. With
    a follower that lags this costs a read, and gives no older graph than that follower holds.
    """

    def __init__(self, most: int) -> None:
        self._kept: LRUCache[TrieKey, _Kept] = LRUCache(most, getsizeof=lambda kept: kept.size)
        self._coming: dict[tuple[TrieKey, GraphVersion], asyncio.Task[Neighbourhood]] = {}
        self._hits = self._invalidated = 0

    def figures(self) -> TrieFigures:
        return TrieFigures(
            hits=self._hits,
            invalidated=self._invalidated,
            entries=len(self._kept),
            bytes=int(self._kept.currsize),
        )

    async def get(
        self,
        key: TrieKey,
        version: GraphVersion,
        load: Callable[[], Awaitable[Neighbourhood]],
    ) -> Neighbourhood:
        """What is kept, else what `load` brings: once for all who ask while it is under way."""
        kept = self._fresh(key, version)
        if kept is not None:
            self._hits += 1
            return kept
        coming = self._coming.get((key, version))
        self._hits += coming is not None
        return await asyncio.shield(coming or self._begun(key, version, load))

    def _fresh(self, key: TrieKey, version: GraphVersion) -> Neighbourhood | None:
        kept = self._kept.get(key)
        if kept is not None and kept.version != version:
            del self._kept[key]
            self._invalidated += 1
            return None
        return kept.neighbourhood if kept else None

    def _begun(
        self,
        key: TrieKey,
        version: GraphVersion,
        load: Callable[[], Awaitable[Neighbourhood]],
    ) -> asyncio.Task[Neighbourhood]:
        """A task of its own, so that one asker who leaves takes nothing from the others."""
        task = asyncio.create_task(self._loaded(key, version, load))
        self._coming[key, version] = task
        task.add_done_callback(lambda done: self._ended(key, version, done))
        return task

    async def _loaded(
        self,
        key: TrieKey,
        version: GraphVersion,
        load: Callable[[], Awaitable[Neighbourhood]],
    ) -> Neighbourhood:
        found = await load()
        kept = _Kept(version, found, size_of(found))
        if kept.size <= self._kept.maxsize:
            self._kept[key] = kept
        return found

    def _ended(
        self, key: TrieKey, version: GraphVersion, task: asyncio.Task[Neighbourhood]
    ) -> None:
        del self._coming[key, version]
        if not task.cancelled():
            task.exception()  # seen, even where all askers have left


def size_of(neighbourhood: Neighbourhood) -> int:
    """The bytes that a neighbourhood holds on to."""
    n = neighbourhood
    arrays = (n.levels, n.offsets, n.targets, n.types, n.directions, n.anchors)
    texts = (n.nodes, n.names, n.relation_types, [cut.node for cut in n.cuts])
    held = sum(array.nbytes for array in arrays)
    return _ENTRY + held + sum(sum(map(sys.getsizeof, t)) + _POINTER * len(t) for t in texts)
