"""The graphs that are served, each with all that is its own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from trellis.access.callers import Caller
from trellis.api.metrics import Metrics
from trellis.api.readiness import Readiness
from trellis.api.telemetry import ReplyTracer, skip_tracing
from trellis.domain.errors import BusyError, UnknownGraphError
from trellis.house.house import TrellisApp
from trellis.house.readiness import MissingPart
from trellis.http.turns import ConcurrencyLimiter
from trellis.settings import Settings

_LOOKING_SECONDS = 1.5  # that a graph may take to say whether it is ready

_QUERY_SHARE = 4  # queries of people run at once for each so many questions

OpenHouse = Callable[[Settings], AbstractAsyncContextManager[TrellisApp]]


@dataclass(slots=True)
class GraphRuntime:
    """What a graph holds beside its house: turns, its metrics, and the tracing of the whole app.

    `query_turns`: of people's own queries, so that slow ones keep no question waiting.
    """

    turns: ConcurrencyLimiter
    query_turns: ConcurrencyLimiter
    metrics: Metrics
    trace_reply: ReplyTracer = skip_tracing


@dataclass(frozen=True, slots=True)
class ServedGraph:
    """One graph: its parts, its turns, and whether it is ready. Nothing in it is another's."""

    name: str
    house: TrellisApp
    desk: GraphRuntime
    readiness: Readiness


class ServedGraphs:
    """The graphs of a service, the default one first."""

    def __init__(self, graphs: Mapping[str, ServedGraph]) -> None:
        self._graphs = graphs

    def __iter__(self) -> Iterator[ServedGraph]:
        return iter(self._graphs.values())

    def __len__(self) -> int:
        return len(self._graphs)

    @property
    def default(self) -> ServedGraph:
        return next(iter(self))

    def require(self, name: str | None) -> ServedGraph:
        """The graph of that name, the default one for None; UnknownGraphError where none is."""
        if name is None:
            return self.default
        if name not in self._graphs:
            raise UnknownGraphError(
                f"there is no graph {name!r}", "see /v1/graphs for those served"
            )
        return self._graphs[name]

    async def find_missing_parts(
        self, graphs: Sequence[ServedGraph]
    ) -> Sequence[Sequence[MissingPart]]:
        """What each of these graphs lacks; a graph that is frozen keeps nobody waiting."""
        looks = (graph.readiness.missing_within(_LOOKING_SECONDS) for graph in graphs)
        return await asyncio.gather(*looks)

    def list_open_to(self, caller: Caller) -> list[ServedGraph]:
        """The graphs that a caller may ask."""
        return [it for it in self if not caller.graphs or it.name in caller.graphs]


@asynccontextmanager
async def open_graphs(
    graphs: Mapping[str, Settings],
    open_house: OpenHouse,
    metrics: Metrics,
    trace_reply: ReplyTracer,
) -> AsyncIterator[ServedGraphs]:
    """Open a house for each graph; one that is down, or slow to warm up, keeps no other waiting."""
    async with AsyncExitStack() as stack:
        served = {
            name: _serve_graph(
                name, await stack.enter_async_context(open_house(chosen)), metrics, trace_reply
            )
            for name, chosen in graphs.items()
        }
        opened = ServedGraphs(served)
        _show_figures([*opened], metrics)
        for graph in opened:
            _show_figures([graph], graph.desk.metrics)
        await opened.default.house.prepare_store()  # the store is one for all
        others = [it for it in opened if it is not opened.default]
        beginning = [asyncio.create_task(it.readiness.begin()) for it in others]
        try:
            await opened.default.readiness.begin()
            yield opened
        finally:
            for task in beginning:
                task.cancel()
            await asyncio.gather(*beginning, return_exceptions=True)
            await asyncio.gather(*(it.readiness.end() for it in opened))


def _serve_graph(
    name: str, house: TrellisApp, metrics: Metrics, trace_reply: ReplyTracer
) -> ServedGraph:
    turns = ConcurrencyLimiter(house.settings.concurrency, house.settings.waiting, _build_refusal)
    queries_at_once = max(1, house.settings.concurrency // _QUERY_SHARE)
    query_turns = ConcurrencyLimiter(queries_at_once, house.settings.waiting, _build_refusal)
    desk = GraphRuntime(turns, query_turns, Metrics(metrics), trace_reply)
    return ServedGraph(name, house, desk, Readiness(house))


def _show_figures(graphs: Sequence[ServedGraph], metrics: Metrics) -> None:
    """Expose the figures of some graphs together."""
    metrics.show_turns(
        [it for graph in graphs for it in (graph.desk.turns, graph.desk.query_turns)]
    )
    metrics.show_models([it.house.models.memory for it in graphs])
    metrics.show_sites(lambda: [figures for it in graphs for figures in it.house.site_figures()])
    metrics.show_workers(
        lambda: [figures for it in graphs for figures in it.house.worker_figures()]
    )
    tries = [it.house.trie_figures for it in graphs if it.house.trie_figures]
    if tries:
        metrics.show_tries(lambda: [collect() for collect in tries])


def _build_refusal(running: int, waiting: int, retry_seconds: int) -> BusyError:
    return BusyError(
        f"{running} requests are being answered and {waiting} wait",
        f"try again in {retry_seconds} s, or raise TRELLIS_CONCURRENCY or TRELLIS_WAITING",
        retry_seconds,
    )
