"""Graph files as a user loads them."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

from trellis.domain.errors import FileFormatError, InputError
from trellis.graph.database.connection import GraphConnection
from trellis.graph.database.state import forget_state
from trellis.graph.indexes.indexing import index_graph, remove_index
from trellis.graph.loading import find_missing_work, load_graph
from trellis.graph.loading.folder import FolderSource
from trellis.graph.loading.rows import BadRowsError
from trellis.graph.neo4j_graph import Neo4jGraph

_TRIPLES = """
MATCH (a)-[r]->(b) RETURN a.name AS head, type(r) AS relation, b.name AS tail
ORDER BY head, relation, tail
"""


def written(folder: Path, **files: str) -> Path:
    """`folder` with one CSV file per keyword (`nodes_Person` is `g.nodes.Person.csv`)."""
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / f"g.{name.replace('_', '.', 1)}.csv").write_text(text, encoding="utf-8")
    return folder


async def triples(connection: GraphConnection) -> list[tuple[str, str, str]]:
    rows = await connection.read_rows(_TRIPLES)
    return [(row["head"], row["relation"], row["tail"]) for row in rows]


async def one(connection: GraphConnection, query: str, **parameters: Any) -> Any:
    (row,) = await connection.read_rows(query, **parameters)
    return next(iter(row.values()))


@pytest.mark.parametrize("separator", ["\t", "|"])
@pytest.mark.parametrize("packed", [False, True])
async def test_triples_load_and_twice_is_the_same(
    clean_graph: GraphConnection, tmp_path: Path, separator: str, packed: bool
) -> None:
    rows = [("Kismet", "directed_by", "W. D."), *[("A", "odd `:x \\u0060]->() \\", "Zoë ✓")] * 2]
    data = "\ufeff" + "\r\n".join(map(separator.join, rows)) + "\n\n"
    file = tmp_path / ("graph.tsv.gz" if packed else "graph.tsv")
    file.write_bytes(gzip.compress(data.encode()) if packed else data.encode())
    for _ in range(2):
        report = await load_graph(clean_graph, file)
        assert (report.nodes, report.relationships) == (4, 2)
        assert await triples(clean_graph) == sorted(set(rows))
    ids = await one(clean_graph, "MATCH (n:Entity) WHERE n.id = n.name RETURN count(n)")
    assert ids == 4


async def test_labels_come_from_columns_lines_and_a_types_file(
    clean_graph: GraphConnection, tmp_path: Path
) -> None:
    graph, types = tmp_path / "g.tsv", tmp_path / "types.tsv"
    graph.write_text("Kismet\tby\tDieterle\t:Film:Work\t\nDieterle\t:Person\nKismet\tin\t1944\n")
    types.write_text("1944\tYear of film\n")
    await load_graph(clean_graph, graph, types=types)
    rows = await clean_graph.read_rows(
        "MATCH (n:Entity) RETURN n.name AS name, "
        "[l IN labels(n) WHERE NOT l STARTS WITH '_T' AND l <> 'Entity'] AS labels"
    )
    assert {row["name"]: sorted(row["labels"]) for row in rows} == {
        "Kismet": ["Film", "Work"],
        "Dieterle": ["Person"],
        "1944": ["Year of film"],
    }


NODES = (
    "id:ID(Film),title,`odd`` name:int,rating:double,seen:boolean,on:date,at:datetime,"
    "tags:string[],years:int[],place:point,empty,:LABEL,skip:IGNORE\n"
    'f1,"Two\nlines, ""quoted""",7,8.5,true,2020-02-29,2020-02-29T12:00:00Z,'
    'a;b c,1;2,"{latitude: 53.5, longitude: -2.6}",,Film;Odd `Label,x\n'
    "f2,007,,,,,,,,,,,\n"
)


async def test_a_folder_loads_typed_properties_labels_and_groups(
    clean_graph: GraphConnection, tmp_path: Path
) -> None:
    folder = written(
        tmp_path / "g",
        nodes_Film=NODES,
        nodes_Person=":ID(Person),name\nf1,Ada\n",
        relationships_BY=":START_ID(Film),:END_ID(Person),share:float\nf1,f1,0.5\nf2,f1,\n",
    )
    await load_graph(clean_graph, folder)
    film = await one(clean_graph, "MATCH (n:Film:`Odd ``Label`) RETURN n{.*}")
    assert film["title"] == 'Two\nlines, "quoted"'
    assert (film["`odd`` name"], film["rating"], film["seen"]) == (7, 8.5, True)
    assert (film["tags"], film["years"], film["on"].iso_format()) == (
        ["a", "b c"],
        [1, 2],
        "2020-02-29",
    )
    assert film["place"].latitude == 53.5
    assert film["id"] == "f1"
    assert not {"empty", "skip"} & film.keys()
    plain = await one(clean_graph, "MATCH (n:Film {id: 'f2'}) RETURN n.title")
    assert plain == "007"  # never guessed to be a number
    shares = await clean_graph.read_rows(
        "MATCH (:Film)-[r:BY]->(:Person {name: 'Ada'}) RETURN r.share AS share ORDER BY share"
    )
    assert [row["share"] for row in shares] == [0.5, None]


