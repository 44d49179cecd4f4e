"""Task cypher from end to end over a real Neo4j: a folder that answers by queries."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from graph.police import HOW_MANY, KIM
from graph.trained import training_means
from memory_graph import TrigramEmbedder
from trellis.cli.train import train
from trellis.domain.errors import EmptyGraphError, FileFormatError, TrainingError
from trellis.domain.question import Question
from trellis.engines.local import LocalModel
from trellis.graph.connection import GraphConnection
from trellis.graph.gate import Limits, Neo4jQueries
from trellis.graph.indexing import index_graph
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.models.folder import read_card
from trellis.pipelines.graphraft import GraphRaft
from trellis.questions.row import QuestionRow
from trellis.steps.retrieve.queries.settings import CypherSettings
from trellis.training.options import TrainingOptions, TrainingOutcome
from trellis.training.runner import train_tasks
from trellis.training.tasks.cypher import RENDERING

GOLD = [
    {"id": "1", "question": "Which crimes did officer Kim investigate?", "cypher": KIM},
    {"id": "2", "question": "How many crimes did officer Kim investigate?", "cypher": HOW_MANY},
]


@pytest.fixture
async def police(police: GraphConnection) -> GraphConnection:
    """The graph with vectors of the embedder that training links with."""
    await index_graph(police, TrigramEmbedder())
    return police


def written(file: Path, rows: Sequence[dict[str, object]]) -> tuple[Path, ...]:
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return (file,)


async def trained(connection: GraphConnection, options: TrainingOptions) -> TrainingOutcome:
    return await train_tasks(["cypher"], training_means(connection, options.out), options)


async def test_queries_with_operators_are_learnt_beside_others(
    police: GraphConnection, tmp_path: Path
) -> None:
    denied = {
        "id": "3",
        "question": "Which officers did not investigate any crime?",
        "cypher": "MATCH (o:Officer) WHERE NOT EXISTS { (o)<-[:INVESTIGATED_BY]-(:Crime) } "
        "RETURN o",
    }
    files = written(tmp_path / "q.jsonl", [*GOLD, denied])
    options = TrainingOptions(tmp_path / "model", files, base="mini", steps=1, limit=50)
    await trained(police, options)
    card = read_card(tmp_path / "model")
    assert card.settings(CypherSettings).options == RENDERING
    assert card.training["cypher"]["queries_read"] == 3
    assert "investigate" in card.settings(CypherSettings).wording


async def test_gold_queries_are_learnt(police: GraphConnection, tmp_path: Path) -> None:
    files = written(tmp_path / "q.jsonl", GOLD)
    outcome = await trained(
        police, TrainingOptions(tmp_path / "model", files, base="mini", steps=60, limit=2)
    )
    card = read_card(tmp_path / "model")
    assert (card, list(card.tasks)) == (outcome.card, ["cypher"])
    settings, taught = card.settings(CypherSettings), card.training["cypher"]
    assert settings.options == RENDERING
    assert (taught["queries_read"], taught["made"]) == (2, 4)
    model = LocalModel.load(tmp_path / "model", "cpu", tmp_path)
    raft = GraphRaft(Neo4jGraph(police), Neo4jQueries(police, Limits()), model, settings)
    reply = await raft.answer(Question("How many crimes did officer Roy investigate?"))
    assert (reply.count, [answer.node.name for answer in reply.answers]) == (1, ["1"])


async def test_answers_alone_are_explained_by_a_query(
    police: GraphConnection, tmp_path: Path
) -> None:
    rows = [
        {
            "question": "whose crime did Kim investigate?",
            "topics": ["Kim"],
            "answers": ["Ada", "Bob"],
        }
    ]
    options = TrainingOptions(
        tmp_path / "m", written(tmp_path / "q.jsonl", rows), base="mini", steps=2, limit=20
    )
    outcome = await trained(police, options)
    said = outcome.card.training["cypher"]
    assert (said["without_query"], said["explained"], said["covered"]) == (1, 1, 1.0)


async def test_the_schema_alone_is_enough(police: GraphConnection, tmp_path: Path) -> None:
    outcome = await trained(police, TrainingOptions(tmp_path / "m", base="mini", steps=2, limit=40))
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


async def test_queries_of_another_graph_teach_nothing(
    police: GraphConnection, tmp_path: Path
) -> None:
    rows = [{"question": "which zorgs?", "cypher": "MATCH (z:Zorg) RETURN z"}]
    with pytest.raises(TrainingError, match="none of 1"):
        await trained(police, TrainingOptions(tmp_path / "m", written(tmp_path / "q.jsonl", rows)))


async def test_a_query_that_is_no_text_is_a_bad_line(
    police: GraphConnection, tmp_path: Path
) -> None:
    rows: list[dict[str, object]] = [{"question": "which?", "cypher": 3}]
    with pytest.raises(FileFormatError, match=r"q\.jsonl:1: cypher"):
        await trained(police, TrainingOptions(tmp_path / "m", written(tmp_path / "q.jsonl", rows)))


async def test_an_empty_graph_is_said_to_be_empty(
    clean_graph: GraphConnection, tmp_path: Path
) -> None:
    with pytest.raises(EmptyGraphError):
        await trained(clean_graph, TrainingOptions(tmp_path / "m"))
