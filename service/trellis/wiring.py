"""The one place where parts are put together."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from functools import cache, partial
from hashlib import sha256
from pathlib import Path

from openai import AsyncOpenAI

from trellis.access.guard import Guard
from trellis.access.keys import KeyRing
from trellis.access.oidc import TokenIssuer
from trellis.access.rates import RateLimiter
from trellis.access.spending import SecondsBudget
from trellis.domain.card import ModelCard, TaskSettings
from trellis.domain.errors import ServiceError
from trellis.domain.ports import (
    Embedder,
    Gate,
    GuidanceModel,
    LanguageModel,
    NamedEmbedder,
    Reasoner,
)
from trellis.engines.completions import DECODER, REASONER, ChatCompletions
from trellis.engines.embeddings import SentenceEmbedder, list_english_words
from trellis.engines.hosted import HostedModel
from trellis.engines.reasoner import HostedReasoner
from trellis.engines.schema_reader import SchemaReader
from trellis.engines.worker import WorkerModel
from trellis.general_models import GeneralModels, build_general_models
from trellis.graph.cached_graph import CachedGraph
from trellis.graph.configuration import read_graph_config
from trellis.graph.connection import GraphConnection
from trellis.graph.gate import Limits, Neo4jQueries
from trellis.graph.trie_cache import TrieCache
from trellis.graph.trie_files import TrieFiles
from trellis.house.house import House
from trellis.house.model_memory import ModelMemory
from trellis.house.models import ModelSet, ModelSource
from trellis.house.once import LazyPart
from trellis.methods import METHODS
from trellis.methods.registry import list_hosted_tasks
from trellis.models.finding import find_model_folder
from trellis.models.folder_list import UNTRAINED, split_folders
from trellis.models.general import read_any_card
from trellis.models.reader.folder import is_reader
from trellis.settings import BUNDLED_MODEL, DEFAULT_GRAPH, Settings
from trellis.steps.claims.step_companions import StepCompanions
from trellis.steps.queries.prepare_schema import prepare_schema
from trellis.steps.queries.settings import CypherSettings
from trellis.store.answers import Store
from trellis.store.audit import AuditTable
from trellis.store.database import Database
from trellis.store.keys import KeyTable


@asynccontextmanager
async def assemble_house(settings: Settings, model: str | None = None) -> AsyncIterator[House]:
    """Open all parts, and close them at the end; heavy parts are loaded at their first use.

    `model`: folders (comma-separated) whose models replace those of the settings.
    """
    embedder = _share_embedder(settings.embedder, settings.device)
    async with (
        GraphConnection(settings) as connection,
        _open_store(settings) as store,
        _open_reasoner(settings) as reasoner,
        AsyncExitStack() as stack,
    ):
        graph = build_graph(connection, settings, embedder)
        queries = build_queries(connection, settings)
        config = read_graph_config(settings.graph_config)
        general = build_general_models(settings, config, graph, queries, embedder, store)
        models = await stack.enter_async_context(_open_models(settings, model, embedder, general))
        yield House(
            settings=settings,
            graph=graph,
            queries=queries,
            companions=StepCompanions(graph, queries),
            models=models,
            embedder=embedder,
            reasoner=reasoner,
            store=store,
            methods=METHODS,
            check_graph=graph.check_ready,
            trie_figures=graph.collect_figures if settings.trie_cache else None,
            graph_notes=graph.list_notes,
            english_words=await asyncio.to_thread(list_english_words),
        )


@cache
def _share_embedder(name: str, device: str | None) -> SentenceEmbedder:
    """The embedder of that name: one for all graphs, for it knows texts and nothing of a graph."""
    return SentenceEmbedder(name, device)


@asynccontextmanager
async def open_guard(settings: Settings) -> AsyncIterator[Guard]:
    """What lets requests in, on the store's tables of keys and of audit rows."""
    database = Database.at(settings.store_url)
    issuer = _build_issuer(settings)
    rates = RateLimiter(settings.rate_limit, settings.rate_limit_url)
    audit = AuditTable(database)
    try:
        yield Guard(
            settings.require_keys,
            KeyRing(KeyTable(database)),
            issuer,
            rates,
            audit,
            settings.audit_texts,
            frozenset(filter(None, map(str.strip, settings.allowed_hosts.lower().split(",")))),
            SecondsBudget(settings.cypher_seconds),
        )
    finally:
        if issuer:
            issuer.close()
        await rates.close()
        await audit.finish_writes()
        await database.close()


def _build_issuer(settings: Settings) -> TokenIssuer | None:
    if not settings.oidc_issuer:
        return None
    if not settings.oidc_audience:
        raise ServiceError(
            "TRELLIS_OIDC_ISSUER is set without TRELLIS_OIDC_AUDIENCE",
            "set it, else tokens that were given for other services would be keys here",
        )
    return TokenIssuer(settings.oidc_issuer, settings.oidc_audience, settings.oidc_keys_url)


