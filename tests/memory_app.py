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

from memory_graph import embed_words
from memory_grounding import GroundingQueries
from memory_patterns import search_by_brute_force
from memory_traces import trace_by_brute_force
from trellis.api.app import create_app
from trellis.app.models import ModelSet, ModelSource
from trellis.app.once import LazyPart
from trellis.app.trellis_app import TrellisApp
from trellis.automata.adjacency import build_adjacency, cut_neighbourhood
from trellis.automata.relation_paths import find_relation_paths
from trellis.domain.card import ModelCard
from trellis.domain.decoding import Search, Sentence
from trellis.domain.errors import TrellisError
from trellis.domain.facts import PropertyFact
from trellis.domain.graph import (
    Neighbourhood,
    Node,
    NodeId,
    ReachedNode,
    RelationPath,
    Revisit,
    Triple,
    Walk,
)
from trellis.domain.links import Link, NearName, NodeName, StoredValue
from trellis.domain.patterns import PatternMatches, PatternSearch
from trellis.domain.ports import LanguageModel
from trellis.domain.prompt import Prompt
from trellis.domain.reachable import ReachablePaths
from trellis.domain.schema import LabelKind, PropertyKind, RelationshipKind, Schema
from trellis.domain.texts import IndexedTexts, TextMatch, TextSearch
from trellis.domain.token_vectors import TokenVectors
from trellis.domain.traces import Traces, TraceSearch
from trellis.linking.text import name_key
from trellis.linking.value_index import ValueIndex
from trellis.methods import METHODS
from trellis.methods.registry import Method
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


