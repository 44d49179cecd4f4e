"""The graphs that are served, each with all that is its own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from trellis.access.callers import Caller
from trellis.api.operation.metrics import Metrics
from trellis.api.operation.readiness import Readiness
from trellis.api.operation.telemetry import ReplyTracer, skip_tracing
from trellis.app.readiness import MissingPart
from trellis.app.trellis_app import TrellisApp
from trellis.domain.errors import BusyError, UnknownGraphError
from trellis.http.disconnects import cancel_tasks
from trellis.http.turns import ConcurrencyLimiter
from trellis.settings import Settings

_LOOKING_SECONDS = 1.5  # that a graph may take to say whether it is ready

_QUERY_SHARE = 4  # queries of people run at once for each so many questions

OpenApp = Callable[[Settings], AbstractAsyncContextManager[TrellisApp]]


@dataclass(slots=True)
class GraphRuntime:
    """What a graph holds beside its app: turns, its metrics, and the tracing of the whole service.

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
    trellis_app: TrellisApp
    runtime: GraphRuntime
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
    open_app: OpenApp,
    metrics: Metrics,
    trace_reply: ReplyTracer,
) -> AsyncIterator[ServedGraphs]:
    """Open an app for each graph; one that is down, or slow to warm up, keeps no other waiting."""
    async with AsyncExitStack() as stack:
        served = {
            name: _serve_graph(
                name, await stack.enter_async_context(open_app(chosen)), metrics, trace_reply
            )
            for name, chosen in graphs.items()
        }
        opened = ServedGraphs(served)
        _show_figures([*opened], metrics)
        for graph in opened:
            _show_figures([graph], graph.runtime.metrics)
        await opened.default.trellis_app.prepare_store()  # the store is one for all
        others = [it for it in opened if it is not opened.default]
        beginning = [asyncio.create_task(it.readiness.begin()) for it in others]
        try:
            await opened.default.readiness.begin()
            yield opened
        finally:
            await cancel_tasks(*beginning)
            await asyncio.gather(*(it.readiness.end() for it in opened))


def _serve_graph(
    name: str, trellis_app: TrellisApp, metrics: Metrics, trace_reply: ReplyTracer
) -> ServedGraph:
    turns = ConcurrencyLimiter(
        trellis_app.settings.concurrency, trellis_app.settings.waiting, _build_refusal
    )
    queries_at_once = max(1, trellis_app.settings.concurrency // _QUERY_SHARE)
    query_turns = ConcurrencyLimiter(queries_at_once, trellis_app.settings.waiting, _build_refusal)
    trellis_app = trellis_app.remember_answers()
    runtime = GraphRuntime(turns, query_turns, Metrics(metrics), trace_reply)
    return ServedGraph(name, trellis_app, runtime, Readiness(trellis_app))


def _show_figures(graphs: Sequence[ServedGraph], metrics: Metrics) -> None:
    """Expose the figures of some graphs together."""
    metrics.show_turns(
        [it for graph in graphs for it in (graph.runtime.turns, graph.runtime.query_turns)]
    )
    metrics.show_models([it.trellis_app.models.memory for it in graphs])
    metrics.show_sites(
        lambda: [figures for it in graphs for figures in it.trellis_app.site_figures()]
    )
    metrics.show_workers(
        lambda: [figures for it in graphs for figures in it.trellis_app.worker_figures()]
    )
    tries = [it.trellis_app.trie_figures for it in graphs if it.trellis_app.trie_figures]
    if tries:
        metrics.show_tries(lambda: [collect() for collect in tries])
    answers = [it.trellis_app.answers for it in graphs if it.trellis_app.answers]
    if answers:
        metrics.show_answers(lambda: [kept.collect_figures() for kept in answers])


def _build_refusal(running: int, waiting: int, retry_seconds: int) -> BusyError:
    return BusyError(
        f"{running} requests are being answered and {waiting} wait",
        f"try again in {retry_seconds} s, or raise TRELLIS_CONCURRENCY or TRELLIS_WAITING",
        retry_seconds,
    )