def build_graph(
    connection: GraphConnection, settings: Settings, embedder: NamedEmbedder | None = None
) -> CachedGraph:
    """The graph, with neighbourhoods cached in memory unless the settings turn that off.

    `embedder`: for relationship types and labels that came after indexing.
    """
    config = read_graph_config(settings.graph_config)
    cache = TrieCache(settings.trie_cache * 2**20) if settings.trie_cache else None
    return CachedGraph(
        *(connection, cache, build_trie_files(settings), config, embedder, settings.trie_age),
        prepare_schema,
    )


def build_queries(connection: GraphConnection, settings: Settings) -> Gate:
    """Runs Cypher that a model or a person wrote, within the limits of the settings."""
    limits = Limits(
        characters=settings.cypher_length,
        row_budget=settings.cypher_budget,
        rows=settings.cypher_rows,
        bytes=settings.cypher_bytes,
        seconds=settings.query_timeout,
    )
    return Neo4jQueries(connection, limits)


def build_trie_files(settings: Settings) -> TrieFiles:
    """The files of tries built ahead; a folder of its own for each graph and each set of hidden
    kinds. A database's own id does not tell graphs apart: a copy of a database keeps it."""
    config = read_graph_config(settings.graph_config)
    named = () if settings.graph == DEFAULT_GRAPH else (settings.graph,)
    if not (named or config.hidden_labels or config.hidden_relations):
        return TrieFiles(settings.cache / "tries")
    parts = "\n".join((*config.hidden_labels, "", *config.hidden_relations, *named))
    return TrieFiles(settings.cache / f"tries-{sha256(parts.encode()).hexdigest()[:12]}")


@asynccontextmanager
async def _open_store(settings: Settings) -> AsyncIterator[Store]:
    store = Store.at(settings.store_url, settings.graph)
    try:
        yield store
    finally:
        await store.close()


@asynccontextmanager
async def _open_models(
    settings: Settings, folders: str | None, embedder: Embedder, general: GeneralModels
) -> AsyncIterator[ModelSet]:
    """The models: those of the given folders; else those of the settings.

    The settings' order is: decoding workers, folders, a hosted model for what these do not do;
    where none of these is set, the bundled model.
    """
    async with AsyncExitStack() as stack:
        memory = ModelMemory(settings.model_memory * 2**20)
        if folders is not None:
            named = split_folders(folders)
            sources = _build_folder_sources(named, settings, embedder, memory, general)
        else:
            sources = [
                *(
                    _build_worker_source(urls, settings, stack, general)
                    for urls in settings.worker_groups
                ),
                *_build_folder_sources(settings.model_folders, settings, embedder, memory, general),
                *_build_hosted_sources(settings, stack, general),
            ]
        yield ModelSet(sources, memory)


def _build_folder_sources(
    folders: Sequence[Path],
    settings: Settings,
    embedder: Embedder,
    memory: ModelMemory,
    general: GeneralModels,
) -> list[ModelSource]:
    """The models of some folders; one of them may be the name of the model that nobody trained."""
    return [
        _build_untrained_source(embedder)
        if str(folder) == UNTRAINED
        else _build_folder_source(folder, settings, memory, general)
        for folder in folders
    ]


def _build_folder_source(
    folder: Path, settings: Settings, memory: ModelMemory, general: GeneralModels
) -> ModelSource:
    """The model of a folder; also of an id of the hub, or of a name."""

    def read_whole_card() -> ModelCard:
        return general.complete_card(read_any_card(folder, settings.cache))

    def load_model() -> LanguageModel:
        if is_reader(found := find_model_folder(folder, settings.cache)):
            return _load_reader(found, memory)
        return general.wrap_model(_load_local(folder, settings, memory))

    card = LazyPart(partial(asyncio.to_thread, read_whole_card))
    model = LazyPart(partial(asyncio.to_thread, load_model))
    name = "the bundled model" if folder == BUNDLED_MODEL else str(folder)
    guide = LazyPart(partial(asyncio.to_thread, _load_guide, folder, memory))
    return ModelSource(name, card, model, folder, guide=guide)


def _build_untrained_source(embedder: Embedder) -> ModelSource:
    """The model that reads questions by the schema's own words."""

    async def build_reader() -> LanguageModel:
        return SchemaReader(embedder)

    async def read_card_of_reader() -> ModelCard:
        return (await reader.get()).card

    reader = LazyPart(build_reader)
    return ModelSource(UNTRAINED, LazyPart(read_card_of_reader), reader)