class MemoryGraph:
    """The Graph port over a few triples; `fails` is raised by whatever is asked of it."""

    def __init__(self, triples: Sequence[tuple[str, str, str]] = TRIPLES) -> None:
        self.names = list(dict.fromkeys(name for h, _, t in triples for name in (h, t)))
        self.nodes = [Node(f"n{i}", name) for i, name in enumerate(self.names)]
        self.triples = set(triples)
        number = {name: i for i, name in enumerate(self.names)}
        self.all = build_adjacency(
            [node.id for node in self.nodes],
            self.names,
            [(number[h], r, number[t]) for h, r, t in triples],
        )
        self.fails: TrellisError | None = None

    async def check(self) -> None:
        if self.fails:
            raise self.fails

    async def find_by_key(self, keys: Sequence[str]) -> Mapping[str, Sequence[Node]]:
        await self.check()
        found = {key: [n for n in self.nodes if name_key(n.name) == key] for key in keys}
        return {key: nodes for key, nodes in found.items() if nodes}

    async def find_by_start(self, start: str, limit: int) -> Sequence[Node]:
        key = name_key(start)
        named = [node for node in self.nodes if key and name_key(node.name).startswith(key)]
        return sorted(named, key=lambda node: (len(name_key(node.name)), node.name))[:limit]

    async def find_by_spelling(self, keys: Sequence[str]) -> Mapping[str, Sequence[NodeName]]:
        return dict.fromkeys(keys[:0], ())

    async def search_by_text(self, texts: Sequence[str], limit: int) -> Sequence[Sequence[Link]]:
        return [() for _ in texts[: limit and None]]

    async def indexed_texts(self) -> IndexedTexts:
        return IndexedTexts()

    async def find_texts(self, phrase: str, limit: int) -> Sequence[TextMatch]:
        assert phrase
        return ()[:limit]

    async def search_texts(self, search: TextSearch) -> Sequence[TextMatch]:
        return ()[: search.limit]

    async def search_by_vector(
        self, vectors: NDArray[np.float32], limit: int
    ) -> Sequence[Sequence[Link]]:
        return [() for _ in vectors[: limit and None]]

    async def neighbourhood(
        self, anchors: Sequence[NodeId], hops: int, *, edge_budget: int, names: bool
    ) -> Neighbourhood:
        assert edge_budget > 0 or names
        await self.check()
        if not anchors:
            return replace(build_adjacency([], [], []), hops=hops)
        return cut_neighbourhood(self.all, [self.all.nodes.index(one) for one in anchors], hops)

    async def reach_nodes(
        self, path: RelationPath, revisit: Revisit, limit: int
    ) -> Sequence[ReachedNode]:
        assert revisit == "simple"
        await self.check()
        found: dict[Node, list[Walk]] = {}
        for walk in self._walks(path):
            found.setdefault(walk.tail, []).append(walk)
        return [ReachedNode(node, walks[0], len(walks)) for node, walks in found.items()][:limit]

    def _walks(self, path: RelationPath) -> Iterator[Walk]:
        walks = [[node] for node in self.nodes if node.id in path.anchors]
        for step in path.steps:
            edges = [
                (t, h) if step.reversed else (h, t)
                for h, r, t in self.triples
                if r == step.relation
            ]
            walks = [
                [*walk, node]
                for walk in walks
                for node in self.nodes
                if (walk[-1].name, node.name) in edges and node not in walk
            ]
        return (Walk(tuple(walk), path.steps) for walk in walks)

    async def check_triples(self, triples: Sequence[Triple]) -> Sequence[bool]:
        return [(t.head.name, t.relation, t.tail.name) in self.triples for t in triples]

    async def check_properties(self, facts: Sequence[PropertyFact]) -> Sequence[bool]:
        return [(it.key, it.value) == ("name", it.node.name) for it in facts]

    async def search_patterns(
        self, search: PatternSearch, limit: int, seconds: float
    ) -> PatternMatches:
        assert seconds > 0
        await self.check()
        number = {name: i for i, name in enumerate(self.names)}
        triples = [(number[h], relation, number[t]) for h, relation, t in sorted(self.triples)]
        return search_by_brute_force(self.nodes, triples, search, limit)

    async def search_traces(self, search: TraceSearch, seconds: float) -> Traces:
        assert seconds > 0
        await self.check()
        number = {name: i for i, name in enumerate(self.names)}
        triples = [(number[h], relation, number[t]) for h, relation, t in sorted(self.triples)]
        return trace_by_brute_force(self.nodes, triples, search)

    async def search_relations_by_vector(
        self, vectors: NDArray[np.float32], limit: int
    ) -> Sequence[Sequence[NearName]]:
        names = self.all.relation_types
        apart = np.linalg.norm(vectors[:, None] - LetterEmbedder().embed(names)[None], axis=2)
        ranked = [sorted(zip(row, names, strict=True)) for row in apart]
        return [[NearName(name, float(d)) for d, name in row[:limit]] for row in ranked]

    async def reachable(
        self, anchors: Sequence[NodeId], hops: int, *, edge_budget: int, path_budget: int
    ) -> ReachablePaths:
        found = await self.neighbourhood(anchors, hops, edge_budget=edge_budget, names=False)
        labels = {node.id: ("Thing",) for node in self.nodes}
        return find_relation_paths(found, labels, edge_budget=edge_budget, path_budget=path_budget)

    async def values(self) -> ValueIndex:
        return ValueIndex([StoredValue("Thing", "name", name) for name in self.names])

    async def search_values(self, texts: Sequence[str]) -> Sequence[Sequence[StoredValue]]:
        return [() for _ in texts]

    async def schema(self) -> Schema:
        await self.check()
        kinds = tuple(RelationshipKind(r, "Thing", "Thing", 1) for r in self.all.relation_types)
        label = LabelKind("Thing", len(self.nodes), "name", (PropertyKind("name", "STRING"),))
        return Schema((label,), kinds, len(self.nodes), len(self.triples), "f")


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
    graph: MemoryGraph,
    *loads: Callable[[], LanguageModel],
    methods: Mapping[str, Method] = METHODS,
) -> Callable[[Settings], Any]:
    """How the service opens an app of these parts; the models are of `loads`, or one WordModel."""

    @asynccontextmanager
    async def open_app(settings: Settings) -> AsyncIterator[TrellisApp]:
        store = Store.at(settings.store_url, settings.graph)
        queries = GroundingQueries(graph)
        yield TrellisApp(
            settings=settings,
            graph=graph,
            queries=queries,
            companions=StepCompanions(graph, queries),
            connections=ConnectionSearch(queries),
            models=ModelSet([memory_source(load) for load in loads or (WordModel,)]),
            embedder=LetterEmbedder(),
            reasoner=None,
            store=store,
            methods=methods,
            check_graph=graph.check,
        )
        await store.close()

    return open_app


def app_of(
    folder: Path,
    graph: MemoryGraph,
    *loads: Callable[[], LanguageModel],
    methods: Mapping[str, Method] = METHODS,
    **settings: Any,
) -> FastAPI:
    """The service on these parts, its store in `folder`."""
    address = f"sqlite+aiosqlite:///{folder}/answers.db"
    chosen = {"store_url": address, "body_limit": 200_000, **settings}
    return create_app(Settings(**chosen, _env_file=None), opener(graph, *loads, methods=methods))


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
async def served(
    folder: Path,
    graph: MemoryGraph,
    *loads: Callable[[], LanguageModel],
    methods: Mapping[str, Method] = METHODS,
    **settings: Any,
) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a service whose store is in `folder`."""
    async with calling(app_of(folder, graph, *loads, methods=methods, **settings)) as client:
        yield client


@asynccontextmanager
async def calling(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a service that runs in this event loop, without a network."""
    transport = httpx.ASGITransport(app)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://trellis") as client,
    ):
        yield client
