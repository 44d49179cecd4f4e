"""A small app of real parts in memory: a graph, a model that reads words, and a store."""

from __future__ import annotations

import asyncio
import math
import re
import socket
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import uvicorn
from fastapi import FastAPI
from numpy.typing import NDArray

import memory_graph
from memory_graph import embed_words
from memory_grounding import GroundingQueries
from trellis import Client
from trellis.api.app import create_app
from trellis.app.models import ModelSet, ModelSource
from trellis.app.once import LazyPart
from trellis.app.trellis_app import TrellisApp
from trellis.domain.errors import TrellisError
from trellis.domain.graphs.graph import (
    Neighbourhood,
    Node,
    NodeId,
    ReachedNode,
    RelationPath,
    Revisit,
)
from trellis.domain.graphs.links import Link
from trellis.domain.graphs.schema import Schema
from trellis.domain.models.card import ModelCard
from trellis.domain.models.decoding import Search, Sentence
from trellis.domain.models.prompt import Prompt
from trellis.domain.models.token_vectors import TokenVectors
from trellis.domain.ports import LanguageModel
from trellis.domain.structures.patterns import PatternMatches, PatternSearch
from trellis.domain.structures.traces import Traces, TraceSearch
from trellis.methods import METHODS
from trellis.settings import Settings
from trellis.steps.claims.step_companions import StepCompanions
from trellis.steps.ground.connect_nodes import ConnectionSearch
from trellis.steps.retrieve.paths.settings import PathSettings
from trellis.store.answers import Store

TRIPLES = (
    ("France", "HAS_CAPITAL", "Paris"),
    ("Germany", "HAS_CAPITAL", "Berlin"),
    ("France", "BORDERS", "Germany"),
    ("France", "SPEAKS", "French"),
    ("Canada", "SPEAKS", "French"),
)


class MemoryGraph(memory_graph.MemoryGraph):
    """The Graph port over a few triples, without vectors and full text; `fails` is raised by
    whatever is asked of it."""

    def __init__(self, triples: Sequence[tuple[str, str, str]] = TRIPLES) -> None:
        names = list(dict.fromkeys(name for h, _, t in triples for name in (h, t)))
        numbered = [(names.index(h), relation, names.index(t)) for h, relation, t in triples]
        nodes = [Node(f"n{i}", name, ("Thing",)) for i, name in enumerate(names)]
        super().__init__(nodes, numbered, LetterEmbedder())
        self.fails: TrellisError | None = None

    async def check(self) -> None:
        if self.fails:
            raise self.fails

    async def find_by_key(self, keys: Sequence[str]) -> Mapping[str, Sequence[Node]]:
        await self.check()
        return await super().find_by_key(keys)

    async def search_by_text(self, texts: Sequence[str], limit: int) -> Sequence[Sequence[Link]]:
        return [() for _ in texts[: limit and None]]

    async def search_by_vector(
        self, vectors: NDArray[np.float32], limit: int
    ) -> Sequence[Sequence[Link]]:
        return [() for _ in vectors[: limit and None]]

    async def neighbourhood(
        self, anchors: Sequence[NodeId], hops: int, *, edge_budget: int, names: bool
    ) -> Neighbourhood:
        await self.check()
        return await super().neighbourhood(anchors, hops, edge_budget=edge_budget, names=names)

    async def reach_nodes(
        self, path: RelationPath, revisit: Revisit, limit: int
    ) -> Sequence[ReachedNode]:
        await self.check()
        return await super().reach_nodes(path, revisit, limit)

    async def search_patterns(
        self, search: PatternSearch, limit: int, seconds: float
    ) -> PatternMatches:
        await self.check()
        return await super().search_patterns(search, limit, seconds)

    async def search_traces(self, search: TraceSearch, seconds: float) -> Traces:
        await self.check()
        return await super().search_traces(search, seconds)

    async def schema(self) -> Schema:
        await self.check()
        return await super().schema()


class WordModel:
    """A LanguageModel that says what shares most words with the prompt, of all that may be said."""

    card = ModelCard.of("words", PathSettings(hops=1))

    async def decode(
        self, prompts: Sequence[Prompt], languages: Sequence[Any], search: Search
    ) -> Sequence[Sequence[Sentence]]:
        pairs = zip(prompts, languages, strict=True)
        return [self._best(prompt, language)[: search.width] for prompt, language in pairs]

    def _best(self, prompt: Prompt, language: Any) -> list[Sentence]:
        asked = set(re.findall(r"[a-z]{4,}", prompt.render().lower()))
        said = list(_sentences(language, language.start(), ""))
        weights = [math.exp(8 * len(asked & set(re.findall("[a-z]+", t.lower())))) for t, _ in said]
        found = [
            Sentence(text, (), language.values(state), math.log(weight / sum(weights)), 1)
            for (text, state), weight in zip(said, weights, strict=True)
        ]
        return sorted(found, key=lambda sentence: -sentence.score)