def _load_local(folder: Path, settings: Settings, memory: ModelMemory) -> LanguageModel:
    from trellis.engines.local import LocalModel  # imported here, because torch takes seconds

    model = LocalModel.load(folder, settings.device, settings.cache)
    memory.claim(str(folder), model.count_bytes())
    gc.collect()
    gc.freeze()  # else every full collection walks all of torch, for half a second in a question
    return model


def _load_reader(folder: Path, memory: ModelMemory) -> LanguageModel:
    from trellis.engines.reader import ReaderModel  # imported here, because torch takes seconds

    reader = ReaderModel.load(folder)
    memory.claim(str(folder), reader.count_bytes())
    return reader


def _load_guide(folder: Path, memory: ModelMemory) -> GuidanceModel:
    from trellis.engines.guidance import LocalGuidance  # imported here, because torch takes seconds

    guide = LocalGuidance.load(folder)
    memory.claim(str(folder), guide.count_bytes())
    return guide


def _build_worker_source(
    urls: str, settings: Settings, stack: AsyncExitStack, general: GeneralModels
) -> ModelSource:
    """The model that some workers serve; its card is read from them when they are connected."""

    async def connect_workers() -> LanguageModel:
        key = settings.worker_key.get_secret_value()
        worker = await WorkerModel.connect(urls, key, settings.worker_timeout)
        stack.push_async_callback(worker.close)
        return general.wrap_model(worker)

    model = LazyPart(connect_workers)

    async def read_served_card() -> ModelCard:
        return (await model.get()).card

    return ModelSource(f"workers at {urls}", LazyPart(read_served_card), model)


def _build_hosted_sources(
    settings: Settings, stack: AsyncExitStack, general: GeneralModels
) -> list[ModelSource]:
    """A hosted chat model, where one is set: it does every task that has a chat format."""
    if not settings.decoder_url:
        return []
    client = _build_decoder_client(settings)
    stack.push_async_callback(client.close)
    hosted = list_hosted_tasks(METHODS.values())
    wanted = (_say_ordinary_cypher(task.build_settings(settings)) for task in hosted.values())
    card = replace(ModelCard.of(settings.decoder_model, *wanted), is_general=True)
    formats = {name: task.chat_format for name, task in hosted.items()}
    model = HostedModel(
        _build_decoder_completions(client, settings),
        card,
        formats,
        samples=settings.decoder_samples,
        fixed_means=None if settings.decoder_means == "auto" else settings.decoder_means,
    )

    async def get_card() -> ModelCard:
        return card

    async def get_model() -> LanguageModel:
        return general.wrap_hosted(model)

    def find_detail() -> str:
        return f"kept inside by: {model.known_means}" if model.known_means else ""

    name = f"{settings.decoder_model or 'the model'} at {settings.decoder_url}"
    return [
        ModelSource(
            name, LazyPart(get_card), LazyPart(get_model), is_hosted=True, find_detail=find_detail
        )
    ]


def _say_ordinary_cypher(settings: TaskSettings) -> TaskSettings:
    """The settings of a task for a hosted model, which writes queries as it has learnt to."""
    if not isinstance(settings, CypherSettings):
        return settings
    return replace(settings, rendering="cypher")


@asynccontextmanager
async def open_completions(settings: Settings) -> AsyncIterator[ChatCompletions | None]:
    """The hosted chat model that the settings name, for texts of any kind; None without one."""
    if not settings.decoder_url:
        yield None
        return
    async with _build_decoder_client(settings) as client:
        yield _build_decoder_completions(client, settings)


def _build_decoder_completions(client: AsyncOpenAI, settings: Settings) -> ChatCompletions:
    return ChatCompletions(
        client,
        settings.decoder_model,
        settings.decoder_timeout,
        DECODER,
        settings.thought_tokens,
    )


def _build_decoder_client(settings: Settings) -> AsyncOpenAI:
    return AsyncOpenAI(
        base_url=settings.decoder_url,
        api_key=settings.decoder_key.get_secret_value() or "none",
        timeout=settings.decoder_timeout,
        max_retries=2,
    )


@asynccontextmanager
async def _open_reasoner(settings: Settings) -> AsyncIterator[Reasoner | None]:
    if not settings.reasoner_url:
        yield None
        return
    client = AsyncOpenAI(
        base_url=settings.reasoner_url,
        api_key=settings.reasoner_key.get_secret_value() or "none",
        timeout=settings.reasoner_timeout,
        max_retries=2,
    )
    try:
        yield HostedReasoner(
            ChatCompletions(
                client,
                settings.reasoner_model,
                settings.reasoner_timeout,
                REASONER,
                settings.thought_tokens,
            ),
            settings.reasoner_tokens,
            settings.reasoner_written_tokens,
            settings.reasoner_chooses,
        )
    finally:
        await client.close()