async def test_equal_rows_of_a_folder_are_parallel_relationships_once(
    clean_graph: GraphConnection, tmp_path: Path
) -> None:
    folder = written(
        tmp_path / "g",
        nodes_N=":ID,name\n1,a\n2,b\n",
        relationships_R=":START_ID,:END_ID,:TYPE,w\n1,2,R,x\n1,2,R,x\n1,2,R,y\n",
    )
    for _ in range(2):
        await load_graph(clean_graph, folder)
        assert await triples(clean_graph) == [("a", "R", "b")] * 3
    turned = ":START_ID,:END_ID,:TYPE,w\n1,2,R,y\n1,2,R,x\n1,2,R,x\n"
    await load_graph(clean_graph, written(folder, relationships_R=turned))
    assert len(await triples(clean_graph)) == 3  # the order of rows does not matter


async def test_few_rows_of_many_types_and_many_rows_of_one_load_alike(
    clean_graph: GraphConnection, tmp_path: Path
) -> None:
    many = [("hub", "IS A", f"n{i}") for i in range(1_500)]
    few = [(f"n{i}", f"type `{i}` of $(many)", f"n{i % 7}") for i in range(600)]
    rows = [*few[:300], *many, *few[300:], *many[:50]]
    file = tmp_path / "g.tsv"
    file.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
    for _ in range(2):
        await load_graph(clean_graph, file)
        assert await triples(clean_graph) == sorted({*few, *many})


async def test_parallel_relationships_of_many_types_load_once_with_their_properties(
    clean_graph: GraphConnection, tmp_path: Path
) -> None:
    rows = [f"{1 + i % 2},2,T{i % 30},{i % 60}" for i in range(240)]
    folder = written(
        tmp_path / "g",
        nodes_N=":ID,name,:LABEL\n1,a,X;Odd `$(y)\n2,b,Z\n",
        relationships_R="\n".join([":START_ID,:END_ID,:TYPE,weight:int", *rows]) + "\n",
    )
    for _ in range(2):
        await load_graph(clean_graph, folder)
        assert len(await triples(clean_graph)) == 240
    weights = "MATCH (:`Odd ``$(y)`)-[r:T2]->(:Z) RETURN collect(DISTINCT r.weight)"
    assert sorted(await one(clean_graph, weights)) == [2, 32]
    assert await one(clean_graph, "MATCH ()-[r]->() RETURN count(DISTINCT type(r))") == 30


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a\tr\tb\nc\td\n", "g.tsv:2: has 2 columns"),
        ("a\tr\tb\n\n\t r\tb\n", "g.tsv:3: has an empty head"),
        ("a\tr\tb\tLabel\n", "g.tsv:1: has a column after the tail"),
        ("", "is empty"),
        ("\n\n", "is empty"),
        ("just words\n", "neither tab nor"),
    ],
)
async def test_bad_triples_are_told_by_line_and_nothing_is_loaded(
    clean_graph: GraphConnection, tmp_path: Path, text: str, said: str
) -> None:
    file = tmp_path / "g.tsv"
    file.write_text(text)
    with pytest.raises(FileFormatError, match=said):
        await load_graph(clean_graph, file)
    assert await triples(clean_graph) == []


