"""Methods beside GraphRAFT over a real Neo4j: by models that are told what to say, and by models
that are trained on the graph."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from graph.asking import build_graphraft, list_names
from graph.police import KIM
from graph.trained import train_in
from memory_graph import TrigramEmbedder
from real_neo4j import GraphFiller
from told_chains import ToldChains
from told_patterns import ToldPatterns
from told_traces import ToldTraces
from trellis.domain.graphs.graph import Revisit
from trellis.domain.replies.question import Question
from trellis.domain.replies.reply import Reply
from trellis.engines.guidance import LocalGuidance
from trellis.engines.local import LocalModel
from trellis.graph.database.connection import GraphConnection
from trellis.graph.gate import Limits, Neo4jQueries
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.models.folder import read_card
from trellis.pipelines.dog import Dog
from trellis.pipelines.gcr import Gcr
from trellis.pipelines.simgrag import SimGrag
from trellis.pipelines.stem import Stem
from trellis.steps.retrieve.chains.settings import ChainSettings
from trellis.steps.retrieve.paths.settings import PathSettings
from trellis.steps.retrieve.patterns.settings import PatternSettings
from trellis.steps.retrieve.queries.settings import CypherSettings
from trellis.steps.retrieve.schema_graphs.settings import SchemaGraphSettings
from trellis.training.tasks import path_examples

INVESTIGATED = Question("Which crimes did officer Kim investigate?", ("Kim",))
TAUGHT = {
    "question": INVESTIGATED.text,
    "topics": ["Kim"],
    "paths": [{"topic": "Kim", "relations": ["^INVESTIGATED_BY"]}],
}
BESIDE = "ENT1 -> PARTY_TO -> INVESTIGATED_BY <- INVESTIGATED_BY ="
CLEO = 'Cleo "the fox" O\'Hara'
KINDS = PatternSettings(kinds="names", most_triples=4)
CRIMES_OF_KIM = "ENT1 <- INVESTIGATED_BY <- ASKED (crime)"
HUB = """
CREATE (h:Hub {name: 'Hub'}) WITH h UNWIND range(1, 500) AS i
CREATE (h)-[:HAS]->(:Thing {name: 'thing ' + i})-[:IS]->(:Kind {name: 'kind'})
"""
FRIENDS = """
CREATE (zoe:Person {name: 'Zoe'})-[:KNOWS]->(yan:Person {name: 'Yan'}), (yan)-[:KNOWS]->(zoe)
"""
ODD_NAMES = """
CREATE (:`A ``B`` -> C` {name: 'x'})-[:`is; (of) ``type`` ->`]->(:`D ; E` {name: 'y'})
"""


async def ask_dog(
    graph: Neo4jGraph, topic: str, chain: str, settings: ChainSettings | None = None, **more: int
) -> Reply:
    settings = settings or ChainSettings()
    method = Dog(graph, ToldChains(chain, settings=settings), settings, **more)
    return await method.answer(Question(f"What is it of {topic}?", (topic,)))


async def ask_simgrag(
    connection: GraphConnection,
    topic: str,
    pattern: str,
    settings: PatternSettings = KINDS,
    limits: Limits | None = None,
) -> Reply:
    queries = Neo4jQueries(connection, limits or Limits())
    method = SimGrag(
        Neo4jGraph(connection), queries, ToldPatterns(pattern, settings=settings), settings
    )
    return await method.answer(Question(f"What is it of {topic}?", (topic,)))


async def ask_stem(
    connection: GraphConnection,
    topic: str,
    assertions: str,
    schema_graph: str,
    revisit: Revisit = "simple",
) -> Reply:
    settings = SchemaGraphSettings(revisit=revisit)
    model = ToldTraces(assertions, schema_graph, schema_graphs=settings)
    queries = Neo4jQueries(connection, Limits())
    method = Stem(Neo4jGraph(connection), queries, TrigramEmbedder(), model, model)
    return await method.answer(Question(f"What is it of {topic}?", (topic,)))


@pytest.mark.parametrize("use_plugin", [True, False], ids=["procedure", "plain Cypher"])
async def test_a_chain_grows_over_the_database(police: GraphConnection, use_plugin: bool) -> None:
    graph = Neo4jGraph(police, use_plugin=use_plugin)
    reply = await ask_dog(graph, "Ada", BESIDE)
    assert [answer.node.labels for answer in reply.answers] == [("Crime",)]
    assert len(reply.triples()) == 3
    assert all(await graph.check_triples(reply.triples()))
    named = await ask_dog(graph, "Dan", f"Dan -> KNOWS -> {CLEO} = {CLEO}", ChainSettings("full"))
    assert list_names(named) == [CLEO]  # as it stands in the graph


async def test_what_a_budget_cuts_is_said(fill: GraphFiller) -> None:
    reply = await ask_dog(Neo4jGraph(await fill(HUB)), "Hub", "ENT1 -> HAS =", edge_budget=50)
    assert len(reply.answers) == 500
    assert "the graph around the chains was cut at 50 entries" in reply.notes


async def test_all_answers_of_a_pattern_come_with_their_relationships(
    police: GraphConnection,
) -> None:
    reply = await ask_simgrag(police, "Kim", CRIMES_OF_KIM)
    assert len(reply.answers) == 2
    assert {(t.relation, t.tail.name) for t in reply.triples()} == {("INVESTIGATED_BY", "Kim")}
    assert all(await Neo4jGraph(police).check_triples(reply.triples()))
    assert reply.reading == "what is investigated by Kim, which is a crime"


@pytest.mark.parametrize(
    ("pattern", "limits", "note"),
    [
        (CRIMES_OF_KIM.replace("crime", "person"), Limits(), "no subgraph of the graph is like"),
        (CRIMES_OF_KIM, Limits(row_budget=0.001), "could not be read from the graph"),
    ],
    ids=["a kind that no answer has", "a query that costs too much"],
)
async def test_a_pattern_that_gives_nothing_is_told(
    police: GraphConnection, pattern: str, limits: Limits, note: str
) -> None:
    reply = await ask_simgrag(police, "Kim", pattern, limits=limits)
    assert reply.abstained
    assert note in reply.notes[0]


async def test_all_answers_of_traces_come_with_the_assertion_beside_each_triple(
    police: GraphConnection,
) -> None:
    reply = await ask_stem(
        police,
        "Kim",
        '[ENT1] was looked into by "ENT1" ? [ENT1] breadth',
        '[ENT1] -> INVESTIGATED_BY -> "ENT1"',
    )
    assert len(reply.answers) == 2
    assert {(t.relation, t.tail.name) for t in reply.triples()} == {("INVESTIGATED_BY", "Kim")}
    assert all(fact.text.startswith("[ENT1] was looked into by Kim: ") for fact in reply.evidence)
    assert all(await Neo4jGraph(police).check_triples(reply.triples()))


async def test_the_labels_of_both_ends_have_to_fit(police: GraphConnection) -> None:
    reply = await ask_stem(
        police,
        "Kim",
        '"ENT1" looked into [ENT1] ? [ENT1] precision',
        '"ENT1" -> INVESTIGATED_BY -> [ENT1]',
    )
    assert reply.abstained


@pytest.mark.parametrize("rule", ["simple", "not_topic", "any"])
async def test_friends_of_friends_obey_the_rule(fill: GraphFiller, rule: Revisit) -> None:
    """Patterns, traces and the queries that ground them: whether one is a friend's own friend."""
    friends = await fill(FRIENDS)
    settings = PatternSettings(revisit=rule)
    by_pattern = await ask_simgrag(
        friends, "Zoe", "ENT1 -> KNOWS -> UNKNOWN 1 -> KNOWS -> ASKED", settings
    )
    by_traces = await ask_stem(
        friends,
        "Zoe",
        '"ENT1" knows [ENT1] ; [ENT1] knows [ENT2] ? [ENT2] breadth',
        '"ENT1" -> KNOWS -> [ENT1] ; [ENT1] -> KNOWS -> [ENT2]',
        revisit=rule,
    )
    for reply in (by_pattern, by_traces):
        assert list_names(reply) == (["Zoe"] if rule == "any" else [])


