"""The one place where parts are put together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import cache, partial
from hashlib import sha256

from trellis.access.guard import Guard
from trellis.access.keys import KeyRing
from trellis.access.oidc import TokenIssuer
from trellis.access.rates import RateLimiter
from trellis.access.spending import SecondsBudget
from trellis.app.trellis_app import TrellisApp
from trellis.domain.errors import ServiceError
from trellis.domain.ports import (
    Gate,
    NamedEmbedder,
)
from trellis.engines.embeddings import (
    MINILM,
    MINILM_NAMES,
    SentenceEmbedder,
    list_english_words,
)
from trellis.engines.text_ranker import CrossEncoderRanker
from trellis.graph.cached_graph import CachedGraph
from trellis.graph.configuration import read_graph_config
from trellis.graph.database.connection import GraphConnection
from trellis.graph.gate import Limits, Neo4jQueries
from trellis.graph.neighbourhoods.trie_cache import TrieCache
from trellis.graph.neighbourhoods.trie_files import TrieFiles
from trellis.methods import METHODS
from trellis.settings import DEFAULT_GRAPH, Settings
from trellis.steps.claims.step_companions import StepCompanions
from trellis.steps.ground.connect_nodes import ConnectionSearch
from trellis.steps.retrieve.queries.prepare_schema import prepare_schema
from trellis.store.answers import Store
from trellis.store.audit import AuditTable
from trellis.store.database import Database
from trellis.store.keys import KeyTable
from trellis.wiring.general_models import build_general_models
from trellis.wiring.hosted_chats import open_reasoner
from trellis.wiring.model_sources import open_models


@asynccontextmanager
async def assemble_app(settings: Settings, model: str | None = None) -> AsyncIterator[TrellisApp]:
    """Open all parts, and close them at the end; heavy parts are loaded at their first use.

    `model`: folders (comma-separated) whose models replace those of the settings.
    """
    embedder = share_embedder(settings)
    async with (
        GraphConnection(settings) as connection,
        _open_store(settings) as store,
        open_reasoner(settings) as reasoner,
        AsyncExitStack() as stack,
    ):
        graph = build_graph(connection, settings, embedder)
        queries = build_queries(connection, settings)
        config = read_graph_config(settings.graph_config)
        general = build_general_models(settings, config, graph, queries, embedder, store)
        opening = open_models(settings, model, connection, graph, general)
        models = await stack.enter_async_context(opening)
        yield TrellisApp(
            settings=settings,
            graph=graph,
            queries=queries,
            companions=StepCompanions(graph, queries),
            connections=ConnectionSearch(
                queries,
                settings.connection_paths,
                settings.connection_steps,
                settings.connection_hub,
                config.hidden_relations,
                config.hidden_labels,
            ),
            models=models,
            embedder=embedder,
            reasoner=reasoner,
            text_ranker=_share_ranker(settings.ranker, settings.device),
            store=store,
            methods=METHODS,
            check_graph=graph.check_ready,
            trie_figures=graph.collect_figures if settings.trie_cache else None,
            graph_notes=graph.list_notes,
            read_version=None if settings.trie_age else graph.read_kept_version,
            english_words=await asyncio.to_thread(list_english_words),
        )


def share_embedder(settings: Settings, model: str | None = None) -> SentenceEmbedder:
    """The embedder of the settings, or that of a model; one for all graphs, for it knows texts and
    nothing of a graph. MiniLM is the bundled one under its name at the hub, too."""
    if model is not None and model.lower().removeprefix("sentence-transformers/") in MINILM_NAMES:
        model = MINILM
    return _open_embedder(model or settings.embedder, settings.device)


@cache
def _open_embedder(name: str, device: str | None) -> SentenceEmbedder:
    return SentenceEmbedder(name, device)


@cache
def _share_ranker(name: str, device: str | None) -> CrossEncoderRanker | None:
    """The ranker of that name: one for all graphs that name it."""
    return CrossEncoderRanker(name, device) if name else None


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
        await audit.close()
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
        partial(share_embedder, settings),
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
