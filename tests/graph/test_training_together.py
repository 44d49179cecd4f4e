"""One model for several tasks, over a real Neo4j: a folder that answers by paths and by queries."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graph.police import KIM
from graph.trained import training_means
from trellis.domain.question import Question
from trellis.engines.local import LocalModel
from trellis.graph.connection import GraphConnection
from trellis.graph.gate import Limits, Neo4jQueries
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.models.folder import read_card
from trellis.pipelines.gcr import Gcr
from trellis.pipelines.graphraft import GraphRaft
from trellis.steps.retrieve.paths.settings import PathSettings
from trellis.steps.retrieve.queries.settings import CypherSettings
from trellis.training.options import TrainingOptions
from trellis.training.runner import train_tasks
from trellis.training.tasks import path_examples

ROW = {
    "question": "Which crimes did officer Kim investigate?",
    "topics": ["Kim"],
    "cypher": KIM,
    "paths": [{"topic": "Kim", "relations": ["^INVESTIGATED_BY"]}],
}


async def test_one_folder_answers_by_paths_and_by_queries(
    police: GraphConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(path_examples, "_MADE", 1)  # made beside the one given
    (tmp_path / "q.jsonl").write_text(json.dumps(ROW), "utf-8")
    folder = tmp_path / "model"
    options = TrainingOptions(folder, (tmp_path / "q.jsonl",), base="mini", steps=80, limit=1)
    outcome = await train_tasks(["path", "cypher"], training_means(police, folder), options)
    card = read_card(folder)
    assert (card, list(card.tasks)) == (outcome.card, ["path", "cypher"])
    paths, queries = card.training["path"], card.training["cypher"]
    assert (paths["gold_paths"], queries["queries_read"]) == (1, 1)
    assert paths["steps"] + queries["steps"] == 80
    assert paths["steps"] < queries["steps"]  # queries are longer, and take a larger mini
    model, graph = LocalModel.load(folder, "cpu", tmp_path), Neo4jGraph(police)
    walking = Gcr(graph, model, card.settings(PathSettings))
    gate = Neo4jQueries(police, Limits())
    asking = GraphRaft(graph, gate, model, card.settings(CypherSettings))
    question = Question("Which crimes did officer Kim investigate?", ("Kim",))
    for pipeline in (walking, asking):
        reply = await pipeline.answer(question)
        assert len(reply.answers) == 2