async def test_names_that_need_quoting(fill: GraphFiller) -> None:
    odd = await fill(ODD_NAMES)
    by_pattern = await ask_simgrag(
        odd, "x", "ENT1 -> is; (of) `type` -> -> ASKED", PatternSettings()
    )
    by_traces = await ask_stem(
        odd,
        "x",
        '"ENT1" is of [ENT1] ? [ENT1] precision',
        '"ENT1" -> is; (of) `type` -> -> [ENT1]',
    )
    assert list_names(by_pattern) == list_names(by_traces) == ["y"]


async def answer_by_chains(police: GraphConnection, model: LocalModel, _: Path) -> Reply:
    settings = model.card.settings(ChainSettings)
    return await Dog(Neo4jGraph(police), model, settings).answer(INVESTIGATED)


async def answer_by_patterns(police: GraphConnection, model: LocalModel, _: Path) -> Reply:
    queries, settings = Neo4jQueries(police, Limits()), model.card.settings(PatternSettings)
    return await SimGrag(Neo4jGraph(police), queries, model, settings).answer(INVESTIGATED)


async def answer_by_traces(police: GraphConnection, model: LocalModel, folder: Path) -> Reply:
    queries, guide = Neo4jQueries(police, Limits()), LocalGuidance.load(folder)
    method = Stem(Neo4jGraph(police), queries, TrigramEmbedder(), model, model, guide)
    reply = await method.answer(INVESTIGATED)
    assert reply.notes == ()
    return reply


