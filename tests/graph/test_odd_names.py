"""Names of any shape, from the graph through a trained model to the answer's row."""

from __future__ import annotations

from pathlib import Path

import pytest

from graph.asking import build_graphraft, list_names
from graph.trained import train_in
from real_neo4j import GraphFiller
from trellis.domain.decoding import Search
from trellis.domain.question import Question
from trellis.engines.local import LocalModel
from trellis.graph.connection import GraphConnection
from trellis.steps.retrieve.queries.settings import CypherSettings

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
MARS, ARIANE = "'Mars \"Röd\"'", "'Ariane'"
GOLD = (
    ('Which rocket flies to Mars "Röd"?', ROCKETS.format(value=MARS)),
    ('What is the name of the rocket that flies to Mars "Röd"?', NAMES.format(value=MARS)),
    ("What does the rocket behind Ariane count?", COUNTS.format(value=ARIANE)),
    ("Which signs are there?", "MATCH (z:`中文`) RETURN z.`键`"),
    ("How many blanks are there?", "MATCH (z:` `) RETURN count(DISTINCT z)"),
)


@pytest.fixture
async def odd(fill: GraphFiller) -> GraphConnection:
    return await fill(ODD)


async def test_a_model_learns_and_asks_in_them(odd: GraphConnection, tmp_path: Path) -> None:
    """A model from scratch that knows the questions by heart."""
    rows = [{"question": asked, "cypher": query} for asked, query in GOLD]
    folder = tmp_path / "model"
    await train_in(folder, odd, ["cypher"], rows, base="mini", steps=150, limit=len(GOLD))
    model = LocalModel.load(folder, "cpu", tmp_path)
    raft = build_graphraft(
        odd, model, settings=model.card.settings(CypherSettings), search=Search(width=5)
    )
    before = await odd.read_version()
    for question, answers in (
        ("Which rocket flies to Venus'}) DELETE n //?", ["Buran 🛰"]),
        ("What is the name of the rocket that flies to Venus'}) DELETE n //?", ["Buran 🛰"]),
        ("What does the rocket behind Ariane count?", ["7"]),
        ("Which signs are there?", ["值一"]),
        ("How many blanks are there?", ["1"]),
    ):
        reply = await raft.answer(Question(question))
        assert list_names(reply) == answers, reply
    assert await odd.read_version() == before
