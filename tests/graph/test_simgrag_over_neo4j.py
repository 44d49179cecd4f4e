"""SimGRAG over a real Neo4j: what is answered by told patterns, and by a trained model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graph.trained import training_means
from told_patterns import ToldPatterns
from trellis.domain.graph import Revisit
from trellis.domain.question import Question
from trellis.domain.reply import Reply
from trellis.engines.local import LocalModel
from trellis.graph.connection import GraphConnection
from trellis.graph.gate import Limits, Neo4jQueries
from trellis.graph.indexing import index_graph
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.models.folder import read_card
from trellis.pipelines.simgrag import SimGrag
from trellis.steps.retrieve.patterns.settings import PatternSettings
from trellis.training.options import TrainingOptions
from trellis.training.runner import train_tasks
from trellis.training.tasks import path_examples

KINDS = PatternSettings(kinds="names", most_triples=4)


async def ask(
    connection: GraphConnection,
    text: str,
    *patterns: str,
    topics: tuple[str, ...] = ("Kim",),
    settings: PatternSettings = KINDS,
    limits: Limits | None = None,
) -> Reply:
    queries = Neo4jQueries(connection, limits or Limits())
    model = ToldPatterns(*patterns, settings=settings)
    method = SimGrag(Neo4jGraph(connection), queries, model, settings)
    return await method.answer(Question(text, topics))


def names(reply: Reply) -> list[str]:
    return sorted(answer.node.name for answer in reply.answers)


async def test_all_answers_come_with_the_relationships_that_show_them(
    police: GraphConnection,
) -> None:
    reply = await ask(
        police, "What did Kim investigate?", "ENT1 <- INVESTIGATED_BY <- ASKED (crime)"
    )
    assert len(reply.answers) == 2
    assert {(t.relation, t.tail.name) for t in reply.triples()} == {("INVESTIGATED_BY", "Kim")}
    assert all(await Neo4jGraph(police).check_triples(reply.triples()))
    assert reply.reading == "what is investigated by Kim, which is a crime"


async def test_a_kind_that_no_answer_has_gives_none(police: GraphConnection) -> None:
    reply = await ask(
        police, "Which person did Kim investigate?", "ENT1 <- INVESTIGATED_BY <- ASKED (person)"
    )
    assert reply.abstained
    assert "no subgraph of the graph is like" in reply.notes[0]


@pytest.mark.parametrize("rule", ["simple", "not_topic", "any"])
async def test_people_around_a_person(police: GraphConnection, rule: Revisit) -> None:
    """Each way to write the query passes the gate, and obeys the rule."""
    await police.run_write(
        "MERGE (a:Person {name: 'Zoe'}) MERGE (b:Person {name: 'Yan'}) "
        "MERGE (a)-[:KNOWS]->(b) MERGE (b)-[:KNOWS]->(a)"
    )
    await index_graph(police)
    reply = await ask(
        police,
        "Who is known by those whom Zoe knows?",
        "ENT1 -> KNOWS -> UNKNOWN 1 -> KNOWS -> ASKED",
        topics=("Zoe",),
        settings=PatternSettings(revisit=rule),
    )
    assert names(reply) == (["Zoe"] if rule == "any" else [])


async def test_names_that_need_quoting(clean_graph: GraphConnection) -> None:
    await clean_graph.run_write(
        "CREATE (:`A ``B`` -> C` {name: 'x'})-[:`is; (of) ``type`` ->`]->(:`D ; E` {name: 'y'})"
    )
    await index_graph(clean_graph)
    reply = await ask(
        clean_graph,
        "what is x of?",
        "ENT1 -> is; (of) `type` -> -> ASKED",
        topics=("x",),
        settings=PatternSettings(),
    )
    assert names(reply) == ["y"]


async def test_a_query_that_costs_too_much_is_refused_and_told(police: GraphConnection) -> None:
    reply = await ask(
        police,
        "What did Kim investigate?",
        "ENT1 <- INVESTIGATED_BY <- ASKED (crime)",
        limits=Limits(row_budget=0.001),
    )
    assert reply.abstained
    assert "could not be read from the graph" in reply.notes[0]


async def test_a_model_that_was_trained_on_the_graph_answers(
    police: GraphConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(path_examples, "_MADE", 1)  # made beside the one given
    row = {
        "question": "Which crimes did officer Kim investigate?",
        "topics": ["Kim"],
        "paths": [{"topic": "Kim", "relations": ["^INVESTIGATED_BY"]}],
    }
    (tmp_path / "q.jsonl").write_text(json.dumps(row), "utf-8")
    folder = tmp_path / "model"
    options = TrainingOptions(folder, (tmp_path / "q.jsonl",), base="mini", steps=80)
    await train_tasks(["pattern"], training_means(police, folder), options)
    settings = read_card(folder).settings(PatternSettings)
    model = LocalModel.load(folder, "cpu", tmp_path)
    method = SimGrag(Neo4jGraph(police), Neo4jQueries(police, Limits()), model, settings)
    reply = await method.answer(Question("Which crimes did officer Kim investigate?", ("Kim",)))
    assert len(reply.answers) == 2
