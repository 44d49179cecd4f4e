"""Graphs that are loaded otherwise: a new database made by Neo4j's own importer, beside what a load
makes of the same files; dumps; and Cypher scripts."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from real_neo4j import running_neo4j
from trellis.cli.graphs.neo4j import build_admin_command
from trellis.domain.errors import FileFormatError, GraphError, InputError
from trellis.graph.database.connection import GraphConnection
from trellis.graph.indexes.indexing import index_graph
from trellis.graph.loading import (
    check_graph_path,
    find_missing_work,
    import_graph,
    load_graph,
    restore_dump,
)
from trellis.graph.loading.rows import BadRowsError
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.settings import Settings

NEWER_DUMP = Path(__file__).parents[1] / "data" / "newer.dump"  # of two nodes, by Neo4j 2026.09

_NODES = """
MATCH (n) WHERE NOT n:_TrellisMeta
RETURN labels(n) AS labels, properties(n) AS properties ORDER BY n._trellis_id
"""
_RELATIONSHIPS = """
MATCH (a)-[r]->(b)
RETURN type(r) AS type, a._trellis_id AS start, b._trellis_id AS end, properties(r) AS properties
ORDER BY type, start, end, r._trellis_row
"""
_TRIPLES = (
    "Kismet\tby\tDieterle, W.\t:Film:Odd `label; two\t\nKismet\tby\tDieterle, W.\n"
    'say "hi"\todd `:type; ->\tZoë ✓\nKismet\tin\t 1944 \nKismet\tin\t\\\n'
    "A\tsame\tA\nA\tsame\tstate\n"
    f"A\tlong\t{'word ' * 400}\n"
)
_FILMS = (
    "id:ID(Film),title,`odd`` name:int,rating:double,seen:boolean,on:date,at:datetime,"
    "local:datetime,clock:time,took:duration,tags:string[],years:int[],place:point,flat:point,high:point,"
    "empty,:LABEL,skip:IGNORE\n"
    'f1,"Two\nlines, ""quoted"" \\",7,8.5,true,2020-02-29,2020-02-29T12:00:00.123Z,'
    "2020-02-29T12:00:00,12:30:00+01:00,P1Y2M3DT4H5M6S,"
    'a;;b c,1;-2,"{latitude: 53.5, longitude: -2.6}","{x: 1, y: -2.5e3}",'
    '"{latitude: 1, longitude: 2, height: 3}",,Film;Odd `Label,x\n'
    "f2,007,,,,,,,,,,,,,,,,\n"
    "f3, spaces ,-1,nan,0,,,,,,,,,,,,Film,\n"
    "f4,,,inf,1,,,,,,,,,,,,Film,\n"
)
_FOLDER = {
    "nodes.Film": _FILMS,
    "nodes.Person": ":ID(Person),name,rating\nf1,Ada,very good\nf2,O'Hara,\n",
    "nodes.Film-2": "id:ID(Film),rating:int,:LABEL\nf5,3,Film\n",
    "relationships.BY": ":START_ID(Film),:END_ID(Person),share:float,when:date\n"
    "f1,f1,0.5,\nf2,f1,,2001-01-01\nf2,f1,,2001-01-01\n",
    "relationships.any": ":START_ID(Person),:END_ID(Person),:TYPE,share\n"
    "f1,f2,BY,x\nf1,f2,KNOWS,\n",
}


def write_graph(folder: Path, kind: str) -> Path:
    """The files of one of the two kinds of graph."""
    path = folder / "graph"
    if kind == "triples":
        path.write_text(_TRIPLES, encoding="utf-8")
        return path
    path.mkdir()
    for name, text in _FOLDER.items():
        (path / f"g.{name}.csv").write_text(text, encoding="utf-8")
    return path


async def read_graph(connection: GraphConnection) -> list[Any]:
    """All nodes and relationships with all that they hold, in an order of their own."""
    nodes = [
        (sorted(row["labels"]), _describe_properties(row["properties"]))
        for row in await connection.read_rows(_NODES)
    ]
    edges = [
        (row["type"], row["start"], row["end"], _describe_properties(row["properties"]))
        for row in await connection.read_rows(_RELATIONSHIPS)
    ]
    return [nodes, edges]


def _describe_properties(properties: dict[str, Any]) -> list[str]:
    """Names, types and values: not-a-number, too, is like itself."""
    return sorted(f"{name} {type(value)} {value!r}" for name, value in properties.items())


@pytest.mark.parametrize("kind", ["triples", "folder"])
async def test_an_import_makes_the_graph_that_a_load_makes(
    clean_graph: GraphConnection, tmp_path: Path, kind: str
) -> None:
    path, data, stages = write_graph(tmp_path, kind), tmp_path / "data", set[str]()
    (data / "importing-before" / "data").mkdir(parents=True)  # of an import that was killed
    loaded = await load_graph(clean_graph, path)
    imported = import_graph(
        path, data, build_admin_command(), progress=lambda stage, *_: stages.add(stage)
    )
    assert imported == loaded
    assert {"nodes", "relationships", "node import", "relationship import"} <= stages
    with running_neo4j(data) as uri:
        async with GraphConnection(Settings(neo4j_uri=uri, _env_file=None)) as connection:
            [nodes, _] = await read_graph(connection)
            assert await load_graph(connection, path) == loaded  # finds all that is there
            assert await index_graph(connection) == await index_graph(clean_graph)
            indexed = await read_graph(connection)
            assert indexed == await read_graph(clean_graph)
            assert sum(node not in nodes for node in indexed[0]) == (kind == "triples")  # `\\`
            await Neo4jGraph(connection).check_ready()
    with pytest.raises(InputError, match="there is a database in"):
        import_graph(path, data, build_admin_command())
    assert sorted(file.name for file in data.iterdir() if file.is_dir()) == ["data", "logs"]


@pytest.fixture(scope="module")
def dump(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dump of a small database, under a name that is not that of the database."""
    folder = tmp_path_factory.mktemp("dump")
    file = folder / "g.tsv"
    file.write_text("Acme\tfounded_by\tAda\n")
    import_graph(file, folder / "made", build_admin_command())
    (folder / "conf").mkdir()
    home = {"NEO4J_HOME": str(folder / "made"), "NEO4J_CONF": str(folder / "conf")}
    dumped = folder / "company.dump"
    with dumped.open("wb") as out:
        command = [*build_admin_command(), "database", "dump", "neo4j", "--to-stdout"]
        subprocess.run(command, env={**os.environ, **home}, stdout=out, check=True)
    return dumped


