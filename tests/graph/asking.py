"""Ways to ask the graph of a test: by GraphRAFT with a given model, or by the shipped reader."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Any

from trellis.app.trellis_app import TrellisApp
from trellis.domain.ports import Embedder, LanguageModel
from trellis.domain.replies.events import Watch, ignore_event
from trellis.domain.replies.question import Question
from trellis.domain.replies.reply import Reply
from trellis.engines.reader import ReaderModel
from trellis.graph.database.connection import GraphConnection
from trellis.graph.gate import Limits, Neo4jQueries
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.models.reader.folder import SHIPPED_READER
from trellis.pipelines.graphraft import GraphRaft
from trellis.settings import Settings
from trellis.steps.retrieve.queries.settings import CypherSettings
from trellis.wiring.assemble import assemble_app


def build_graphraft(
    connection: GraphConnection,
    model: LanguageModel,
    limits: Limits | None = None,
    settings: CypherSettings | None = None,
    **parts: Any,
) -> GraphRaft:
    """GraphRAFT over a connection. `parts`: what it has besides, such as a search of its own."""
    queries = Neo4jQueries(connection, limits or Limits())
    return GraphRaft(Neo4jGraph(connection), queries, model, settings or CypherSettings(), **parts)


async def ask_graphraft(
    connection: GraphConnection,
    model: LanguageModel,
    text: str,
    *topics: str,
    watch: Watch = ignore_event,
    **more: Any,
) -> Reply:
    """The reply of a GraphRAFT that is built with `more`."""
    method = build_graphraft(connection, model, **more)
    return await method.answer(Question(text, topics or None), watch)


async def ask_reader(
    connection: GraphConnection, text: str, embedder: Embedder | None = None
) -> Reply:
    """The reply of GraphRAFT by the shipped reader, which never saw the graph."""
    reader = _load_reader()
    return await GraphRaft(
        Neo4jGraph(connection, embedder=embedder),
        Neo4jQueries(connection, Limits()),
        reader,
        reader.card.settings(CypherSettings),
        embedder=embedder,
        is_general=True,
    ).answer(Question(text))


@cache
def _load_reader() -> ReaderModel:
    return ReaderModel.load(SHIPPED_READER)


@asynccontextmanager
async def opening_reader(
    settings: Settings, folder: Path, **more: Any
) -> AsyncIterator[TrellisApp]:
    """An app by the shipped reader, with its store in a folder. `more`: further settings."""
    own = {"store_url": f"sqlite+aiosqlite:///{folder}/answers.db", "model": "reader"}
    async with assemble_app(settings.model_copy(update=own | more)) as opened:
        await opened.prepare_store()
        yield opened


def list_names(reply: Reply) -> list[str]:
    """The names of the answers, the best first."""
    return [answer.node.name for answer in reply.answers]