@pytest.mark.parametrize(
    ("tasks", "steps", "answer"),
    [
        (["chain"], 80, answer_by_chains),
        (["pattern"], 80, answer_by_patterns),
        (["assertion", "schema_graph", "guidance"], 120, answer_by_traces),
    ],
    ids=["DoG", "SimGRAG", "STEM"],
)
async def test_a_model_that_was_trained_on_the_graph_answers(
    police: GraphConnection,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    tasks: list[str],
    steps: int,
    answer: Callable[[GraphConnection, LocalModel, Path], Awaitable[Reply]],
) -> None:
    monkeypatch.setattr(path_examples, "_MADE", 1)  # made beside the one given
    folder = tmp_path / "model"
    outcome = await train_in(folder, police, tasks, [TAUGHT], base="mini", steps=steps)
    assert list(outcome.card.tasks) == tasks
    reply = await answer(police, LocalModel.load(folder, "cpu", tmp_path), folder)
    assert len(reply.answers) == 2


async def test_one_folder_answers_by_paths_and_by_queries(
    police: GraphConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(path_examples, "_MADE", 1)  # made beside the one given
    folder, tasks = tmp_path / "model", ["path", "cypher"]
    row = {**TAUGHT, "cypher": KIM}
    outcome = await train_in(folder, police, tasks, [row], base="mini", steps=80, limit=1)
    card = read_card(folder)
    assert (card, list(card.tasks)) == (outcome.card, tasks)
    paths, queries = card.training["path"], card.training["cypher"]
    assert (paths["gold_paths"], queries["queries_read"]) == (1, 1)
    assert paths["steps"] + queries["steps"] == 80
    assert paths["steps"] < queries["steps"]  # queries are longer, and take a larger mini
    model = LocalModel.load(folder, "cpu", tmp_path)
    walking = Gcr(Neo4jGraph(police), model, card.settings(PathSettings))
    asking = build_graphraft(police, model, settings=card.settings(CypherSettings))
    for method in (walking, asking):
        assert len((await method.answer(INVESTIGATED)).answers) == 2
