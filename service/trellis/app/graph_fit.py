"""Whether a model that was trained for one graph is asked of that graph."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable

from trellis.app.once import LazyPart
from trellis.domain.errors import GraphUnavailableError
from trellis.domain.graphs.schema import Schema
from trellis.domain.models.card import ModelCard

_CHECK_INTERVAL = 1.0  # seconds during which the graph is not asked again


class GraphFit:
    """Whether a model is for the graph as it is now; it may be a second old.

    While the graph cannot be reached, the last known holds; at first, that it is.
    """

    def __init__(
        self,
        card: LazyPart[ModelCard],
        reach_graph: Callable[[], Awaitable[None]],
        read_schema: Callable[[], Awaitable[Schema]],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`reach_graph` raises GraphUnavailableError at once where the graph is not there."""
        self._card, self._reach_graph, self._read_schema = card, reach_graph, read_schema
        self._clock, self._checked_at = clock, -_CHECK_INTERVAL
        self._fits = True

    async def check(self) -> bool:
        """Whether it fits; raises the error of reading the card."""
        if self._clock() - self._checked_at >= _CHECK_INTERVAL:
            self._fits = await self._compare()
            self._checked_at = self._clock()
        return self._fits

    async def _compare(self) -> bool:
        try:
            await self._reach_graph()
            schema = await self._read_schema()
        except GraphUnavailableError:
            return self._fits
        return (await self._card.get()).fits_schema(schema.names)
