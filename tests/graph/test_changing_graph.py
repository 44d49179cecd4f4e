"""A graph that changes, is slow or goes away while a question is asked; the next one is answered.

What is asked never writes: nothing is committed but what a test commits.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import pytest

from cut_line import Line, cut_line
from graph.asking import ask_graphraft, list_names
from graph.police import HOW_MANY, KIM, ToldModel
from trellis.domain.errors import GraphUnavailableError
from trellis.domain.models.decoding import Search, Sentence
from trellis.domain.models.prompt import Prompt
from trellis.domain.replies.question import Question
from trellis.domain.structures.cypher import GATE_LIMITS, CypherQuery, QueryLimits, Rows, Verdict
from trellis.graph.database.connection import GraphConnection
from trellis.graph.gate import Limits, Neo4jQueries
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.pipelines.graphraft import GraphRaft
from trellis.settings import Settings
from trellis.steps.retrieve.queries.settings import CypherSettings

ASKED = "Which crimes did officer Kim investigate?"
CLIQUE = "UNWIND range(1, 60) AS i CREATE (:Dot {name: 'dot ' + i})"
JOINED = "MATCH (a:Dot), (b:Dot) WHERE a <> b CREATE (a)-[:NEAR]->(b)"
SLOW = (
    "MATCH (a:Dot)-[:NEAR]->(b:Dot)-[:NEAR]->(c:Dot)-[:NEAR]->(d:Dot)-[:NEAR]->(e:Dot) "
    "RETURN count(a)"
)
UNBOUNDED = 1e18  # rows that a plan may expect: the gate lets everything through


class Meanwhile(ToldModel):
    """A model that takes so long that the graph is changed, or gone, before it has written."""

    def __init__(self, change: Any, *queries: str) -> None:
        super().__init__(*queries)
        self._change = change

    async def decode(
        self, prompts: Sequence[Prompt], languages: Sequence[Any], search: Search
    ) -> Sequence[Sequence[Sentence]]:
        found = await super().decode(prompts, languages, search)
        await self._change()
        return found


class ChangedBehind:
    """Queries of a graph that is changed each time after one was run."""

    def __init__(self, queries: Neo4jQueries, change: Any) -> None:
        self._queries = queries
        self._change = change

    async def explain(self, query: CypherQuery) -> Verdict:
        return await self._queries.explain(query)

    async def run(self, query: CypherQuery, limits: QueryLimits = GATE_LIMITS) -> Rows:
        rows = await self._queries.run(query, limits)
        await self._change()
        return rows


async def assert_answers(connection: GraphConnection) -> None:
    """Whatever came before, the graph is read, and only read."""
    before = await connection.read_version()
    blanks = "MATCH (b:Blank) RETURN count(DISTINCT b)"
    reply = await ask_graphraft(connection, ToldModel(blanks), "How many blanks are there?")
    assert list_names(reply) == ["2"]
    assert await connection.read_version() == before


@pytest.mark.parametrize(
    ("change", "left"),
    [
        ("MATCH (c:Crime) DETACH DELETE c", 0),
        ("MATCH (c:Crime) REMOVE c:Crime", 0),
        ("MATCH ()-[r:INVESTIGATED_BY]->() DELETE r", 0),
        ("MATCH (o:Officer) REMOVE o.name", 0),
        ("MATCH (o:Officer) SET o.name = [1, 2]", 0),
        ("MATCH (o:Officer) SET o.name = point({x: 1, y: 2})", 0),
        ("MATCH (c:Crime) SET c.type = date('2020-01-01'), c:Closed", 2),
        ("MATCH (n) DETACH DELETE n", 0),
    ],
)
@pytest.mark.parametrize(("query", "text"), [(KIM, ASKED), (HOW_MANY, "How many are Kim's?")])
async def test_what_changes_before_a_query_runs_is_seen_or_gone(
    police: GraphConnection, change: str, left: int, query: str, text: str
) -> None:
    """A name that nothing has any more is found nowhere: no rows, and no error."""
    committed = []

    async def now() -> None:
        await police.run_write(change)
        committed.append(await police.read_version())

    reply = await ask_graphraft(police, Meanwhile(now, query), text)
    found = len(reply.answers) if query == KIM else reply.count
    assert (found, len(reply.triples())) == (left, left)
    assert await police.read_version() == committed[-1]
    if "(n)" not in change:
        await assert_answers(police)


async def test_an_index_that_goes_is_not_missed(police: GraphConnection) -> None:
    await police.run_command("CREATE INDEX officers FOR (o:Officer) ON (o.name)")
    await police.run_command("CALL db.awaitIndexes()")
    now = partial(police.run_command, "DROP INDEX officers")
    assert len((await ask_graphraft(police, Meanwhile(now, KIM), ASKED)).answers) == 2


async def test_what_goes_after_its_row_was_read_is_no_evidence(police: GraphConnection) -> None:
    now = partial(police.run_write, "MATCH (c:Crime) DETACH DELETE c")
    changed = ChangedBehind(Neo4jQueries(police, Limits()), now)
    graph, model = Neo4jGraph(police), ToldModel(KIM)
    reply = await GraphRaft(graph, changed, model, CypherSettings()).answer(Question(ASKED))
    assert (len(reply.answers), reply.evidence) == (2, ())
    await assert_answers(police)


@pytest.fixture
async def dense(police: GraphConnection) -> GraphConnection:
    """A graph in which a short query walks hundreds of millions of ways."""
    await police.run_write(CLIQUE)
    await police.run_write(JOINED)
    return police


async def test_a_query_that_times_out_is_told_and_the_next_one_runs(
    dense: GraphConnection,
) -> None:
    before = await dense.read_version()
    few = "MATCH (a:Dot)-[:NEAR]->(b:Dot) RETURN count(DISTINCT a)"
    hasty = Limits(row_budget=UNBOUNDED, seconds=0.5)
    model = ToldModel(SLOW, few)
    reply = await ask_graphraft(dense, model, "How many dots are near dots?", limits=hasty)
    assert (reply.count, reply.candidates[0].answer_count) == (60, None)
    assert "longer than 0.5 s" in reply.candidates[0].problem
    alone = await ask_graphraft(dense, ToldModel(SLOW), "How many dots?", limits=hasty)
    assert (alone.abstained, alone.cypher) == (True, None)
    assert any("longer than 0.5 s" in note for note in alone.notes)
    assert await dense.read_version() == before
    await assert_answers(dense)


async def test_a_question_that_is_left_leaves_nothing_running(dense: GraphConnection) -> None:
    limits = Limits(row_budget=UNBOUNDED)
    asking = ask_graphraft(dense, ToldModel(SLOW), "How many dots are near dots?", limits=limits)
    before = await dense.read_version()
    async with asyncio.timeout(600):
        task = asyncio.create_task(asking)
        while not await running(dense):
            assert not task.done()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        while await running(dense):
            pass
    assert await dense.read_version() == before
    await assert_answers(dense)


async def running(connection: GraphConnection) -> list[str]:
    """The slow queries that the server runs now."""
    shown = await connection.run_command("SHOW TRANSACTIONS YIELD currentQuery RETURN currentQuery")
    texts = [row["currentQuery"] or "" for row in shown]
    return [text for text in texts if "NEAR" in text and not text.startswith("EXPLAIN")]


@asynccontextmanager
async def by_line(settings: Settings) -> AsyncIterator[tuple[GraphConnection, Line]]:
    """A connection that can be cut."""
    async with cut_line(settings.neo4j_uri) as line:
        uri = line.url.replace("http", "bolt")
        async with GraphConnection(settings.model_copy(update={"neo4j_uri": uri})) as connection:
            yield connection, line


async def test_a_server_that_goes_away_before_the_query_is_an_error(
    police: GraphConnection, graph_settings: Settings
) -> None:
    async with by_line(graph_settings) as (connection, line):
        with pytest.raises(GraphUnavailableError, match="trellis neo4j") as told:
            await ask_graphraft(connection, Meanwhile(line.cut, KIM), ASKED)
    assert told.value.status == 503
    await assert_answers(police)


async def test_a_connection_that_breaks_once_is_not_noticed(
    police: GraphConnection, graph_settings: Settings
) -> None:
    async with by_line(graph_settings) as (connection, line):

        async def now() -> None:
            line.drop()

        assert len((await ask_graphraft(connection, Meanwhile(now, KIM), ASKED)).answers) == 2
    await assert_answers(police)


async def test_a_name_that_is_nowhere_is_in_no_query(police: GraphConnection) -> None:
    knows = "MATCH (p:Person)-[:KNOWS]-(q:Person WHERE q.name = 'Zorg') RETURN p"
    reply = await ask_graphraft(police, ToldModel(knows), "Who knows Zorg?")
    assert (reply.abstained, reply.mentions, reply.candidates) == (True, (), ())
    await assert_answers(police)
