"""One record, however wide, neither holds the event loop nor is read beyond the limit."""

from __future__ import annotations

import asyncio
import threading

import pytest

from real_neo4j import GraphFiller
from trellis.domain.errors import RefusedQueryError
from trellis.domain.structures.cypher import CypherQuery
from trellis.graph.database import wide_records
from trellis.graph.database.connection import GraphConnection
from trellis.graph.database.wide_records import WideRecordError, limit_record
from trellis.graph.gate import Limits, Neo4jQueries

pytestmark = pytest.mark.slow

THINGS = "UNWIND range(1, 3000) AS i CREATE (:Thing {name: 'thing ' + i, text: $text})"
THING_WITH_WORDS = "UNWIND range(1, 20) AS i CREATE (:Thing {name: 'thing ' + i, words: 'x' + i})"
SET_VECTORS = """
MATCH (n:Thing) CALL db.create.setNodeVectorProperty(n, '_trellis_vector', $vector)
"""
COLLECTED = "MATCH (n:Thing) RETURN collect(n) AS all"


@pytest.fixture
async def things(fill: GraphFiller) -> GraphConnection:
    """Nodes that are 6 MB together."""
    return await fill(THINGS, text="x" * 2_000, is_indexed=False)


async def test_a_wide_record_is_decoded_in_a_thread(
    things: GraphConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[int] = []
    unpack = wide_records._PatientInbox._unpack

    def watch_unpacking(self: object, hooks: object) -> object:
        threads.append(threading.get_ident())
        return unpack(self, hooks)

    monkeypatch.setattr(wide_records._PatientInbox, "_unpack", watch_unpacking)
    [row] = await things.read_rows(COLLECTED)
    assert len(row["all"]) == 3_000
    assert any(each != threading.get_ident() for each in threads)


@pytest.mark.parametrize("width", [2, 16, 384])
async def test_whole_nodes_come_without_our_vectors(
    clean_graph: GraphConnection, width: int
) -> None:
    await clean_graph.run_write(THING_WITH_WORDS)
    await clean_graph.run_write(SET_VECTORS, vector=[0.5] * width)
    rows = await clean_graph.read_rows("MATCH (n:Thing) RETURN n, n{.*} AS map")
    names = [sorted(entity) for row in rows for entity in (row["n"].keys(), row["map"])]
    assert names == [["name", "words"]] * 40
    [row] = await clean_graph.read_rows("MATCH (n:Thing) RETURN n._trellis_vector AS v LIMIT 1")
    assert row["v"] == [0.5] * width


async def test_a_record_beyond_the_limit_is_dropped_as_it_comes(things: GraphConnection) -> None:
    with pytest.raises(WideRecordError), limit_record(1_000_000):
        await things.read_rows(COLLECTED)
    assert len(await things.read_rows("MATCH (n:Thing) RETURN n.name")) == 3_000


async def test_the_gate_says_what_to_ask_for_instead(things: GraphConnection) -> None:
    queries = Neo4jQueries(things, Limits(bytes=500_000))
    with pytest.raises(RefusedQueryError, match="one row of the result is larger") as refused:
        await queries.run(CypherQuery(COLLECTED))
    assert "fewer or smaller" in refused.value.remedy
    rows = await queries.run(CypherQuery("MATCH (n:Thing) RETURN collect(n.name) AS names"))
    assert [len(names) for (names,) in rows.rows] == [3_000]


async def test_who_leaves_while_a_wide_record_comes_leaves_the_connections_whole(
    things: GraphConnection,
) -> None:
    for wait in (0.0, 0.02, 0.1, 0.3):
        reading = asyncio.create_task(things.read_rows(COLLECTED))
        await asyncio.wait([reading], timeout=wait)
        reading.cancel()
        await asyncio.wait([reading])
    assert await things.read_rows("RETURN 1 AS one") == [{"one": 1}]
