"""Prometheus metrics of the service, in one registry for each app."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from functools import partial
from typing import TypeVar

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from trellis.app.models import ModelMemory
from trellis.automata.tokens.tries import CacheFigures
from trellis.domain.replies.reply import Reply
from trellis.engines.workers.replicas import WorkerFigures
from trellis.graph.neighbourhoods.trie_cache import TrieFigures
from trellis.http.turns import ConcurrencyLimiter
from trellis.store.database import WriteHealth

SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Metrics:
    """Counts of questions by method and outcome, and the seconds of their steps.

    `whole`: the metrics of the whole service, where these are of one graph; what is counted here is
    counted there too.
    """

    def __init__(self, whole: Metrics | None = None) -> None:
        self.registry = CollectorRegistry()
        self._levels = (self, whole) if whole else (self,)
        self.questions = Counter(
            "trellis_questions",
            "Questions by method and outcome (answered, abstained, left, or an error's name).",
            ("method", "outcome"),
            registry=self.registry,
        )
        self.seconds = Histogram(
            "trellis_question_seconds",
            "Seconds from a question to its answer.",
            ("method",),
            buckets=SECONDS,
            registry=self.registry,
        )
        self.steps = Histogram(
            "trellis_step_seconds",
            "Seconds that one step of a question took.",
            ("method", "step"),
            buckets=SECONDS,
            registry=self.registry,
        )

        self.cypher = Counter(
            "trellis_cypher",
            "Cypher that was asked for (explain, run) by outcome (allowed, refused, whole, cut, "
            "left, or an error's name).",
            ("asked", "outcome"),
            registry=self.registry,
        )
        if whole is None:
            self._count_process()

    def _count_process(self) -> None:
        """Expose what is of the process, and of no graph."""
        ProcessCollector(registry=self.registry)
        self.requests = Counter(
            "trellis_http_requests",
            "Requests by verb, route and status.",
            ("verb", "route", "status"),
            registry=self.registry,
        )

    def show_turns(self, turns: Sequence[ConcurrencyLimiter]) -> None:
        """Expose how many questions run and wait, of all graphs; both are read at each scrape."""
        running = Gauge("trellis_running", "Questions being answered now.", registry=self.registry)
        waiting = Gauge(
            "trellis_waiting", "Questions waiting for their turn.", registry=self.registry
        )
        running.set_function(lambda: sum(it.running for it in turns))
        waiting.set_function(lambda: sum(it.waiting for it in turns))

    def show_models(self, memories: Sequence[ModelMemory]) -> None:
        """Expose the memory that all models' weights take; it is read at each scrape."""
        Gauge(
            "trellis_model_bytes", "Bytes of the weights of loaded models.", registry=self.registry
        ).set_function(lambda: sum(it.used for it in memories))

    def show_tries(self, figures: Callable[[], Sequence[TrieFigures]]) -> None:
        """Expose the trie caches' own figures; they are read at each scrape."""
        self.registry.register(_Families(partial(_write_tries, figures)))

    def show_answers(self, figures: Callable[[], Sequence[CacheFigures]]) -> None:
        """As `show_tries`, for replies that are remembered; one item for each graph."""
        self.registry.register(_Families(partial(_write_caches, _ANSWERS, figures)))

    def show_sites(self, figures: Callable[[], Sequence[CacheFigures]]) -> None:
        """As `show_tries`, for site tries; `figures` gives one item for each loaded model."""
        self.registry.register(_Families(partial(_write_caches, _SITES, figures)))

    def show_workers(self, figures: Callable[[], Sequence[WorkerFigures]]) -> None:
        """As `show_tries`, for decoding workers; one item for each model that workers run."""
        self.registry.register(_Families(partial(_write_workers, figures)))

    def show_stores(self, healths: Callable[[], Sequence[WriteHealth]]) -> None:
        """Expose whether the stores take writes, and how many writes failed, at each scrape."""
        self.registry.register(_Families(partial(_write_stores, healths)))

    def count_answer(self, reply: Reply, seconds: float) -> None:
        outcome = "abstained" if reply.abstained else "answered"
        for level in self._levels:
            level.questions.labels(reply.method, outcome).inc()
            level.seconds.labels(reply.method).observe(seconds)
            for step in reply.steps:
                level.steps.labels(reply.method, step.name).observe(step.seconds)

    def count_failure(self, method: str, outcome: str) -> None:
        """Count a question that was not answered; `outcome`: an error's name, or `left`."""
        for level in self._levels:
            level.questions.labels(method, outcome).inc()

    def count_cypher(self, operation: str, outcome: str) -> None:
        """Count Cypher that was asked for, by how it ended."""
        for level in self._levels:
            level.cypher.labels(operation, outcome).inc()


