"""Neighbourhoods in memory, each with the version of the graph at which it was read."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from cachetools import LRUCache

from trellis.domain.graph import Neighbourhood, NodeId
from trellis.graph.connection import GraphVersion

_POINTER = 8  # bytes of a reference in a tuple
_ENTRY = 1_000  # bytes of an entry without its arrays and texts


@dataclass(frozen=True, slots=True)
class TrieKey:
    """The arguments of a request for a neighbourhood; `anchors` are sorted, each once."""

    anchors: tuple[NodeId, ...]
    hops: int
    edge_budget: int
    names: bool

    @classmethod
    def of(cls, anchors: Sequence[NodeId], hops: int, *, edge_budget: int, names: bool) -> TrieKey:
        return cls(tuple(sorted(set(anchors))), hops, edge_budget, names)


@dataclass(frozen=True, slots=True)
class TrieFigures:
    """Where the tries of all questions so far came from, and how much memory they take."""

    hits: int = 0  # from memory
    from_files: int = 0
    from_graph: int = 0
    invalidated: int = 0  # entries dropped because the graph had changed
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
    """The most recently used neighbourhoods, up to `most` bytes; for one event loop.

    An entry is dropped when its version differs from the caller's. If a lagging follower of a
    cluster gives an older version, this costs one more read, but the result is never older than
    the follower's graph.
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
        """The cached neighbourhood, else what `load` gives; concurrent callers share one load."""
        neighbourhood = self._fresh(key, version)
        if neighbourhood is not None:
            self._hits += 1
            return neighbourhood
        pending = self._coming.get((key, version))
        self._hits += pending is not None
        return await asyncio.shield(pending or self._begun(key, version, load))

    def _fresh(self, key: TrieKey, version: GraphVersion) -> Neighbourhood | None:
        entry = self._kept.get(key)
        if entry is not None and entry.version != version:
            del self._kept[key]
            self._invalidated += 1
            return None
        return entry.neighbourhood if entry else None

    def _begun(
        self,
        key: TrieKey,
        version: GraphVersion,
        load: Callable[[], Awaitable[Neighbourhood]],
    ) -> asyncio.Task[Neighbourhood]:
        """Start a task of its own, so that a cancelled caller does not end it for the others."""
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
        neighbourhood = await load()
        entry = _Kept(version, neighbourhood, size_of(neighbourhood))
        if entry.size <= self._kept.maxsize:
            self._kept[key] = entry
        return neighbourhood

    def _ended(
        self, key: TrieKey, version: GraphVersion, task: asyncio.Task[Neighbourhood]
    ) -> None:
        del self._coming[key, version]
        if not task.cancelled():
            task.exception()  # marks it as seen, even if all callers were cancelled


def size_of(neighbourhood: Neighbourhood) -> int:
    """The memory that a neighbourhood takes, in bytes."""
    n = neighbourhood
    arrays = (n.levels, n.offsets, n.targets, n.types, n.directions, n.anchors)
    texts = (n.nodes, n.names, n.relation_types, [cut.node for cut in n.cuts])
    held = sum(array.nbytes for array in arrays)
    return _ENTRY + held + sum(sum(map(sys.getsizeof, t)) + _POINTER * len(t) for t in texts)
