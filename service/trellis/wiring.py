"""The one place where parts are put together."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Generic, TypeVar

from openai import AsyncOpenAI

from trellis.automata.tries import SiteFigures
from trellis.domain.budget import Budget, in_time
from trellis.domain.errors import StoreError, TrellisError, UnknownMethodError, WrongTaskError
from trellis.domain.events import Watch, entering, unwatched
from trellis.domain.ports import Embedder, Graph, LanguageModel, Queries, Reasoner
from trellis.domain.question import readable
from trellis.domain.values import ModelCard, Question, Reply
from trellis.engines.embeddings import SentenceEmbedder
from trellis.engines.hosted import HostedModel
from trellis.engines.reasoner import HostedReasoner
from trellis.engines.replicas import WorkerFigures
from trellis.engines.worker import WorkerModel
from trellis.graph.cached_graph import CachedGraph
from trellis.graph.configuration import read_graph_config
from trellis.graph.connection import GraphConnection
from trellis.graph.gate import Limits, Neo4jQueries
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.graph.trie_cache import TrieCache, TrieFigures
from trellis.graph.trie_files import TrieFiles
from trellis.methods import METHODS, Method, Parts, Pipeline
from trellis.settings import BUNDLED_MODEL, Settings
from trellis.store.answers import Store
from trellis.store.migration import migrate_store
from trellis.warming import warm_up

log = logging.getLogger(__name__)

T = TypeVar("T")


class Once(Generic[T]):
    """A heavy part, loaded when first asked for; a failure is tried again."""

    def __init__(self, load: Callable[[], Awaitable[T]]) -> None:
        self._load = load
        self._turn = asyncio.Lock()
        self._part: list[T] = []

    @property
    def loaded(self) -> T | None:
        """The part, if it is there already."""
        return self._part[0] if self._part else None

    async def get(self) -> T:
        async with self._turn:
            if not self._part:
                self._part.append(await self._load())
        return self._part[0]


@dataclass(frozen=True, slots=True)
class Missing:
    """A part that is not ready, and why."""

    part: str
    error: TrellisError


@dataclass(frozen=True, slots=True)
class House:
    """All parts of a running Trellis; `check_graph` raises where the graph cannot answer."""

    settings: Settings
    graph: Graph
    queries: Queries
    model: Once[LanguageModel]
    embedder: Embedder
    reasoner: Reasoner | None
    store: Store
    methods: Mapping[str, Method]
    check_graph: Callable[[], Any]
    ranker: Once[LanguageModel] | None = None
    trie_figures: Callable[[], TrieFigures] | None = None  # None: no trie is remembered
    graph_notes: Callable[[], Awaitable[tuple[str, ...]]] | None = None  # None: there are none

    @property
    def default(self) -> str:
        return next(iter(self.methods))

    def budget(
        self, seconds: float | None = None, rows: int | None = None, tokens: int | None = None
    ) -> Budget:
        """What a question may cost: what is asked for, within the settings."""
        most = self.settings
        return Budget(
            min(seconds or most.question_timeout, most.question_timeout),
            min(rows or most.answer_limit, most.answer_limit),
            min(tokens or most.token_budget, most.token_budget),
        )

    def site_figures(self) -> SiteFigures | None:
        """Those of the model's site tries, where it runs here and is loaded."""
        figures = getattr(self.model.loaded, "site_figures", None)
        return figures() if figures else None

    def worker_figures(self) -> WorkerFigures | None:
        """How asking decoding workers went, where they run the model and it is loaded."""
        figures = getattr(self.model.loaded, "worker_figures", None)
        return figures() if figures else None

    async def check_model(self) -> None:
        """Raises where the model cannot be loaded, or is gone."""
        check = getattr(await self.model.get(), "check", None)
        if check:
            await check()

    async def pipeline(self, method: str | None = None, budget: Budget | None = None) -> Pipeline:
        """The method of that name (unset: the first that the model was trained for), its parts
        loaded. Raises UnknownMethodError, WrongTaskError and what keeps the model from loading."""
        if method is not None and method not in self.methods:
            known = ", ".join(self.methods)
            raise UnknownMethodError(f"there is no method {method!r}", f"use one of: {known}")
        model = await self.model.get()
        found = self._fitting(model.card.task, method)
        parts = Parts(
            self.settings,
            self.graph,
            self.queries,
            model,
            self.embedder,
            self.reasoner,
            await self.ranker.get() if self.ranker and found.ranks else None,
            budget or self.budget(),
        )
        return found.build(parts)

    def _fitting(self, task: str, name: str | None) -> Method:
        """The method of a name, or the first one for a task; WrongTaskError where they differ."""
        fitting = [method for method in self.methods.values() if method.task == task]
        named = self.methods[name] if name is not None else None
        if (named and named.task != task) or not (named or fitting):
            needed = named.task if named else next(iter(self.methods.values())).task
            raise WrongTaskError(
                f"the model was trained for task {task!r}, method {name or self.default!r} "
                f"needs {needed!r}",
                f"train one with `trellis train --task {needed}`, and name its folder",
            )
        return named or fitting[0]

    async def answer(
        self,
        question: Question,
        method: str | None = None,
        watch: Watch = unwatched,
        budget: Budget | None = None,
    ) -> Reply:
        """The method's reply, within a budget; OutOfTimeError says in which step time ran out.

        Where nothing was found, the graph is looked at: a graph that is empty or not indexed is
        an error, not an answer.
        """
        spend = budget or self.budget()
        async with in_time(spend.seconds):
            entering("load")
            pipeline = await self.pipeline(method, spend)
            reply = await pipeline.answer(question, watch)
            if reply.abstained and not reply.mentions:
                await self.check_graph()
            return replace(reply, notes=(*reply.notes, *await self.notes()))

    async def notes(self) -> tuple[str, ...]:
        """What an asker should know of how the graph is read: slower than it could be, say."""
        return await self.graph_notes() if self.graph_notes else ()

    def question(
        self, text: str, topics: list[str] | None = None, limit: int | None = None
    ) -> Question:
        """A question that was read and found usable; QuestionError otherwise."""
        most = self.settings.question_limit
        names = tuple(readable(topic, most) for topic in topics) if topics else None
        return Question(readable(text, most), names, limit)

    async def prepare_store(self) -> None:
        """Make the tables of a store that is a file of ours; others are the user's to migrate."""
        if self.settings.store_url.startswith("sqlite"):
            with suppress(StoreError):  # `missing` tells of it
                await migrate_store(self.settings.store_url)

    async def warm_up(self) -> None:
        """Pay for what a first question would pay for; no hosted model is asked."""
        pipeline = await replace(self, reasoner=None).pipeline()
        model = await self.model.get()
        asked = None if isinstance(model, HostedModel) else pipeline
        await warm_up(self.graph, self.embedder, model.card, asked)

    async def missing(self) -> list[Missing]:
        """The parts that are not ready; loads what was not loaded yet."""
        checks: dict[str, Callable[[], Any]] = {
            "graph": self.check_graph,
            "model": self.check_model,
            "embedder": lambda: asyncio.to_thread(self.embedder.embed, ["ready"]),
            "store": self.store.check,
        }
        if self.ranker:
            checks["ranker"] = self.ranker.get
        found = await asyncio.gather(*(_missing(part, check) for part, check in checks.items()))
        return [one for one in found if one is not None]