class _Families(Collector):
    """Families of metrics that a function writes at each scrape."""

    def __init__(self, write: Callable[[], Iterator[Metric]]) -> None:
        self._write = write

    def collect(self) -> Iterator[Metric]:
        return self._write()


def _write_stores(read_healths: Callable[[], Sequence[WriteHealth]]) -> Iterator[Metric]:
    """How the writes of answers and audit rows ended."""
    healths = read_healths()
    failing = float(any(health.problem for health in healths))
    yield GaugeMetricFamily("trellis_store_failing", "1 while the store takes no writes.", failing)
    failed = sum(health.failed for health in healths)
    yield CounterMetricFamily("trellis_store_failed_writes", "Writes that the store lost.", failed)


@dataclass(frozen=True, slots=True)
class _CacheNames:
    """How the figures of a cache are called. `labels`: of what was asked, and its values for what
    was there and what was not."""

    name: str
    asked: str
    labels: tuple[str, str, str]
    kept: str
    size: str


_SITES = _CacheNames(
    "trellis_site_tries",
    "Token tries of sites, by whether they were there.",
    ("found", "yes", "no"),
    "Token tries in memory.",
    "Bytes of them.",
)
_ANSWERS = _CacheNames(
    "trellis_replies",
    "Replies by where they came from: memory, or the graph.",
    ("source", "memory", "graph"),
    "Replies in memory.",
    "Bytes of replies in memory.",
)


def _write_caches(
    names: _CacheNames, read_figures: Callable[[], Sequence[CacheFigures]]
) -> Iterator[Metric]:
    """The figures of caches of one kind, together."""
    now = _sum_figures(read_figures())
    if now is None:
        return
    label, found, missed = names.labels
    asked = CounterMetricFamily(names.name, names.asked, labels=(label,))
    yield _add_values(asked, {found: now.hits, missed: now.misses})
    yield GaugeMetricFamily(f"{names.name}_kept", names.kept, now.entries)
    yield GaugeMetricFamily(f"{names.name}_bytes", names.size, now.bytes)


def _write_workers(read_figures: Callable[[], Sequence[WorkerFigures]]) -> Iterator[Metric]:
    """The figures of the decoding workers."""
    now = _sum_figures(read_figures())
    if now is None:
        return
    for name, about, value in (
        ("requests", "Decodes that workers were asked for.", now.requests),
        ("retries", "Decodes that another worker was asked for.", now.retries),
        ("sent_bytes", "Bytes sent to workers.", now.bytes),
    ):
        yield CounterMetricFamily(f"trellis_worker_{name}", about, value)
    languages = CounterMetricFamily(
        "trellis_worker_languages", "Languages sent to workers, by how.", labels=("by",)
    )
    yield _add_values(languages, {"value": now.by_value, "reference": now.by_reference})
    replicas = GaugeMetricFamily("trellis_workers", "Workers.", labels=("state",))
    yield _add_values(replicas, {"aside": now.aside, "asked": now.replicas - now.aside})


def _write_tries(read_figures: Callable[[], Sequence[TrieFigures]]) -> Iterator[Metric]:
    """The figures of the trie caches."""
    now = _sum_figures(read_figures())
    if now is None:
        return
    asked = CounterMetricFamily(
        "trellis_tries",
        "KG-Tries by where they came from: memory, a file built ahead, or the graph.",
        labels=("source",),
    )
    sources = {"memory": now.hits, "file": now.from_files, "graph": now.from_graph}
    yield _add_values(asked, sources)
    yield CounterMetricFamily(
        "trellis_tries_invalidated",
        "KG-Tries dropped from memory because the graph had changed.",
        now.invalidated,
    )
    yield GaugeMetricFamily("trellis_tries_kept", "KG-Tries in memory.", now.entries)
    yield GaugeMetricFamily("trellis_tries_bytes", "Bytes of KG-Tries in memory.", now.bytes)


FamilyT = TypeVar("FamilyT", CounterMetricFamily, GaugeMetricFamily)
FiguresT = TypeVar("FiguresT", CacheFigures, WorkerFigures, TrieFigures)


def _add_values(family: FamilyT, values: Mapping[str, float]) -> FamilyT:
    """A family with one label, with the value of each of this label's values."""
    for label, value in values.items():
        family.add_metric((label,), value)
    return family


def _sum_figures(figures: Sequence[FiguresT]) -> FiguresT | None:
    """The sum of several models' figures, field by field; None if no model is loaded."""
    if not figures:
        return None
    columns = zip(*map(astuple, figures), strict=True)
    return type(figures[0])(*map(sum, columns))
