"""Names of any shape, from the graph through a trained model to the answer's row."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graph.trained import training_means
from trellis.domain.decoding import Search
from trellis.domain.question import Question
from trellis.engines.local import LocalModel
from trellis.graph.connection import GraphConnection
from trellis.graph.gate import Limits, Neo4jQueries
from trellis.graph.indexing import index_graph
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.pipelines.graphraft import GraphRaft
from trellis.steps.retrieve.queries.settings import CypherSettings
from trellis.training.options import TrainingOptions
from trellis.training.runner import train_tasks

ODD = """
CREATE (m:`MATCH` {`or der`: 'Mars "Röd"'}), (v:`MATCH` {`or der`: "Venus'}) DELETE n //"}),
       (a:`🚀 Rakete` {`na'me`: 'Ariane', `count(*)`: 3}),
       (b:`🚀 Rakete` {`na'me`: 'Buran 🛰', `count(*)`: 7}),
       (a)-[:`fliegt ``nach```]->(m), (b)-[:`fliegt ``nach```]->(v), (b)-[:`RETURN`]->(a),
       (:`a "b"`)-[:`RETURN`]->(a), (:` `), (:`中文` {`键`: '值一'})
"""
ROCKETS = (
    "MATCH (r:`🚀 Rakete`)-[:`fliegt ``nach```]->(m:`MATCH` WHERE m.`or der` = {value}) RETURN r"
)
NAMES = (
    "MATCH (r:`🚀 Rakete`)-[:`fliegt ``nach```]->(m:`MATCH` WHERE m.`or der` = {value}) "
    "RETURN r.`na'me`"
)
COUNTS = (
    "MATCH (r:`🚀 Rakete`)-[:`RETURN`]->(q:`🚀 Rakete` WHERE q.`na'me` = {value}) "
    "RETURN r.`count(*)`"
)
MARS, VENUS, ARIANE = "'Mars \"Röd\"'", '"Venus\'}) DELETE n //"', "'Ariane'"
GOLD = (
    ('Which rocket flies to Mars "Röd"?', ROCKETS.format(value=MARS)),
    ('What is the name of the rocket that flies to Mars "Röd"?', NAMES.format(value=MARS)),
    ("What does the rocket behind Ariane count?", COUNTS.format(value=ARIANE)),
    ("Which signs are there?", "MATCH (z:`中文`) RETURN z.`键`"),
    ("How many blanks are there?", "MATCH (z:` `) RETURN count(DISTINCT z)"),
)


@pytest.fixture
async def odd(clean_graph: GraphConnection) -> GraphConnection:
    await clean_graph.run_write(ODD)
    await index_graph(clean_graph)
    return clean_graph


async def taught(connection: GraphConnection, folder: Path) -> LocalModel:
    """A model from scratch that knows the questions by heart."""
    file = folder / "q.jsonl"
    rows = [{"question": asked, "cypher": query} for asked, query in GOLD]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")

    options = TrainingOptions(folder / "model", (file,), base="mini", steps=150, limit=len(GOLD))
    await train_tasks(["cypher"], training_means(connection, folder / "model"), options)
    return LocalModel.load(folder / "model", "cpu", folder)


async def test_a_model_learns_and_asks_in_them(odd: GraphConnection, tmp_path: Path) -> None:
    model = await taught(odd, tmp_path)
    queries = Neo4jQueries(odd, Limits())
    settings, search = model.card.settings(CypherSettings), Search(width=5)
    raft = GraphRaft(Neo4jGraph(odd), queries, model, settings, search=search)
    before = await odd.read_version()
    for question, answers in (
        ("Which rocket flies to Venus'}) DELETE n //?", ["Buran 🛰"]),
        ("What is the name of the rocket that flies to Venus'}) DELETE n //?", ["Buran 🛰"]),
        ("What does the rocket behind Ariane count?", ["7"]),
        ("Which signs are there?", ["值一"]),
        ("How many blanks are there?", ["1"]),
    ):
        reply = await raft.answer(Question(question))
        assert [one.node.name for one in reply.answers] == answers, reply
    assert await odd.read_version() == before
