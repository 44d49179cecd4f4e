"""The description's examples as they stand, asked of Neo4j, the atlas and the bundled model."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from memory_app import listening
from openapi_examples import all_requests
from trellis import Client
from trellis.api.app import create_app
from trellis.engines.embeddings import SentenceEmbedder
from trellis.graph.database.connection import GraphConnection
from trellis.graph.indexes.indexing import index_graph
from trellis.graph.loading import load_graph
from trellis.settings import BUNDLED_GRAPH, BUNDLED_MODEL, Settings

pytestmark = pytest.mark.slow


@pytest.fixture
async def url(
    clean_graph: GraphConnection, graph_settings: Settings, tmp_path: Path
) -> AsyncIterator[str]:
    """A service of the atlas as `trellis demo` serves it."""
    await load_graph(clean_graph, BUNDLED_GRAPH)
    await index_graph(clean_graph, SentenceEmbedder(graph_settings.embedder))
    chosen = {"model": str(BUNDLED_MODEL), "trie_cache": 0, "cache": tmp_path}
    store = f"sqlite+aiosqlite:///{tmp_path}/answers.db"
    settings = graph_settings.model_copy(update={**chosen, "store_url": store})
    async with listening(create_app(settings)) as address:
        yield address


async def test_the_examples_are_answered_alone_and_many_at_once(url: str) -> None:
    described = create_app(Settings(_env_file=None)).openapi()
    async with httpx.AsyncClient(base_url=url, timeout=600) as client:
        for request in all_requests(described):
            answered = await client.request(request.verb, request.address, json=request.body)
            assert answered.is_success, (request, answered.text)
            if request.address == "/v1/questions":
                assert answered.json()["evidence"], request
    asked = ["What is the capital of France?", "What is the capital of Kenya?"]
    async with Client(url) as many:
        replies = await asyncio.gather(*(many.ask(asked[i % 2]) for i in range(12)))
    for number, reply in enumerate(replies):
        assert [one.name for one in reply.answers] == [("Paris", "Nairobi")[number % 2]]
