"""Apps over real Neo4js: questions to begin with, each of which names a node that has such a
relationship; replies that are given again until something is committed; several graphs at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from graph.asking import list_names, opening_reader
from memory_app import listening
from real_neo4j import GraphFiller, running_neo4j
from trellis import Client
from trellis.api.app import create_app
from trellis.app.answer_cache import RECALL
from trellis.app.openings import list_openings
from trellis.app.trellis_app import TrellisApp
from trellis.domain.errors import GraphUnavailableError, NotKeptError
from trellis.domain.replies.question import Question
from trellis.domain.replies.reply import Reply
from trellis.graph.database.connection import GraphConnection
from trellis.graph.indexes.indexing import index_graph
from trellis.settings import Settings
from trellis.wiring.assemble import assemble_app

ODD = """
CREATE (a:`Odd ``label`` 😀` {name: 'Ada "the first"'})-[:`KNOWS `` OF`]->(b {name: 'nobody'}),
       (b)-[:OWES]->(:Bank {name: "O'Brien & sons"}),
       (:Bank)-[:OWNS]->(:Vault {name: 'vault 1'}),
       (:Bank {name: 'two\\nlines'})-[:HIDES]->(:Vault {name: 'vault 2'})
"""


@pytest.fixture
async def trellis_app(graph_settings: Settings, tmp_path: Path) -> AsyncIterator[TrellisApp]:
    store = f"sqlite+aiosqlite:///{tmp_path}/answers.db"
    async with assemble_app(graph_settings.model_copy(update={"store_url": store})) as opened:
        yield opened


async def test_each_example_names_a_node_that_has_what_it_asks_for(
    police: GraphConnection, trellis_app: TrellisApp
) -> None:
    openings = await list_openings(trellis_app)
    kinds = (await trellis_app.graph.schema()).relationships
    told = {(it.start_label, it.type, it.end_label) for it in openings.kinds}
    nameless = ("O`dd", "IS`T", "Blank")
    assert {*told, nameless} == {(kind.start_label, kind.type, kind.end_label) for kind in kinds}
    for example in openings.kinds:
        rows = await police.read_rows(
            f"MATCH (n:`{example.start_label}`)-[:`{example.type}`]->(:`{example.end_label}`) "
            "WHERE $question CONTAINS n._trellis_name RETURN count(*) AS n",
            question=example.question,
        )
        assert rows[0]["n"], example
    assert openings.starters


async def test_odd_names_are_asked_about_and_nameless_nodes_are_not(
    fill: GraphFiller, trellis_app: TrellisApp
) -> None:
    await fill(ODD)
    openings = await list_openings(trellis_app)
    questions = {example.type: example.question for example in openings.kinds}
    assert 'Ada "the first"' in questions["KNOWS ` OF"]
    assert "nobody" in questions["OWES"]
    assert not {"OWNS", "HIDES"} & questions.keys()


KIM = Question("Which crimes did officer Kim investigate?")
ADA = Question("Who does Ada know?")
ONE_MORE = "MATCH (k:Officer {name: 'Kim'}) CREATE (:Crime {date: $date})-[:INVESTIGATED_BY]->(k)"


@pytest.fixture
async def remembering(graph_settings: Settings, tmp_path: Path) -> AsyncIterator[TrellisApp]:
    async with opening_reader(graph_settings, tmp_path) as opened:
        yield opened.remember_answers()


def was_recalled(reply: Reply) -> bool:
    return [step.name for step in reply.steps] == [RECALL]


@pytest.mark.slow
async def test_a_commit_is_seen_by_the_next_question(
    police: GraphConnection, remembering: TrellisApp
) -> None:
    first, second = [await remembering.answer(KIM) for _ in range(2)]
    assert was_recalled(second)
    assert (second.answers, second.evidence) == (first.answers, first.evidence)
    assert len(first.answers) == 2
    await police.run_write(ONE_MORE, date="4/08/2017")
    third = await remembering.answer(KIM)
    assert not was_recalled(third)
    assert len(third.answers) == 3


@pytest.mark.slow
async def test_no_answer_is_older_than_its_question(
    police: GraphConnection, remembering: TrellisApp
) -> None:
    """Some ask again and again while one writes: what was committed before a question is in its
    answer, and what nobody wrote is not."""
    await remembering.answer(KIM)
    committed, recalled, is_over = 2, 0, asyncio.Event()

    async def write() -> None:
        nonlocal committed
        for number in range(4):
            await police.run_write(ONE_MORE, date=f"{number}/09/2017")
            committed += 1
            await asyncio.sleep(2.5)  # what is kept of a graph may be a second old
        is_over.set()

    async def ask() -> None:
        nonlocal recalled
        while not is_over.is_set():
            before = committed
            reply = await remembering.answer(KIM)
            recalled += was_recalled(reply)
            assert before <= (reply.total or len(reply.answers)) <= committed + 1
            assert list_names(await remembering.answer(ADA)) == ["Bob"]

    await asyncio.gather(write(), *(ask() for _ in range(3)))
    assert recalled


async def write_capital(connection: GraphConnection, capital: str) -> None:
    """A graph of one fact, whose nodes have the ids that they have in any new graph."""
    await connection.run_write(
        "CREATE (:Country {name: 'France'})-[:HAS_CAPITAL]->(:City {name: $capital})",
        capital=capital,
    )
    await index_graph(connection)


@pytest.fixture
async def url(clean_graph: GraphConnection, tmp_path: Path) -> AsyncIterator[str]:
    await write_capital(clean_graph, "Paris")
    with running_neo4j(tmp_path / "novel") as novel:
        async with GraphConnection(Settings(neo4j_uri=novel, _env_file=None)) as connection:
            await write_capital(connection, "Versailles")
        file = tmp_path / "graphs.toml"
        addresses = {"world": clean_graph.uri, "novel": novel, "down": "bolt://127.0.0.1:9"}
        file.write_text("".join(f'[graphs.{it}]\nuri = "{at}"\n' for it, at in addresses.items()))
        settings = Settings(
            graphs_file=file,
            model="untrained",
            cache=tmp_path / "cache",
            store_url=f"sqlite+aiosqlite:///{tmp_path}/answers.db",
            _env_file=None,
        )
        async with listening(create_app(settings)) as address:
            yield address


@pytest.mark.slow
async def test_each_graph_is_read_by_itself_and_one_that_is_down_is_told(url: str) -> None:
    question = "What is the capital of France?"
    async with (
        Client(url, timeout=600, attempts=1) as world,
        Client(url, timeout=600, attempts=1, graph="novel") as novel,
        Client(url, timeout=600, attempts=1, graph="down") as down,
    ):
        for client, capital in ((world, "Paris"), (novel, "Versailles"), (world, "Paris")):
            found = await client.find_paths(question, topics=["France"])
            assert [path.text for path in found.paths] == [f"France -HAS_CAPITAL-> {capital}"]
            rows = await client.run_query("MATCH (n:City) RETURN n.name AS name")
            assert rows.rows == [[capital]]
            answer = await client.ask(question, method="gcr")
            assert [one.name for one in answer.answers] == [capital]
        with pytest.raises(NotKeptError):
            await novel.answer(answer.id)
        assert (await world.answer(answer.id)).id == answer.id
        with pytest.raises(GraphUnavailableError):
            await down.find_paths(question, topics=["France"])
    async with httpx.AsyncClient(base_url=url, timeout=600) as plain:
        ready = await plain.get("/readyz")
        assert ready.status_code == 200
        assert {it["graph"] for it in ready.json()["missing"]} == {"down"}
        listed = (await plain.get("/v1/graphs")).json()["graphs"]
        assert {it["name"]: it["ready"] for it in listed} == {
            **{"world": True, "novel": True},
            "down": False,
        }