async def _missing(part: str, check: Callable[[], Any]) -> Missing | None:
    try:
        await check()
    except TrellisError as error:
        return Missing(part, error)
    except Exception as error:  # a part that breaks in a way of its own is not ready either
        log.error("the %s broke", part, exc_info=error)
        return Missing(part, TrellisError(f"the {part} broke", "the log has the details"))
    return None


def model_folder(settings: Settings) -> Path:
    """The trained model's folder: the one that was set, else the bundled one."""
    return Path(settings.model) if settings.model else BUNDLED_MODEL


@asynccontextmanager
async def house(settings: Settings, model: Path | None = None) -> AsyncIterator[House]:
    """Open the house: light parts at once, heavy ones when first needed; closed at the end.

    `model` goes before `settings.decoder_url`, that before `settings.worker_url`, that before
    `settings.model`, and that before the bundled one.
    """
    async with (
        GraphConnection(settings) as connection,
        _store(settings) as store,
        _language_model(model, settings) as language_model,
    ):
        graph = neo4j_graph(connection, settings)
        yield House(
            settings=settings,
            graph=graph,
            queries=neo4j_queries(connection, settings),
            model=language_model,
            embedder=SentenceEmbedder(settings.embedder, settings.device),
            reasoner=_reasoner(settings),
            store=store,
            methods=METHODS,
            check_graph=graph.check,
            trie_figures=graph.figures if isinstance(graph, CachedGraph) else None,
            ranker=Once(partial(_ranker, settings.ranker, settings)) if settings.ranker else None,
            graph_notes=graph.notes,
        )