async def test_all_bad_rows_are_told_up_to_twenty(
    clean_graph: GraphConnection, tmp_path: Path
) -> None:
    file = tmp_path / "g.tsv"
    file.write_text("a\tr\tb\n" + "x\ty\n" * 3)
    with pytest.raises(BadRowsError) as few:
        await load_graph(clean_graph, file)
    assert [row.split(":")[1] for row in few.value.rows] == ["2", "3", "4"]
    file.write_text("a\tr\tb\n" + "x\ty\n" * 50)
    with pytest.raises(BadRowsError, match="20 bad rows or more"):
        await load_graph(clean_graph, file)


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"nodes_N": ":ID,age:int\n1,x\n"}, "g.nodes.N.csv:2: 'x' is no int"),
        ({"nodes_N": ":ID\n1\n1\n"}, "g.nodes.N.csv:3: id '1' was given before"),
        ({"nodes_N": "name\nx\n"}, "g.nodes.N.csv:1: the header lacks :ID"),
        ({"nodes_N": ":ID,x:colour\n"}, "unknown type 'colour'"),
        ({"nodes_N": ":ID\n1,2\n"}, "g.nodes.N.csv:2: has 2 columns, the header 1"),
        ({"nodes_N": ""}, "is empty"),
        ({"relationships_R": ":START_ID,:END_ID\n"}, "holds files of relationships alone"),
        ({"people": ":ID,name\n1,a\n", "notes": "x,y\n1,2\n"}, "g.notes.csv:1: the header has"),
        ({"people": "id:ID;name;:LABEL\n1;a;N\n"}, "g.people.csv:1: .* separated by `;`"),
        ({"people": "id:ID\tname\n1\ta\n"}, "g.people.csv:1: .* separated by tabs"),
        ({"people": ":ID\n1\n", "knows": ":START_ID,x\n1,1\n"}, "the header lacks :END_ID"),
        ({"people": ":ID\n1\n", "knows": "x,:END_ID\n1,1\n"}, "the header lacks :START_ID"),
        (
            {"nodes_N": ":ID\n1\n", "relationships_R": ":START_ID,:END_ID\n1,9\n"},
            "g.relationships.R.csv:2: node '9' is in no nodes file",
        ),
        (
            {"nodes_N": ":ID\n1\n", "relationships_R": ":START_ID,:END_ID\n1,\n"},
            "g.relationships.R.csv:2: has no :END_ID",
        ),
    ],
)
async def test_bad_folders_are_told_by_file_and_line(
    clean_graph: GraphConnection, tmp_path: Path, files: dict[str, str], said: str
) -> None:
    with pytest.raises(FileFormatError, match=said):
        await load_graph(clean_graph, written(tmp_path / "g", **files))


async def test_files_of_any_name_are_told_by_their_headers(
    clean_graph: GraphConnection, tmp_path: Path
) -> None:
    (tmp_path / "people.csv").write_text("\ufeff:ID(P),name,:LABEL\n1,Ada,Person\n2,Bo,Person\n")
    (tmp_path / "Town.CSV").write_text("code:ID(T),name\n1,Oslo\n")
    with gzip.open(tmp_path / "lives.csv.gz", "wt") as lives:
        lives.write("since:int,:END_ID(T),:START_ID(P),:TYPE\n1990,1,1,LIVES_IN\n")
    (tmp_path / "KNOWS.csv").write_text(":START_ID(P),:END_ID(P)\n1,2\n")
    (tmp_path / "read me.txt").write_text("no table\n")
    (tmp_path / ".hidden.csv").write_text("no header\n")
    report = await load_graph(clean_graph, tmp_path)
    assert (report.nodes, report.relationships) == (3, 2)
    assert await triples(clean_graph) == [("Ada", "KNOWS", "Bo"), ("Ada", "LIVES_IN", "Oslo")]
    assert await one(clean_graph, "MATCH (t:Town) RETURN t.name") == "Oslo"


def test_a_folder_without_csv_files_is_told_with_what_it_has(tmp_path: Path) -> None:
    (tmp_path / "graph.tsv").write_text("a\tr\tb\n")
    with pytest.raises(FileFormatError, match=r"holds no CSV file, but graph\.tsv"):
        FolderSource(tmp_path)


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("g.tsv", b"a\tr\t\xff\xfe\n", "is not UTF-8"),
        ("g.tsv.gz", b"a\tr\tb\n", "a damaged gzip file"),
        ("g.tsv.gz", gzip.compress(b"a\tr\tb\n" * 99)[:-9], "a damaged gzip file"),
    ],
    ids=["encoding", "plain", "truncated"],
)
async def test_unreadable_files_are_told(
    clean_graph: GraphConnection, tmp_path: Path, name: str, data: bytes, said: str
) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(FileFormatError, match=said):
        await load_graph(clean_graph, tmp_path / name)
    with pytest.raises(FileFormatError, match="is not there"):
        await load_graph(clean_graph, tmp_path / "other")


class StopError(Exception):
    """Breaks a load off."""


