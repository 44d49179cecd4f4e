"""Caches of one value that takes long to read, valid until the graph changes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Generic, TypeVar

from trellis.domain.graphs.schema import Schema
from trellis.domain.limits.sharing import SharedAttempt
from trellis.graph.database.connection import GraphVersion

T = TypeVar("T")

_VERSIONS: ContextVar[set[GraphVersion | None] | None] = ContextVar("versions", default=None)


@contextmanager
def collect_versions() -> Iterator[set[GraphVersion | None]]:
    """The versions of the graph of all values that caches give inside the block; None among them:
    of a value whose version is not known."""
    versions: set[GraphVersion | None] = set()
    token = _VERSIONS.set(versions)
    try:
        yield versions
    finally:
        _VERSIONS.reset(token)


_CHECK_INTERVAL = 1.0  # seconds during which the version is not asked for again
_FRESH_FACTOR = 10  # a value stays fresh for this many times as long as reading it took


class VersionedCache(Generic[T]):
    """The last result of `load`, read again after the graph's version changes.

    Concurrent callers share one read, and its error where it fails.
    The value may be a second old. It may also be ten times as old as the time that one read takes,
    so that a graph with steady writes is not read for more than a tenth of the time.
    """

    def __init__(
        self,
        read_version: Callable[[], Awaitable[GraphVersion | None]],
        load: Callable[[], Awaitable[T]],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._read_version, self._load, self._clock = read_version, load, clock
        self._attempt = SharedAttempt()
        self._entry: list[T] = []
        self._entry_version: GraphVersion | None = None
        self._checked_at = self._fresh_until = -1.0

    async def get(self) -> T:
        async with self._attempt.hold():
            if not self._entry or not await self._is_current():
                await self._reload()
            versions = _VERSIONS.get()
            if versions is not None:
                versions.add(self._entry_version)
            return self._entry[0]

    async def _is_current(self) -> bool:
        now = self._clock()
        if now < max(self._checked_at + _CHECK_INTERVAL, self._fresh_until):
            return True
        self._checked_at = now
        version = await self._read_version()
        return version is not None and version == self._entry_version

    async def _reload(self) -> None:
        began = self._clock()
        # before the read, which then sees at least this version
        self._entry_version = await self._read_version()
        self._entry = [await self._load()]
        self._checked_at = self._clock()
        self._fresh_until = self._checked_at + _FRESH_FACTOR * (self._checked_at - began)


class KeptSchema(VersionedCache[Schema]):
    """The last schema that was read of a graph, with the vocabulary that questions read of it.

    Nobody gets a schema before `prepare` has built what questions read of it, in a thread. A schema
    that differs from the one before in counts alone takes over what follows from the rest: a graph
    to which nodes are added builds its vocabulary once.
    """

    def __init__(
        self,
        read_version: Callable[[], Awaitable[GraphVersion | None]],
        read_schema: Callable[[], Awaitable[Schema]],
        prepare: Callable[[Schema], object],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(read_version, self._read_prepared, clock)
        self._read_schema, self._prepare = read_schema, prepare
        self._former: Schema | None = None

    async def _read_prepared(self) -> Schema:
        schema = await self._read_schema()
        await asyncio.to_thread(self._build, schema, self._former)
        self._former = schema
        return schema

    def _build(self, schema: Schema, former: Schema | None) -> None:
        if former is not None:
            schema.share_uncounted(former)
        self._prepare(schema)
