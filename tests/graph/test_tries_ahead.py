"""KG-Tries built ahead: found by questions while the graph is as it was, and only then."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from neighbourhoods import same
from real_neo4j import GraphFiller
from trellis.automata.codec.neighbourhoods import decode_neighbourhood
from trellis.domain.errors import ServiceError
from trellis.domain.graphs.graph import Neighbourhood
from trellis.graph.cached_graph import CachedGraph
from trellis.graph.database.connection import GraphConnection
from trellis.graph.database.progress import Progress, ignore_progress
from trellis.graph.neighbourhoods.building import BuildReport, TrieBuilder
from trellis.graph.neighbourhoods.trie_cache import TrieKey
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.settings import Settings
from trellis.steps.link.link import link_mentions
from trellis.steps.retrieve.paths.retrieve_trie import retrieve_trie
from trellis.steps.retrieve.paths.settings import PathSettings
from trellis.wiring.assemble import build_graph, build_trie_files
from trellis_command import build_environment, call_trellis

OWN = """
CREATE (:Person {name: 'Ada'})-[:KNOWS]->(b:Person {name: 'Bob'}),
       (b)-[:LIVES_IN]->(:City {name: 'Ulm'}), (b)-[:KNOWS]->(:Person {name: 'Ulm'})
"""
NAMES = ("Ada", "Bob", "Ulm")


@pytest.fixture
def settings(graph_settings: Settings, tmp_path: Path) -> Settings:
    return graph_settings.model_copy(update={"cache": tmp_path / "cache"})


@pytest.fixture
async def own(fill: GraphFiller) -> GraphConnection:
    return await fill(OWN)


async def build(
    connection: GraphConnection,
    settings: Settings,
    *names: str,
    hops: int = 2,
    progress: Progress = ignore_progress,
) -> BuildReport:
    files = build_trie_files(settings)
    builder = TrieBuilder(Neo4jGraph(connection), files, hops, 1_000, names=False)
    return await builder.build(names or NAMES, progress)


def open_anew(connection: GraphConnection, settings: Settings) -> CachedGraph:
    """The graph of an app that was opened anew."""
    graph = build_graph(connection, settings)
    assert isinstance(graph, CachedGraph)
    return graph


def count_reads(graph: CachedGraph) -> tuple[int, int]:
    """How many tries came from files, and how many from the graph."""
    figures = graph.collect_figures()
    return figures.from_files, figures.from_graph


async def asked(connection: GraphConnection, settings: Settings, name: str) -> CachedGraph:
    """An app opened anew that was asked about a name, and gave what the procedure gives."""
    graph = open_anew(connection, settings)
    nodes = (await graph.find_by_key([name.lower()]))[name.lower()]
    around = await graph.neighbourhood([n.id for n in nodes], 2, edge_budget=1_000, names=False)
    assert same(around, await now(connection, [n.id for n in nodes]))
    return graph


async def find_ada(graph: Neo4jGraph) -> str:
    [ada] = (await graph.find_by_key(["ada"]))["ada"]
    return ada.id


async def now(connection: GraphConnection, ids: list[str]) -> Neighbourhood:
    graph = Neo4jGraph(connection)
    return await graph.neighbourhood(sorted(ids), 2, edge_budget=1_000, names=False)


def stored(settings: Settings) -> list[Path]:
    return sorted(path for path in settings.cache.glob("tries/**/*") if path.is_file())


async def test_questions_find_what_was_built(own: GraphConnection, settings: Settings) -> None:
    report = await build(own, settings)
    assert (report.built, report.fresh, report.unknown, report.changed) == (3, 0, (), False)
    assert [path.suffix for path in stored(settings)] == [".trie"] * 3
    for name in NAMES:  # two nodes are called Ulm
        assert count_reads(await asked(own, settings, name)) == (1, 0)


async def test_a_question_in_words_finds_what_was_built_for_its_name(
    own: GraphConnection, settings: Settings
) -> None:
    await build(own, settings)
    for question in ("Where does someone live whom Ada knows?", "Whom does Bob know?"):
        graph = open_anew(own, settings)
        mentions = await link_mentions(question, graph, None)
        trie = await retrieve_trie(graph, mentions, PathSettings(hops=2), 1_000)
        assert not trie.is_empty()
        assert count_reads(graph) == (1, 0)


async def test_memory_goes_before_files(own: GraphConnection, settings: Settings) -> None:
    await build(own, settings)
    graph = await asked(own, settings, "Ada")
    await graph.neighbourhood([await find_ada(graph)], 2, edge_budget=1_000, names=False)
    assert (graph.collect_figures().hits, graph.collect_figures().from_files) == (1, 1)


@pytest.mark.parametrize(
    "other",
    [{"hops": 1}, {"edge_budget": 999}, {"names": True}],
    ids=lambda other: next(iter(other)),
)
async def test_what_was_built_for_other_questions_is_not_taken(
    own: GraphConnection, settings: Settings, other: dict[str, int]
) -> None:
    await build(own, settings)
    graph, usual = open_anew(own, settings), {"hops": 2, "edge_budget": 1_000, "names": False}
    await graph.neighbourhood([await find_ada(graph)], **usual | other)
    assert graph.collect_figures().from_files == 0


async def test_names_without_a_node_are_told_once(own: GraphConnection, settings: Settings) -> None:
    report = await build(own, settings, "Ada", "Nobody", "Ada", "No one", "ada", "")
    assert (report.built, report.fresh) == (1, 1)  # `ada` is Ada too
    assert report.unknown == ("Nobody", "No one", "")


async def test_a_build_that_broke_off_goes_on(own: GraphConnection, settings: Settings) -> None:
    def stop(_: str, done: int, __: int | None) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        await build(own, settings, progress=stop)
    assert [path.suffix for path in stored(settings)] == [".trie"] * 2
    (stored(settings)[0].parent / "killed.new").write_bytes(b"half")
    report = await build(own, settings)
    assert (report.built, report.fresh) == (1, 2)
    assert [path.suffix for path in stored(settings)] == [".trie"] * 3


async def test_a_graph_that_changed_is_read_anew(own: GraphConnection, settings: Settings) -> None:
    await build(own, settings)
    await own.run_write("MATCH (n {name: 'Ada'}) CREATE (n)-[:KNOWS]->(:Person {name: 'Dan'})")
    assert count_reads(await asked(own, settings, "Ada")) == (0, 1)
    report = await build(own, settings, "Ada")
    assert (report.built, report.fresh) == (1, 0)
    assert len(stored(settings)) == 1  # of the older version none is left
    assert (await asked(own, settings, "Ada")).collect_figures().from_files == 1


async def test_a_graph_that_changes_during_the_build_is_told(
    own: GraphConnection, settings: Settings
) -> None:
    async with GraphConnection(settings) as other:
        graph = Meddled(own, other)
        report = await TrieBuilder(graph, build_trie_files(settings), 2, 1_000, False).build(NAMES)
    assert (report.built, report.changed) == (3, True)
    report = await build(own, settings)
    assert (report.built, report.changed) == (3, False)


class Meddled(Neo4jGraph):
    """A graph that somebody else writes to after every read."""

    def __init__(self, connection: GraphConnection, other: GraphConnection) -> None:
        super().__init__(connection)
        self._other = other

    async def neighbourhood(self, *arguments: object, **named: object) -> Neighbourhood:  # type: ignore[override]
        found = await super().neighbourhood(*arguments, **named)  # type: ignore[arg-type]
        await self._other.run_write("CREATE (:Log)")
        return found


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[: len(data) // 2],
        lambda data: data[:-1],
        lambda data: data[:-5] + bytes([data[-5] ^ 1]) + data[-4:],
        lambda data: data + b"\0",
        lambda _: b"",
        lambda _: b"\x80\x05cos\nsystem\n",
    ],
    ids=["half", "short", "changed", "long", "empty", "foreign"],
)
async def test_damaged_files_are_as_good_as_none(
    own: GraphConnection, settings: Settings, damage: Callable[[bytes], bytes]
) -> None:
    await build(own, settings)
    for path in stored(settings):
        path.write_bytes(damage(path.read_bytes()))
    assert count_reads(await asked(own, settings, "Ada")) == (0, 1)
    assert (await build(own, settings)).built == 3
    assert (await asked(own, settings, "Ada")).collect_figures().from_files == 1


async def test_a_damaged_file_is_told_in_the_log(
    own: GraphConnection, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    await build(own, settings, "Ada")
    [path] = stored(settings)
    path.write_bytes(path.read_bytes()[:-1])
    await asked(own, settings, "Ada")
    assert str(path) in caplog.text


async def test_what_another_database_held_is_not_taken(
    own: GraphConnection, settings: Settings
) -> None:
    await build(own, settings, "Ada")
    here = await own.read_version()
    assert here is not None
    key = TrieKey((await find_ada(Neo4jGraph(own)),), 2, 1_000, False)
    files, elsewhere = build_trie_files(settings), replace(here, database="another")
    assert files.read_neighbourhood(key, here) is not None
    assert files.read_neighbourhood(key, elsewhere) is None
    files.prune(elsewhere)
    assert files.read_neighbourhood(key, here) is not None


async def test_a_folder_that_cannot_be_written_is_told(
    own: GraphConnection, settings: Settings
) -> None:
    settings.cache.write_text("a file")
    with pytest.raises(ServiceError, match="TRELLIS_CACHE"):
        await build(own, settings, "Ada")


async def test_a_file_holds_what_the_codec_reads(own: GraphConnection, settings: Settings) -> None:
    await build(own, settings, "Ada")
    [path] = stored(settings)
    _, _, rest = path.read_bytes().split(b"\n", 2)
    assert same(decode_neighbourhood(rest), await now(own, [await find_ada(Neo4jGraph(own))]))


def trellis(settings: Settings, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = build_environment(NEO4J_URI=settings.neo4j_uri, CACHE=settings.cache)
    return call_trellis(settings.cache.parent, environment, "index", *arguments)


async def test_the_command_builds_tells_and_goes_on(
    own: GraphConnection, settings: Settings
) -> None:
    listed = settings.cache.parent / "names.txt"
    listed.write_text("Ada\n\n  Bob  \nNobody\n   \n", encoding="utf-8")
    for more, told in (
        ((), "2 tries built, 0"),
        ((), "0 tries built, 2"),
        (("--hops", "1"), "2 tries built, 0"),
    ):
        done = trellis(settings, "--anchors", str(listed), *more)
        said = f"{told} were there, 1 names not in the graph\n"
        assert (done.returncode, done.stdout) == (0, said)
        assert "not in the graph: Nobody\n" in done.stderr
    assert len(stored(settings)) == 4
    assert await own.read_rows("MATCH (m:_TrellisMeta) RETURN m.indexed AS x") == [{"x": True}]


async def test_the_command_tells_what_keeps_it_from_building(
    clean_graph: GraphConnection, settings: Settings
) -> None:
    empty = settings.cache.parent / "names.txt"
    empty.write_text("\n \n", encoding="utf-8")
    for arguments, said in (
        (["--anchors", "none.txt"], "none.txt"),
        (["--anchors", str(empty)], "no name"),
        (["--anchors", __file__], "empty"),
    ):
        done = trellis(settings, *arguments)
        assert (done.returncode, done.stdout) == (1, "")
        assert said in done.stderr
        assert done.stderr.count("\n") == 1
    await clean_graph.run_write(OWN)
    assert "not indexed" in trellis(settings, "--anchors", __file__).stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["--hops", "2"],
        ["--anchors", "x", "--remove"],
        ["--anchors", "x", "--name", "A=b"],
        ["--anchors", "x", "--hops", "0"],
    ],
)
def test_wrong_usage_is_exit_code_2(settings: Settings, arguments: list[str]) -> None:
    assert trellis(settings, *arguments).returncode == 2
