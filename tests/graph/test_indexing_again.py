"""A large graph is indexed again, or goes on where it was stopped; only what is wrong is read."""

from __future__ import annotations

import pytest

from memory_graph import TrigramEmbedder
from trellis.graph.connection import GraphConnection
from trellis.graph.indexing import index_graph
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.graph.state import change_state, read_state
from trellis.steps.link.link import link_mentions

_MANY = """
UNWIND range(1, 12000) AS i
CREATE (n:Person {name: 'Person ' + i}) SET n.alias = CASE WHEN i % 100 = 0 THEN 'Alias ' + i END
"""
_NAMED = """
MATCH (n:Person) RETURN n.name AS name, n._trellis_name AS named, n._trellis_key AS key,
       n._trellis_also AS also, n._trellis_aliases AS aliases ORDER BY n.name
"""


class StopError(Exception):
    """Breaks indexing off."""


async def test_indexing_goes_on_where_it_was_stopped(clean_graph: GraphConnection) -> None:
    await clean_graph.run_write(_MANY)
    read: list[int] = []

    def stop(stage: str, done: int, total: int | None, note: str = "") -> None:  # noqa: ARG001
        if stage == "names":
            raise StopError

    def count(stage: str, done: int, total: int | None, note: str = "") -> None:  # noqa: ARG001
        if stage == "names":
            read.append(done)

    with pytest.raises(StopError):
        await index_graph(clean_graph, progress=stop)
    assert (await index_graph(clean_graph, progress=count)).named == 12_000
    assert read[0] == 5_000
    assert read[1] < 7_200  # 5,000 were right, and of these only those with aliases came again


async def test_what_is_wrong_is_mended_and_nothing_else_is_read(
    clean_graph: GraphConnection,
) -> None:
    await clean_graph.run_write(_MANY)
    await index_graph(clean_graph)
    right = await clean_graph.read_rows(_NAMED)
    await clean_graph.run_write("MATCH (n:Person {name: 'Person 7'}) SET n.name = 'Ada'")
    await clean_graph.run_write("MATCH (n:Person {name: 'Person 9'}) SET n.alias = 'Bo'")
    await clean_graph.run_write("MATCH (n:Person {name: 'Person 200'}) REMOVE n.alias")
    await index_graph(clean_graph)
    changed = [row for row in await clean_graph.read_rows(_NAMED) if row not in right]
    assert [(row["named"], row["aliases"]) for row in changed] == [
        ("Ada", None),
        ("Person 200", None),
        ("Person 9", ["Bo"]),
    ]
    assert changed[0]["key"] == "ada"


async def test_keys_that_older_rules_made_are_made_anew(clean_graph: GraphConnection) -> None:
    await clean_graph.run_write(_MANY)
    await index_graph(clean_graph)
    await clean_graph.run_write("MATCH (n:Person {name: 'Person 7'}) SET n._trellis_key = 'old'")
    await change_state(clean_graph, named_by=0)
    await index_graph(clean_graph)
    rows = await clean_graph.read_rows("MATCH (n {_trellis_key: 'old'}) RETURN n")
    assert rows == []
    assert (await read_state(clean_graph)).named_by > 0


async def test_a_graph_without_embeddings_is_linked_by_spelling(
    clean_graph: GraphConnection,
) -> None:
    await clean_graph.run_write("CREATE (:Person {name: 'Ada Lovelace'}), (:Person {name: 'Bob'})")
    await index_graph(clean_graph)
    graph = Neo4jGraph(clean_graph)
    [mention] = await link_mentions("Where was Ada Lovelac born?", graph, TrigramEmbedder())
    assert mention.best.node.name == "Ada Lovelace"
    assert await link_mentions("Where was Xyzzy Quux born?", graph, TrigramEmbedder()) == ()
