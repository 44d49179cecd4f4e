"""Task cypher from end to end over a real Neo4j: a folder that answers by queries, also in names of
any shape."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from graph.asking import ask_graphraft, build_graphraft, list_names
from graph.police import HOW_MANY, KIM, POLICE
from graph.trained import train_in, training_means
from memory_graph import TrigramEmbedder
from real_neo4j import GraphFiller
from trellis.cli.models.train import train
from trellis.domain.errors import EmptyGraphError, FileFormatError, TrainingError
from trellis.domain.models.decoding import Search
from trellis.domain.replies.question import Question
from trellis.engines.local import LocalModel
from trellis.graph.database.connection import GraphConnection
from trellis.models.folder import read_card
from trellis.questions.row import QuestionRow
from trellis.steps.retrieve.queries.settings import CypherSettings
from trellis.training.contract import LessonRequest
from trellis.training.options import TrainingOptions, TrainingOutcome
from trellis.training.runner import train_tasks
from trellis.training.tasks.cypher import RENDERING, make_cypher_lesson

GOLD = [
    {"id": "1", "question": "Which crimes did officer Kim investigate?", "cypher": KIM},
    {"id": "2", "question": "How many crimes did officer Kim investigate?", "cypher": HOW_MANY},
]


@pytest.fixture
async def police(fill: GraphFiller) -> GraphConnection:
    """The graph with vectors of the embedder that training links with."""
    return await fill(POLICE, TrigramEmbedder())


async def train_cypher(
    connection: GraphConnection, folder: Path, *rows: dict[str, object], **options: Any
) -> TrainingOutcome:
    """A model of task cypher in `folder` / "model"."""
    return await train_in(folder / "model", connection, ["cypher"], rows, **options)


async def test_queries_with_operators_are_learnt_beside_others(
    police: GraphConnection, tmp_path: Path
) -> None:
    denied = {
        "id": "3",
        "question": "Which officers did not investigate any crime?",
        "cypher": "MATCH (o:Officer) WHERE NOT EXISTS { (o)<-[:INVESTIGATED_BY]-(:Crime) } "
        "RETURN o",
    }
    await train_cypher(police, tmp_path, *GOLD, denied, base="mini", steps=1, limit=50)
    card = read_card(tmp_path / "model")
    assert card.settings(CypherSettings).options == RENDERING
    assert card.training["cypher"]["queries_read"] == 3
    assert "investigate" in card.settings(CypherSettings).wording


async def test_a_wording_file_leaves_the_schemas_own_words_to_a_few_questions(
    police: GraphConnection, tmp_path: Path
) -> None:
    file = tmp_path / "wording.json"
    file.write_text('{"types": {"Officer": ["bobby", "bobbies"]}}', encoding="utf-8")
    means = training_means(police, tmp_path)
    options = TrainingOptions(out=tmp_path, limit=400, wording=file)
    request = LessonRequest(await means.graph.schema(), None, means, options)
    asked = [each.prompt.question for each in (await make_cypher_lesson(request)).examples]
    plain = sum("police officer" in question or "policem" in question for question in asked)
    assert len(asked) == 400
    assert 0 < plain < sum("bobbies" in question for question in asked) / 4


async def test_gold_queries_are_learnt(police: GraphConnection, tmp_path: Path) -> None:
    outcome = await train_cypher(police, tmp_path, *GOLD, base="mini", steps=60, limit=2)
    card = read_card(tmp_path / "model")
    assert (card, list(card.tasks)) == (outcome.card, ["cypher"])
    settings, taught = card.settings(CypherSettings), card.training["cypher"]
    assert settings.options == RENDERING
    assert (taught["queries_read"], taught["made"]) == (2, 2)
    model = LocalModel.load(tmp_path / "model", "cpu", tmp_path)
    asked = "How many crimes did officer Roy investigate?"
    reply = await ask_graphraft(police, model, asked, settings=settings)
    assert (reply.count, list_names(reply)) == (1, ["1"])


async def test_answers_alone_are_explained_by_a_query(
    police: GraphConnection, tmp_path: Path
) -> None:
    row = {"question": "whose crime did Kim investigate?", "answers": ["Ada", "Bob"]}
    outcome = await train_cypher(
        police, tmp_path, {**row, "topics": ["Kim"]}, base="mini", steps=2, limit=20
    )
    said = outcome.card.training["cypher"]
    assert (said["without_query"], said["explained"], said["covered"]) == (1, 1, 1.0)


async def test_the_schema_alone_is_enough(police: GraphConnection, tmp_path: Path) -> None:
    outcome = await train_cypher(police, tmp_path, base="mini", steps=2, limit=40)
    assert (outcome.examples, outcome.card.training["cypher"]["made"]) == (40, 40)


async def test_the_graphs_own_examples_are_learnt_beside_its_schema(
    police: GraphConnection, tmp_path: Path
) -> None:
    examples = (
        QuestionRow("1", "What did Kim dig into?", cypher=KIM),
        QuestionRow("2", "whose crime did Kim look at?", topics=("Kim",), answers=("Ada", "Bob")),
    )
    options = TrainingOptions(tmp_path / "m", base="mini", steps=2, limit=40)
    means = replace(training_means(police, options.out), examples=examples)
    taught = (await train_tasks(["cypher"], means, options)).card.training["cypher"]
    assert (taught["made"], taught["own_examples"], taught["own_unused"]) == (40, 2, 0)
    assert taught["examples"] == 40 + 5 * 2
    wrong = replace(means, examples=(QuestionRow("1", "which?", cypher="MATCH (z:Zorg) RETURN z"),))
    with pytest.raises(FileFormatError, match=r"example 1 .*Zorg"):
        await train_tasks(["cypher"], wrong, replace(options, out=tmp_path / "n"))


@pytest.mark.usefixtures("police")
async def test_the_command_learns_from_the_examples_of_the_configuration(
    neo4j_uri: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = '[[examples]]\nquestion = "Which zorgs?"\ncypher = "MATCH (z:Zorg) RETURN z"\n'
    (tmp_path / "graph.toml").write_text(config, "utf-8")
    monkeypatch.setenv("TRELLIS_NEO4J_URI", neo4j_uri)
    monkeypatch.setenv("TRELLIS_GRAPH_CONFIG", str(tmp_path / "graph.toml"))
    monkeypatch.setenv("TRELLIS_STORE_URL", f"sqlite+aiosqlite:///{tmp_path}/trellis.db")
    app = typer.Typer()
    app.command()(train)
    arguments = ["--task", "cypher", "--out", str(tmp_path / "model")]
    done = await asyncio.to_thread(CliRunner().invoke, app, arguments)
    assert isinstance(done.exception, FileFormatError)
    assert "('Which zorgs?')" in done.exception.problem


@pytest.mark.parametrize(
    ("query", "error", "said"),
    [
        ("MATCH (z:Zorg) RETURN z", TrainingError, "none of 1"),  # of another graph
        (3, FileFormatError, r"model\.jsonl:1: cypher"),
    ],
)
async def test_queries_that_teach_nothing_are_told(
    police: GraphConnection, tmp_path: Path, query: object, error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        await train_cypher(police, tmp_path, {"question": "which?", "cypher": query}, base="mini")


async def test_an_empty_graph_is_said_to_be_empty(
    clean_graph: GraphConnection, tmp_path: Path
) -> None:
    with pytest.raises(EmptyGraphError):
        await train_cypher(clean_graph, tmp_path, base="mini")


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
ODD_GOLD = (
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
    rows = [{"question": asked, "cypher": query} for asked, query in ODD_GOLD]
    folder = tmp_path / "model"
    await train_in(folder, odd, ["cypher"], rows, base="mini", steps=150, limit=len(ODD_GOLD))
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