class HeldModel(WordModel):
    """A WordModel that writes nothing until it is let go; counts who wait and who went away."""

    def __init__(self) -> None:
        self.go = asyncio.Event()
        self.changed = asyncio.Condition()
        self.waiting = 0
        self.left = 0

    async def decode(
        self, prompts: Sequence[Prompt], languages: Sequence[Any], search: Search
    ) -> Sequence[Sequence[Sentence]]:
        await self._count(waiting=1)
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            await asyncio.shield(self._count(left=1))
            raise
        finally:
            await asyncio.shield(self._count(waiting=-1))
        return await super().decode(prompts, languages, search)

    async def _count(self, waiting: int = 0, left: int = 0) -> None:
        async with self.changed:
            self.waiting += waiting
            self.left += left
            self.changed.notify_all()

    async def until(self, reached: Callable[[], bool]) -> None:
        """Ends once that is so; the time limit only ends a test that hangs."""
        async with asyncio.timeout(600), self.changed:
            await self.changed.wait_for(reached)


def _sentences(language: Any, state: Any, text: str) -> Iterator[tuple[str, Any]]:
    if language.accepting(state):
        yield text, state
    moves = language.moves(state)
    for move in range(len(moves)):
        after = language.follow(state, move)
        if after is not None:
            yield from _sentences(language, after, text + moves.text_of(move))


class LetterEmbedder:
    """Unit vectors of letter counts."""

    dimensions = 26

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        counts = [[text.lower().count(chr(97 + i)) + 0.01 for i in range(26)] for text in texts]
        vectors = np.array(counts, np.float32).reshape(len(texts), 26)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    def embed_tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        return [embed_words(self, text) for text in texts]


def memory_source(load: Callable[[], LanguageModel]) -> ModelSource:
    """A source whose card is known once its model is loaded, as of decoding workers."""
    model = LazyPart(partial(asyncio.to_thread, load))

    async def get_card() -> ModelCard:
        return (await model.get()).card

    return ModelSource(getattr(load, "__name__", "a model"), LazyPart(get_card), model)


async def load_path_model(trellis_app: TrellisApp) -> LanguageModel:
    """The model of an app that does task `path`."""
    return await (await trellis_app.models.require_source("path")).model.get()


def opener(
    graph: MemoryGraph, *loads: Callable[[], LanguageModel], **parts: Any
) -> Callable[[Settings], Any]:
    """How the service opens an app of these parts; the models are of `loads`, or one WordModel.

    `parts`: fields of the app that are others.
    """

    @asynccontextmanager
    async def open_app(settings: Settings) -> AsyncIterator[TrellisApp]:
        store = Store.at(settings.store_url, settings.graph)
        queries = GroundingQueries(graph)
        trellis_app = TrellisApp(
            settings=settings,
            graph=graph,
            queries=queries,
            companions=StepCompanions(graph, queries),
            connections=ConnectionSearch(queries),
            models=ModelSet([memory_source(load) for load in loads or (WordModel,)]),
            embedder=LetterEmbedder(),
            reasoner=None,
            store=store,
            methods=METHODS,
            check_graph=graph.check,
        )
        yield replace(trellis_app, **parts)
        await store.close()

    return open_app


def app_of(
    folder: Path,
    graph: MemoryGraph,
    *loads: Callable[[], LanguageModel],
    parts: Mapping[str, Any] | None = None,
    **settings: Any,
) -> FastAPI:
    """The service on these parts, its store in `folder`; `parts`: as of `opener`."""
    address = f"sqlite+aiosqlite:///{folder}/answers.db"
    chosen = {"store_url": address, "body_limit": 200_000, **settings}
    return create_app(Settings(**chosen, _env_file=None), opener(graph, *loads, **(parts or {})))


@asynccontextmanager
async def listening(app: FastAPI) -> AsyncIterator[str]:
    """The address of an app that is served over HTTP, in this event loop."""
    server = _Server(uvicorn.Config(app, log_config=None, ws="none", timeout_graceful_shutdown=5))
    with socket.create_server(("127.0.0.1", 0)) as bound:
        serving = asyncio.create_task(server.serve([bound]))
        await server.ready.wait()
        try:
            yield f"http://127.0.0.1:{bound.getsockname()[1]}"
        finally:
            server.should_exit = True
            await serving


class _Server(uvicorn.Server):
    """Says when it listens, and leaves the tests' signals alone."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready.set()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@asynccontextmanager
async def open_client(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a service that runs within the block."""
    transport = httpx.ASGITransport(app)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://trellis") as client,
    ):
        yield client


@asynccontextmanager
async def open_typed_client(app: FastAPI) -> AsyncIterator[Client]:
    """Our own client of a service that runs within the block."""
    async with (
        app.router.lifespan_context(app),
        Client("http://trellis", attempts=1, transport=httpx.ASGITransport(app)) as client,
    ):
        yield client


@asynccontextmanager
async def served(
    folder: Path,
    graph: MemoryGraph,
    *loads: Callable[[], LanguageModel],
    parts: Mapping[str, Any] | None = None,
    **settings: Any,
) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a service whose store is in `folder`."""
    async with open_client(app_of(folder, graph, *loads, parts=parts, **settings)) as client:
        yield client
