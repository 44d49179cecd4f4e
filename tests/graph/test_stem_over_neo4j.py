"""STEM over a real Neo4j: what is answered by told sentences, and by trained models."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graph.trained import training_means
from memory_graph import TrigramEmbedder
from told_traces import ToldTraces
from trellis.domain.graph import Revisit
from trellis.domain.question import Question
from trellis.domain.reply import Reply
from trellis.engines.guidance import LocalGuidance
from trellis.engines.local import LocalModel
from trellis.graph.connection import GraphConnection
from trellis.graph.gate import Limits, Neo4jQueries
from trellis.graph.indexing import index_graph
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.pipelines.stem import Stem
from trellis.steps.retrieve.schema_graphs.settings import SchemaGraphSettings
from trellis.training.options import TrainingOptions
from trellis.training.runner import train_tasks
from trellis.training.tasks import path_examples

ASKED = "Which crimes did officer Kim investigate?"


async def ask(
    connection: GraphConnection,
    text: str,
    *sentences: str,
    topics: tuple[str, ...] = ("Kim",),
    revisit: Revisit = "simple",
) -> Reply:
    model = ToldTraces(*sentences, schema_graphs=SchemaGraphSettings(revisit=revisit))
    queries = Neo4jQueries(connection, Limits())
    method = Stem(Neo4jGraph(connection), queries, TrigramEmbedder(), model, model)
    return await method.answer(Question(text, topics))


def names(reply: Reply) -> list[str]:
    return sorted(answer.node.name for answer in reply.answers)


async def test_all_answers_come_with_the_assertion_beside_each_triple(
    police: GraphConnection,
) -> None:
    reply = await ask(
        police,
        ASKED,
        '[ENT1] was looked into by "ENT1" ? [ENT1] breadth',
        '[ENT1] -> INVESTIGATED_BY -> "ENT1"',
    )
    assert len(reply.answers) == 2
    assert {(t.relation, t.tail.name) for t in reply.triples()} == {("INVESTIGATED_BY", "Kim")}
    assert all(fact.text.startswith("[ENT1] was looked into by Kim: ") for fact in reply.evidence)
    assert all(await Neo4jGraph(police).check_triples(reply.triples()))


@pytest.mark.parametrize("rule", ["simple", "not_topic", "any"])
async def test_people_around_a_person(police: GraphConnection, rule: Revisit) -> None:
    """Traces and the query that grounds them obey the same rule."""
    await police.run_write(
        "MERGE (a:Person {name: 'Zoe'}) MERGE (b:Person {name: 'Yan'}) "
        "MERGE (a)-[:KNOWS]->(b) MERGE (b)-[:KNOWS]->(a)"
    )
    await index_graph(police)
    reply = await ask(
        police,
        "Who is known by those whom Zoe knows?",
        '"ENT1" knows [ENT1] ; [ENT1] knows [ENT2] ? [ENT2] breadth',
        '"ENT1" -> KNOWS -> [ENT1] ; [ENT1] -> KNOWS -> [ENT2]',
        topics=("Zoe",),
        revisit=rule,
    )
    assert names(reply) == (["Zoe"] if rule == "any" else [])


async def test_the_labels_of_both_ends_have_to_fit(police: GraphConnection) -> None:
    reply = await ask(
        police,
        "Whom did Kim investigate?",
        '"ENT1" looked into [ENT1] ? [ENT1] precision',
        '"ENT1" -> INVESTIGATED_BY -> [ENT1]',
    )
    assert reply.abstained


async def test_names_that_need_quoting(clean_graph: GraphConnection) -> None:
    await clean_graph.run_write(
        "CREATE (:`A ``B`` -> C` {name: 'x'})-[:`is; (of) ``type`` ->`]->(:`D ; E` {name: 'y'})"
    )
    await index_graph(clean_graph)
    reply = await ask(
        clean_graph,
        "what is x of?",
        '"ENT1" is of [ENT1] ? [ENT1] precision',
        '"ENT1" -> is; (of) `type` -> -> [ENT1]',
        topics=("x",),
    )
    assert names(reply) == ["y"]


async def test_models_that_were_trained_on_the_graph_answer(
    police: GraphConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(path_examples, "_MADE", 1)  # made beside the one given
    row = {
        "question": ASKED,
        "topics": ["Kim"],
        "paths": [{"topic": "Kim", "relations": ["^INVESTIGATED_BY"]}],
    }
    (tmp_path / "q.jsonl").write_text(json.dumps(row), "utf-8")
    folder = tmp_path / "model"
    options = TrainingOptions(folder, (tmp_path / "q.jsonl",), base="mini", steps=120)
    tasks = ["assertion", "schema_graph", "guidance"]
    outcome = await train_tasks(tasks, training_means(police, folder), options)
    assert list(outcome.card.tasks) == tasks
    model, graph = LocalModel.load(folder, "cpu", tmp_path), Neo4jGraph(police)
    guide = LocalGuidance.load(folder)
    queries, embedder = Neo4jQueries(police, Limits()), TrigramEmbedder()
    method = Stem(graph, queries, embedder, model, model, guide)
    reply = await method.answer(Question(ASKED, ("Kim",)))
    assert len(reply.answers) == 2
    assert reply.notes == ()
