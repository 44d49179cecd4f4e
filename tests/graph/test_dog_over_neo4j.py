"""DoG over a real Neo4j: chains grow by our procedure and in plain Cypher; a trained model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graph.trained import training_means
from told_chains import ToldChains
from trellis.domain.question import Question
from trellis.domain.reply import Reply
from trellis.engines.local import LocalModel
from trellis.graph.connection import GraphConnection
from trellis.graph.indexing import index_graph
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.models.folder import read_card
from trellis.pipelines.dog import Dog
from trellis.steps.retrieve.chains.settings import ChainSettings
from trellis.training.options import TrainingOptions
from trellis.training.runner import train_tasks
from trellis.training.tasks import path_examples

BESIDE = "ENT1 -> PARTY_TO -> INVESTIGATED_BY <- INVESTIGATED_BY ="


async def ask(
    graph: Neo4jGraph, topic: str, chain: str, settings: ChainSettings | None = None, **more: int
) -> Reply:
    settings = settings or ChainSettings()
    method = Dog(graph, ToldChains(chain, settings=settings), settings, **more)
    return await method.answer(Question(f"What is it of {topic}?", (topic,)))


@pytest.mark.parametrize("use_plugin", [True, False], ids=["procedure", "plain Cypher"])
async def test_a_chain_grows_over_the_database(police: GraphConnection, use_plugin: bool) -> None:
    graph = Neo4jGraph(police, use_plugin=use_plugin)
    reply = await ask(graph, "Ada", BESIDE)
    assert [answer.node.labels for answer in reply.answers] == [("Crime",)]
    assert len(reply.triples()) == 3
    assert all(await graph.check_triples(reply.triples()))


@pytest.mark.parametrize("use_plugin", [True, False], ids=["procedure", "plain Cypher"])
async def test_nodes_are_named_as_they_stand_in_the_graph(
    police: GraphConnection, use_plugin: bool
) -> None:
    name = 'Cleo "the fox" O\'Hara'
    chain = f"Dan -> KNOWS -> {name} = {name}"
    graph = Neo4jGraph(police, use_plugin=use_plugin)
    reply = await ask(graph, "Dan", chain, ChainSettings("full"))
    assert [answer.node.name for answer in reply.answers] == [name]


async def test_what_a_budget_cuts_is_said(clean_graph: GraphConnection) -> None:
    await clean_graph.run_write(
        "CREATE (h:Hub {name: 'Hub'}) WITH h UNWIND range(1, 500) AS i "
        "CREATE (h)-[:HAS]->(:Thing {name: 'thing ' + i})-[:IS]->(:Kind {name: 'kind'})"
    )
    await index_graph(clean_graph)
    reply = await ask(Neo4jGraph(clean_graph), "Hub", "ENT1 -> HAS =", edge_budget=50)
    assert len(reply.answers) == 500
    assert "the graph around the chains was cut at 50 entries" in reply.notes


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
    await train_tasks(["chain"], training_means(police, folder), options)
    settings = read_card(folder).settings(ChainSettings)
    method = Dog(Neo4jGraph(police), LocalModel.load(folder, "cpu", tmp_path), settings)
    reply = await method.answer(Question("Which crimes did officer Kim investigate?", ("Kim",)))
    assert len(reply.answers) == 2
