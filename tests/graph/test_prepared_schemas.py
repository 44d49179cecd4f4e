"""A graph gives a schema away only when what questions read of it was built, in a thread."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest

from trellis.domain.schema import Schema
from trellis.graph.cached_graph import CachedGraph
from trellis.graph.connection import GraphConnection
from trellis.graph.trie_files import TrieFiles
from trellis.settings import Settings
from trellis.steps.link.vocabulary.schema_vocabulary import SchemaVocabulary
from trellis.wiring import build_graph

pytestmark = pytest.mark.slow

TOWN = "CREATE (:Person {name: 'Ada'})-[:OWES_A_QUOKKA_TO]->(:Person {name: 'Ben'})"


async def test_a_schema_is_prepared_once_and_off_the_event_loop(
    clean_graph: GraphConnection, tmp_path: Path
) -> None:
    prepared: list[Schema] = []
    threads: set[int] = set()

    def prepare(schema: Schema) -> None:
        prepared.append(schema)
        threads.add(threading.get_ident())

    await clean_graph.run_write(TOWN)
    graph = CachedGraph(clean_graph, None, TrieFiles(tmp_path), prepare_schema=prepare)
    given = await asyncio.gather(*(graph.schema() for _ in range(8)))
    assert prepared == given[:1]
    assert threading.get_ident() not in threads


async def test_the_graph_of_a_service_builds_the_schema_vocabulary(
    clean_graph: GraphConnection, tmp_path: Path
) -> None:
    await clean_graph.run_write(TOWN)
    settings = Settings(neo4j_uri=clean_graph.uri, cache=tmp_path, _env_file=None)
    schema = await build_graph(clean_graph, settings).schema()
    assert schema.uncounted.has_derived(SchemaVocabulary)
