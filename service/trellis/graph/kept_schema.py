"""The schema of one graph, with the vocabulary that questions read of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from trellis.domain.schema import Schema
from trellis.graph.connection import GraphVersion
from trellis.graph.kept import VersionedCache


class KeptSchema:
    """The last schema that was read of a graph, read again after the graph changes.

    Nobody gets a schema before `prepare` has built what questions read of it, in a thread. A schema
    that differs from the one before in counts alone takes over what follows from the rest: a graph
    to which nodes are added builds its vocabulary once.
    """

    def __init__(
        self,
        read_version: Callable[[], Awaitable[GraphVersion | None]],
        read_schema: Callable[[], Awaitable[Schema]],
        prepare: Callable[[Schema], object],
        clock: Callable[[], float],
    ) -> None:
        self._read_schema, self._prepare = read_schema, prepare
        self._cache = VersionedCache(read_version, self._load, clock)
        self._former: Schema | None = None

    async def get(self) -> Schema:
        """The schema, at most a second old, or ten times as old as the time it takes to read."""
        return await self._cache.get()

    async def _load(self) -> Schema:
        schema = await self._read_schema()
        await asyncio.to_thread(self._build, schema, self._former)
        self._former = schema
        return schema

    def _build(self, schema: Schema, former: Schema | None) -> None:
        if former is not None:
            schema.share_uncounted(former)
        self._prepare(schema)
