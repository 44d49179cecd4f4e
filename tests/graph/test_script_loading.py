"""Cypher scripts as a user loads them."""

from __future__ import annotations

from pathlib import Path

import pytest

from trellis.domain.errors import FileFormatError
from trellis.graph.connection import GraphConnection
from trellis.graph.indexing import index_graph
from trellis.graph.loading import find_missing_work, load_graph
from trellis.graph.neo4j_graph import Neo4jGraph

_FILMS = """// Films, and who made them
CREATE CONSTRAINT film_title IF NOT EXISTS FOR (f:Film) REQUIRE f.title IS UNIQUE;
CREATE (:Film {title: 'One; two'}), (:Person {name: "Ada"});
MATCH (f:Film), (p:Person)
CREATE (f)-[:MADE_BY]->(p);  // the last one
UNWIND range(1, 5) AS i CALL (i) { CREATE (:Film {title: 'f' + i}) } IN TRANSACTIONS OF 2 ROWS;
"""
_COUNT = "MATCH (n) WHERE NOT n:_TrellisMeta RETURN count(n) AS count"


@pytest.fixture
async def films_graph(clean_graph: GraphConnection) -> GraphConnection:
    await clean_graph.run_command("DROP CONSTRAINT film_title IF EXISTS")
    return clean_graph


async def count_nodes(connection: GraphConnection) -> int:
    return int((await connection.read_rows(_COUNT))[0]["count"])


async def test_a_script_makes_a_graph_that_can_be_asked(
    films_graph: GraphConnection, tmp_path: Path
) -> None:
    file = tmp_path / "films.cypher"
    file.write_text(_FILMS)
    report = await load_graph(films_graph, file)
    assert (report.nodes, report.relationships) == (7, 1)
    assert await find_missing_work(films_graph, file) == "index"
    await index_graph(films_graph)
    await Neo4jGraph(films_graph).check_ready()
    await films_graph.run_command("DROP CONSTRAINT film_title")


async def test_a_statement_that_fails_is_told_by_its_line_and_what_was_run(
    films_graph: GraphConnection, tmp_path: Path
) -> None:
    file = tmp_path / "films.cypher"
    file.write_text("CREATE (:Film {title: 'a'});\n\nMATCH (f:Film)\nRETURN g;\nCREATE (:Film);\n")
    with pytest.raises(FileFormatError, match=r"films.cypher:3: .*`g` not defined.*; 1 statements"):
        await load_graph(films_graph, file)
    assert await count_nodes(films_graph) == 1
    assert (await Neo4jGraph(films_graph).read_status()).loading == "films.cypher"
    assert await find_missing_work(films_graph, file) == "nothing"
    file.write_text("CREATE (:Film {title: 'b'});\n")
    await load_graph(films_graph, file, replace=True)
    assert await count_nodes(films_graph) == 1


async def test_a_script_that_cannot_be_cut_runs_nothing(
    films_graph: GraphConnection, tmp_path: Path
) -> None:
    file = tmp_path / "films.cypher"
    file.write_text("CREATE (:Film);\n:use other\n")
    with pytest.raises(FileFormatError, match=r"films.cypher:2: :use other"):
        await load_graph(films_graph, file)
    assert await count_nodes(films_graph) == 0