async def test_a_dump_becomes_a_database(tmp_path: Path, dump: Path) -> None:
    restore_dump(dump, tmp_path / "data", build_admin_command())
    with running_neo4j(tmp_path / "data") as uri:
        async with GraphConnection(Settings(neo4j_uri=uri, _env_file=None)) as connection:
            rows = await connection.read_rows("MATCH (a)-[r]->(b) RETURN type(r) AS t, b.name AS b")
    assert rows == [{"t": "founded_by", "b": "Ada"}]
    with pytest.raises(InputError, match="there is a database"):
        restore_dump(dump, tmp_path / "data", build_admin_command())


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda data: data[: len(data) // 2], r"cannot be restored: .*; dump the database again"),
        (lambda _: b"no dump" * 99, "Not a valid Neo4j archive; dump the database again"),
        (lambda _: NEWER_DUMP.read_bytes(), "of a newer version .*; this Neo4j is 5.26"),
    ],
    ids=["truncated", "something else", "newer Neo4j"],
)
def test_a_dump_that_cannot_be_restored_leaves_no_database(
    tmp_path: Path, dump: Path, damage: Callable[[bytes], bytes], said: str
) -> None:
    damaged = tmp_path / "damaged.dump"
    damaged.write_bytes(damage(dump.read_bytes()))
    with pytest.raises(FileFormatError, match=said):
        restore_dump(damaged, tmp_path / "data", build_admin_command())
    assert not list((tmp_path / "data").iterdir())


async def test_what_is_loaded_otherwise_is_told_how(tmp_path: Path) -> None:
    for name, is_new, said in (
        ("g.dump", False, "--data DIR"),
        ("g.cypher", True, "load without --data"),
        ("g.tsv", True, "is not there"),
    ):
        if name != "g.tsv":
            (tmp_path / name).write_text("RETURN 1;")
        with pytest.raises(InputError, match=said):
            check_graph_path(tmp_path / name, is_new_database=is_new)


def test_a_bad_row_leaves_no_database(tmp_path: Path) -> None:
    path, data = tmp_path / "g.tsv", tmp_path / "data"
    path.write_text("a\tr\tb\nc\td\n")
    with pytest.raises(BadRowsError, match=r"g\.tsv:2"):
        import_graph(path, data, build_admin_command())
    assert not data.exists()


def test_a_label_that_the_tables_cannot_hold_is_told(tmp_path: Path) -> None:
    path = tmp_path / "g.tsv"
    path.write_text("a\tr\tb\t:odd\x1flabel\t\n")
    with pytest.raises(InputError, match=r"U\+001F"):
        import_graph(path, tmp_path / "data", build_admin_command())
    assert list((tmp_path / "data").iterdir()) == []


class StopError(Exception):
    """Breaks an import off."""


@pytest.mark.parametrize("last", ["relationships", "node import", "relationship import"])
def test_an_import_that_is_broken_off_leaves_no_database(tmp_path: Path, last: str) -> None:
    def stop(stage: str, done: int, total: int | None, note: str = "") -> None:  # noqa: ARG001
        if stage == last:
            raise StopError

    path, data = write_graph(tmp_path, "folder"), tmp_path / "data"
    with pytest.raises(StopError):
        import_graph(path, data, build_admin_command(), progress=stop)
    assert list(data.iterdir()) == []


def test_an_importer_that_fails_leaves_no_database_and_says_why(tmp_path: Path) -> None:
    path, data = tmp_path / "g.tsv", tmp_path / "data"
    path.write_text("a\tr\tb\n")
    with pytest.raises(GraphError, match="no-such-class"):
        import_graph(path, data, [*build_admin_command()[:-1], "no-such-class"])
    assert list(data.iterdir()) == []


_SCRIPT = """// Films, and who made them
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
    file.write_text(_SCRIPT)
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
