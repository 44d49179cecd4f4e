"""Which nodes were touched since something was read: by our plugin's log of the last commits.

The log is in the server's memory (`trellis.changes.since`); nothing is written. One round trip
tells the graph's version and all that was touched since the last one that this process made.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from trellis.domain.errors import PluginMissingError
from trellis.domain.graphs.graph import Neighbourhood, NodeId
from trellis.graph.database.connection import GraphConnection, GraphVersion
from trellis.graph.database.names import META

log = logging.getLogger(__name__)

_SINCE = """
CALL db.info() YIELD id
CALL trellis.changes.since($epoch, $position) YIELD epoch, position, touched, pending
RETURN id, epoch, position, touched, pending
"""
_MOST_IDS = 100_000  # node ids that are remembered as touched


@dataclass(frozen=True, slots=True)
class TouchedNodes:
    """Nodes that transactions touched."""

    everything: bool = False  # any node may have been touched
    ends: frozenset[NodeId] = frozenset()  # gained or lost a relationship
    nodes: frozenset[NodeId] = frozenset()  # came or went, or changed their labels or name
    lost_labels: frozenset[str] = frozenset()  # labels that nodes lost

    @classmethod
    def parse(cls, told: Mapping[str, Any]) -> Self:
        lists = (frozenset(told[key]) for key in ("ends", "nodes", "lostLabels"))
        return cls(told["all"], *lists)

    def __len__(self) -> int:
        return len(self.ends) + len(self.nodes) + len(self.lost_labels)


UNTOUCHED = TouchedNodes()


@dataclass(frozen=True, slots=True)
class GraphStamp:
    """A moment of the graph: what is read after it is taken shows at least all that was before."""

    version: GraphVersion
    epoch: str = ""  # the server's log of changes; empty: it keeps none
    position: int = 0  # in that log
    pending: TouchedNodes = UNTOUCHED  # by transactions that may show already, or not yet
    taken_at: float = field(default=0.0, compare=False)  # by time.monotonic()


@dataclass(frozen=True, slots=True)
class TouchedBy:
    """What a neighbourhood was read from: it stays as it is while none of this is touched."""

    inner: frozenset[NodeId]  # nodes whose relationships are in it
    nodes: tuple[NodeId, ...]  # all its nodes, and the anchors that were asked for
    hidden_labels: frozenset[str]  # nodes with these labels were left out

    def is_touched(self, touched: TouchedNodes) -> bool:
        """Whether the neighbourhood may differ after `touched`."""
        return (
            touched.everything
            or not touched.ends.isdisjoint(self.inner)
            or (bool(touched.nodes) and not touched.nodes.isdisjoint(self.nodes))
            or not touched.lost_labels.isdisjoint(self.hidden_labels)
        )


class ChangeFeed:
    """What was touched lately, as one server tells it; for one event loop."""

    def __init__(self, connection: GraphConnection, hidden_labels: Iterable[str] = ()) -> None:
        self._connection = connection
        self._hidden_labels = frozenset((*hidden_labels, META))
        self._is_told = True  # until the server turns out to lack the procedure
        self._epoch = ""
        self._position = self._forgotten = 0
        self._touches: deque[tuple[int, TouchedNodes]] = deque()
        self._size = 0

    @property
    def epoch(self) -> str:
        """The log that the server keeps; empty where it keeps none, or was not asked yet."""
        return self._epoch

    async def read_stamp(self) -> GraphStamp | None:
        """The present moment, in one round trip; None if the server does not tell its version."""
        began = time.monotonic()
        if not self._is_told:
            return _stamp_without_log(await self._connection.read_version(), began)
        try:
            row, version = await self._connection.read_row_and_version(
                _SINCE, epoch=self._epoch, position=self._position
            )
        except PluginMissingError:
            self._is_told = False
            log.info("Neo4j keeps no log of changes: any commit makes what is kept stale")
            return await self.read_stamp()
        if not row["epoch"]:
            return _stamp_without_log(version, began)
        self._learn(row["epoch"], row["position"], TouchedNodes.parse(row["touched"]))
        pending = TouchedNodes.parse(row["pending"])
        if not version:
            return None
        return GraphStamp(version, row["epoch"], row["position"], pending, began)

    def describe_source(self, neighbourhood: Neighbourhood, anchors: Sequence[NodeId]) -> TouchedBy:
        """What a neighbourhood of some anchors was read from."""
        inner = (neighbourhood.levels < neighbourhood.hops).nonzero()[0]
        missing = set(anchors).difference(neighbourhood.nodes)
        return TouchedBy(
            frozenset(neighbourhood.nodes[i] for i in inner.tolist()),
            neighbourhood.nodes + tuple(missing) if missing else neighbourhood.nodes,
            self._hidden_labels,
        )

    def is_current(self, source: TouchedBy, then: GraphStamp, now: GraphStamp) -> bool:
        """Whether what was read after `then` is still what the graph holds at `now`."""
        if source.is_touched(now.pending):
            return False
        return then.version == now.version or self._is_untouched(source, then)

    def _is_untouched(self, source: TouchedBy, then: GraphStamp) -> bool:
        if then.epoch != self._epoch or not then.epoch or then.position < self._forgotten:
            return False
        for position, touched in reversed(self._touches):
            if position <= then.position:
                return True
            if source.is_touched(touched):
                return False
        return True

    def _learn(self, epoch: str, position: int, touched: TouchedNodes) -> None:
        """Add what was touched up to a position; answers to concurrent reads come in any order."""
        if epoch != self._epoch:
            self._epoch, self._position = epoch, position
            self._forget_all()
        elif position > self._position:
            self._position = position
            self._touches.append((position, touched))
            self._size += 1 + len(touched)
            if touched.everything:
                self._forget_all()
        while self._size > _MOST_IDS:
            self._forgotten, oldest = self._touches.popleft()
            self._size -= 1 + len(oldest)

    def _forget_all(self) -> None:
        self._touches.clear()
        self._size, self._forgotten = 0, self._position


def _stamp_without_log(version: GraphVersion | None, began: float) -> GraphStamp | None:
    return GraphStamp(version, taken_at=began) if version else None