async def test_a_load_that_broke_off_is_run_again(
    clean_graph: GraphConnection, tmp_path: Path
) -> None:
    file = tmp_path / "g.tsv"
    types = ["often" if i % 12 else f"seldom {i}" for i in range(1_200)]
    file.write_text("".join(f"n{i}\t{kind}\tn{i + 1}\n" for i, kind in enumerate(types)))

    def stop(stage: str, done: int, total: int | None) -> None:  # noqa: ARG001
        if stage == "relationships":
            raise StopError

    with pytest.raises(StopError):
        await load_graph(clean_graph, file, progress=stop)
    assert 0 < len(await triples(clean_graph)) < 1_200
    assert await find_missing_work(clean_graph, file) == "load"
    assert await find_missing_work(clean_graph, tmp_path / "another.tsv") == "nothing"
    assert (await Neo4jGraph(clean_graph).read_status()).loading == "g.tsv"
    await load_graph(clean_graph, file)
    assert len(await triples(clean_graph)) == 1_200
    assert (await Neo4jGraph(clean_graph).read_status()).loading == ""


async def test_what_a_database_lacks_is_the_load_then_the_indexing_then_nothing(
    clean_graph: GraphConnection, tmp_path: Path
) -> None:
    file = tmp_path / "g.tsv"
    file.write_text("a\tr\tb\n")
    assert await find_missing_work(clean_graph, file) == "load"
    await load_graph(clean_graph, file)
    assert await find_missing_work(clean_graph, file) == "index"
    await index_graph(clean_graph)
    assert await find_missing_work(clean_graph, file) == "nothing"


async def test_a_database_of_another_origin_lacks_nothing(
    clean_graph: GraphConnection, tmp_path: Path
) -> None:
    await forget_state(clean_graph)
    await clean_graph.run_write("CREATE (:Old {name: 'old'})")
    assert await find_missing_work(clean_graph, tmp_path / "g.tsv") == "nothing"


async def test_replace_deletes_what_was_there(clean_graph: GraphConnection, tmp_path: Path) -> None:
    await clean_graph.run_write("CREATE (:Old {name: 'old'})-[:R]->(:Old {name: 'older'})")
    file = tmp_path / "g.tsv"
    file.write_text("a\tr\tb\n")
    await load_graph(clean_graph, file)
    assert len(await triples(clean_graph)) == 2
    await load_graph(clean_graph, file, replace=True)
    await index_graph(clean_graph)
    assert await triples(clean_graph) == [("a", "r", "b")]
    assert [kind.label for kind in (await Neo4jGraph(clean_graph).schema()).labels] == ["Entity"]


FOLDER_FILES = {
    "nodes_N": ":ID,`odd name:string,n:int\n1,a,7\n2,b,\n",
    "relationships_R": ":START_ID,:END_ID,:TYPE,w\n1,2,R,x\n1,2,R,x\n",
}


@pytest.mark.parametrize("kind", ["triples", "folder"])
@pytest.mark.parametrize("indexed_again", [False, True])
async def test_a_graph_whose_index_was_removed_is_not_loaded_twice(
    clean_graph: GraphConnection, tmp_path: Path, kind: str, indexed_again: bool
) -> None:
    path = tmp_path / "g"
    if kind == "folder":
        written(path, **FOLDER_FILES)
    else:
        path.write_text("a\tr\tb\n")
    await load_graph(clean_graph, path)
    await remove_index(clean_graph)
    if indexed_again:
        await index_graph(clean_graph)
    before = await triples(clean_graph)
    with pytest.raises(InputError, match="would double them; load with --replace"):
        await load_graph(clean_graph, path)
    assert await triples(clean_graph) == before
    assert (await Neo4jGraph(clean_graph).read_status()).loading == ""
    await load_graph(clean_graph, path, replace=True)
    await load_graph(clean_graph, path)
    assert await triples(clean_graph) == before


async def test_files_are_loaded_beside_nodes_of_another_origin(
    clean_graph: GraphConnection, tmp_path: Path
) -> None:
    await clean_graph.run_write("CREATE (:N {```odd name`: 'a', n: 8}), (:M {n: 7})")
    await load_graph(clean_graph, written(tmp_path / "g", **FOLDER_FILES))
    assert await one(clean_graph, "MATCH (n:N) RETURN count(n)") == 3


async def test_names_of_any_length_load_and_are_indexed(
    clean_graph: GraphConnection, tmp_path: Path
) -> None:
    file, long = tmp_path / "g.tsv", "word \U0001f600" * 3_000
    file.write_text(f"a\tr\t{long}\na\tr\t{long}2\n", encoding="utf-8")
    await load_graph(clean_graph, file)
    assert (await index_graph(clean_graph)).named == 3
    assert [tail for _, _, tail in await triples(clean_graph)] == [long, f"{long}2"]