def neo4j_graph(connection: GraphConnection, settings: Settings) -> Neo4jGraph:
    """The graph, remembering tries unless that is off."""
    config = read_graph_config(settings.graph_config)
    if not settings.trie_cache:
        return Neo4jGraph(connection, config)
    cache = TrieCache(settings.trie_cache * 2**20)
    return CachedGraph(connection, cache, trie_files(settings), config)


def neo4j_queries(connection: GraphConnection, settings: Settings) -> Queries:
    """What runs Cypher that a model or a person wrote."""
    limits = Limits(
        characters=settings.cypher_length,
        budget=settings.cypher_budget,
        rows=settings.cypher_rows,
        bytes=settings.cypher_bytes,
        seconds=settings.query_timeout,
    )
    return Neo4jQueries(connection, limits)


def trie_files(settings: Settings) -> TrieFiles:
    """Where tries that were built ahead are: of what the graph's own file leaves to be seen."""
    config = read_graph_config(settings.graph_config)
    if not (config.hidden_labels or config.hidden_relations):
        return TrieFiles(settings.cache / "tries")
    hidden = "\n".join((*config.hidden_labels, "", *config.hidden_relations))
    return TrieFiles(settings.cache / f"tries-{sha256(hidden.encode()).hexdigest()[:12]}")


@asynccontextmanager
async def _store(settings: Settings) -> AsyncIterator[Store]:
    store = Store.at(settings.store_url)
    try:
        yield store
    finally:
        await store.close()


@asynccontextmanager
async def _language_model(
    given: Path | None, settings: Settings
) -> AsyncIterator[Once[LanguageModel]]:
    model = Once(partial(_model, given, settings))
    try:
        yield model
    finally:
        if isinstance(model.loaded, WorkerModel):
            await model.loaded.close()


async def _model(given: Path | None, settings: Settings) -> LanguageModel:
    """The model that decodes: hosted, or run by workers, where their address is set and no folder
    is given; else the folder's, in this process."""
    if settings.decoder_url and given is None:
        return _decoder(settings, settings.decoder_url)
    if settings.worker_url and given is None:
        key = settings.worker_key.get_secret_value()
        return await WorkerModel.connected(settings.worker_url, key, settings.worker_timeout)
    return await asyncio.to_thread(_local, given or model_folder(settings), settings)


def _local(folder: Path, settings: Settings) -> LanguageModel:
    from trellis.engines.local import LocalModel  # when it is needed: torch takes seconds

    return LocalModel.load(folder, settings.device, settings.cache)


async def _ranker(folder: Path, settings: Settings) -> LanguageModel:
    """The model that ranks answers; WrongTaskError where the folder's is for something else."""
    model = await asyncio.to_thread(_local, folder, settings)
    if model.card.task != "rank":
        raise WrongTaskError(
            f"TRELLIS_RANKER: the model in {folder} was trained for task {model.card.task!r}",
            "train one with `trellis train --task rank`, and name its folder",
        )
    return model


def _decoder(settings: Settings, url: str) -> LanguageModel:
    client = AsyncOpenAI(
        base_url=url,
        api_key=settings.decoder_key.get_secret_value() or "none",
        timeout=settings.decoder_timeout,
        max_retries=2,
    )
    task, name = settings.decoder_task, settings.decoder_model
    card = ModelCard(task, name, hops=settings.decoder_hops, meets=True)
    return HostedModel(client, card, settings.decoder_timeout)


def _reasoner(settings: Settings) -> Reasoner | None:
    if not settings.reasoner_url:
        return None
    client = AsyncOpenAI(
        base_url=settings.reasoner_url,
        api_key=settings.reasoner_key.get_secret_value() or "none",
        timeout=settings.reasoner_timeout,
        max_retries=2,
    )
    return HostedReasoner(client, settings.reasoner_model, budget=settings.reasoner_tokens)
