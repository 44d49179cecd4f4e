"""Neighbourhoods in memory, each with the moment of the graph at which it was current."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from cachetools import LRUCache

from trellis.domain.graphs.graph import Neighbourhood, NodeId
from trellis.graph.database.changes import ChangeFeed, GraphStamp, TouchedBy

_POINTER_BYTES = 8  # bytes of a reference in a tuple
_ENTRY_BYTES = 1_000  # bytes of an entry without its arrays and texts


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


@dataclass(slots=True)
class _CacheEntry:
    stamp: GraphStamp  # the last moment at which it was current
    neighbourhood: Neighbourhood
    source: TouchedBy
    size: int


class TrieCache:
    """The most recently used neighbourhoods, up to `max_bytes` bytes; for one event loop.

    An entry is served while the feed of changes says that the graph still holds it, and else
    dropped. If a lagging follower of a cluster gives an older version, this costs one more read,
    but the result is never older than the follower's graph.
    """

    def __init__(self, max_bytes: int) -> None:
        self._entries: LRUCache[TrieKey, _CacheEntry] = LRUCache(
            max_bytes, getsizeof=lambda kept: kept.size
        )
        self._pending: dict[tuple[TrieKey, GraphStamp], asyncio.Task[Neighbourhood]] = {}
        self._hits = self._invalidated = 0

    def collect_figures(self) -> TrieFigures:
        return TrieFigures(
            hits=self._hits,
            invalidated=self._invalidated,
            entries=len(self._entries),
            bytes=int(self._entries.currsize),
        )

    async def get(
        self,
        key: TrieKey,
        now: GraphStamp,
        load: Callable[[], Awaitable[Neighbourhood]],
        feed: ChangeFeed,
    ) -> Neighbourhood:
        """The cached neighbourhood, else what `load` gives; concurrent callers share one load.

        `load` reads the graph as it is at `now` or later.
        """
        neighbourhood = self._find_fresh(key, now, feed)
        if neighbourhood is not None:
            self._hits += 1
            return neighbourhood
        task = self._pending.get((key, now))
        self._hits += task is not None
        if task is None:  # a task of its own: a cancelled caller does not end it for the others
            task = asyncio.create_task(self._load_and_store(key, now, load, feed))
            self._pending[key, now] = task
            task.add_done_callback(lambda done: self._end_load(key, now, done))
        return await asyncio.shield(task)

    def find_recent(self, key: TrieKey, since: float) -> Neighbourhood | None:
        """The cached neighbourhood if it was current at `since` (by time.monotonic()) or later."""
        entry = self._entries.get(key)
        if entry is None or entry.stamp.taken_at < since:
            return None
        self._hits += 1
        return entry.neighbourhood

    def _find_fresh(self, key: TrieKey, now: GraphStamp, feed: ChangeFeed) -> Neighbourhood | None:
        entry = self._entries.get(key)
        if entry is None:
            return None
        if not feed.is_current(entry.source, entry.stamp, now):
            del self._entries[key]
            self._invalidated += 1
            return None
        entry.stamp = now
        return entry.neighbourhood

    async def _load_and_store(
        self,
        key: TrieKey,
        now: GraphStamp,
        load: Callable[[], Awaitable[Neighbourhood]],
        feed: ChangeFeed,
    ) -> Neighbourhood:
        neighbourhood = await load()
        source = feed.describe_source(neighbourhood, key.anchors)
        entry = _CacheEntry(now, neighbourhood, source, estimate_size(neighbourhood))
        if entry.size <= self._entries.maxsize:
            self._entries[key] = entry
        return neighbourhood

    def _end_load(self, key: TrieKey, now: GraphStamp, task: asyncio.Task[Neighbourhood]) -> None:
        del self._pending[key, now]
        if not task.cancelled():
            task.exception()  # marks it as seen, even if all callers were cancelled


def estimate_size(neighbourhood: Neighbourhood) -> int:
    """The memory that a neighbourhood takes, in bytes."""
    n = neighbourhood
    arrays = (n.levels, n.offsets, n.targets, n.types, n.directions, n.anchors)
    texts = (n.nodes, n.names, n.relation_types, [cut.node_id for cut in n.cuts])
    held = sum(array.nbytes for array in arrays)
    return (
        _ENTRY_BYTES
        + held
        + sum(sum(map(sys.getsizeof, t)) + _POINTER_BYTES * len(t) for t in texts)
    )
