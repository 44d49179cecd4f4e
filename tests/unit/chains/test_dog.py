"""DoG over a small graph: what is answered, how the graph grows, and where it says nothing."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import memory_app
from memory_graph import MemoryGraph, TrigramEmbedder
from told_chains import ToldChains
from trellis.app.listing import list_methods
from trellis.automata.paths.adjacency import build_adjacency
from trellis.domain.errors import InputError
from trellis.domain.graphs.graph import Neighbourhood, NodeId
from trellis.domain.replies.events import Event, ignore_event
from trellis.domain.replies.question import Question
from trellis.domain.replies.reply import Reply
from trellis.engines.local import LocalModel
from trellis.pipelines.dog import Dog
from trellis.settings import BUNDLED_MODEL, Settings
from trellis.steps.retrieve.chains.settings import ChainSettings
from trellis.steps.retrieve.chains.trim_hubs import trim_hubs

TRIPLES = [
    ("Her", "directed_by", "Spike Jonze"),
    ("Her", "starred_actors", "Amy Adams"),
    ("Her", "starred_actors", "Joaquin Phoenix"),
    ("Walk the Line", "starred_actors", "Joaquin Phoenix"),
    ("Walk the Line", "directed_by", "James Mangold"),
    ("Arrival", "starred_actors", "Amy Adams"),
    ("Arrival", "directed_by", "Denis Villeneuve"),
    ("Spike Jonze", "spouse", "Sofia Coppola"),
    ("Sofia Coppola", "spouse", "Spike Jonze"),
]
FULL = ChainSettings("full", shown_tokens=60)


class WatchedGraph(MemoryGraph):
    """Remembers what was read, and with what budget; `gone` are nodes that left after that."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.reads: list[list[NodeId]] = []
        self.gone: set[NodeId] = set()

    async def neighbourhood(
        self, anchors: Sequence[NodeId], hops: int, *, edge_budget: int, names: bool
    ) -> Neighbourhood:
        self.reads.append(list(anchors))
        there = [node for node in anchors if node not in self.gone]
        return await super().neighbourhood(there, hops, edge_budget=edge_budget, names=names)


async def ask(
    text: str,
    *chains: str,
    graph: MemoryGraph | None = None,
    settings: ChainSettings | None = None,
    model: Any = None,
    watch: list[Event] | None = None,
    **more: Any,
) -> Reply:
    graph = graph or WatchedGraph.of(TRIPLES)
    settings = settings or ChainSettings()
    model = model or ToldChains(*chains, settings=settings)
    method = Dog(graph, model, settings, embedder=TrigramEmbedder(), **more)
    return await method.answer(Question(text), ignore_event if watch is None else watch.append)


def names(reply: Reply) -> list[str]:
    return sorted(answer.node.name for answer in reply.answers)


async def test_a_chain_gives_all_its_answers_with_the_facts_of_each() -> None:
    reply = await ask("Who acts in Her?", "ENT1 -> starred_actors =")
    assert names(reply) == ["Amy Adams", "Joaquin Phoenix"]
    assert {(t.head.name, t.relation, t.tail.name) for t in reply.triples()} == {
        ("Her", "starred_actors", "Amy Adams"),
        ("Her", "starred_actors", "Joaquin Phoenix"),
    }
    assert reply.reading == "the actors that Her starred"
    steps = ["link", "retrieve", "decode", "weigh", "ground", "reason", "verify"]
    assert [step.name for step in reply.steps] == steps


async def test_each_triple_of_the_best_chain_is_an_event() -> None:
    watch: list[Event] = []
    graph = WatchedGraph.of(TRIPLES)
    chain = "ENT1 <- starred_actors -> directed_by -> spouse ="
    reply = await ask("Who married a director of Amy Adams?", chain, graph=graph, watch=watch)
    assert names(reply) == ["Sofia Coppola"]
    told = [event.data for event in watch if event.name == "chain"]
    said = [[(t.head, t.relation, t.tail) for t in each.triples] for each in told]
    whole = [
        ("X1", "starred_actors", "Amy Adams"),
        ("X1", "directed_by", "X2"),
        ("X2", "spouse", "X3"),
    ]
    assert said == [whole[:1], whole[:2], whole, whole]
    assert [each.has_ended for each in told] == [False, False, False, True]
    order = list(dict.fromkeys(event.name for event in watch))
    assert order == ["links", "chain", "candidates", "evidence"]


async def test_one_read_serves_all_chains_and_no_node_is_read_twice() -> None:
    graph = WatchedGraph.of(TRIPLES)
    reply = await ask(
        "Who acts beside Amy Adams?",
        "ENT1 <- starred_actors -> starred_actors =",
        "ENT1 <- starred_actors -> directed_by =",
        graph=graph,
    )
    assert names(reply)[0] == "Joaquin Phoenix"
    read = [sorted(node for node in nodes) for nodes in graph.reads if len(nodes)]
    flat = [node for nodes in read for node in nodes]
    assert len(flat) == len(set(flat))
    assert len(read) == 3  # the anchor, both films, and all whom both chains have reached


async def test_a_conjunction_is_a_chain_with_two_anchors() -> None:
    reply = await ask(
        "Which film has both Amy Adams and Joaquin Phoenix?",
        "ENT1 <- starred_actors ; ENT2 <- starred_actors & X1 =",
    )
    assert names(reply) == ["Her"]
    assert len(reply.evidence) == 2
    assert reply.reading.startswith("what starred both Amy Adams and ")


async def test_what_goes_on_behind_a_meeting_goes_on_from_there_alone() -> None:
    reply = await ask(
        "Who directed what Amy Adams and Joaquin Phoenix act in?",
        "ENT1 <- starred_actors ; ENT2 <- starred_actors & X1 -> directed_by =",
    )
    assert names(reply) == ["Spike Jonze"]


async def test_a_model_that_names_nodes_sees_the_triples_that_are_there() -> None:
    chain = "Her -> starred_actors -> Amy Adams ; Arrival -> starred_actors -> Amy Adams = Arrival"
    model = ToldChains(chain, settings=FULL)
    reply = await ask("What else does somebody of Her act in?", settings=FULL, model=model)
    assert names(reply) == ["Arrival"]
    [first, second, *_] = [dict(prompt.sections)["Graph"] for prompt in model.prompts]
    assert "Her -> starred_actors -> Amy Adams" in first
    assert "Arrival -> starred_actors -> Amy Adams" not in first
    assert "Arrival -> starred_actors -> Amy Adams" in second
    assert len(second) <= 60 * 4
    assert model.prompts[0].question == "What else does somebody of Her act in?"


async def test_an_anchor_without_relationships_is_said() -> None:
    alone = WatchedGraph.of([("Her", "directed_by", "Spike Jonze")])
    bare = WatchedGraph((*alone.nodes, type(alone.nodes[0])("x", "Alone")), alone.triples)
    reply = await ask("Who is Alone?", "ENT1 -> directed_by =", graph=bare)
    assert reply.abstained
    assert reply.notes == ("nothing that was found has a relationship",)


async def test_a_node_that_disappears_while_the_chain_grows_has_nothing_behind_it() -> None:
    graph = WatchedGraph.of(TRIPLES)
    graph.gone = {node.id for node in graph.nodes if node.name in ("Her", "Arrival")}
    chains = "ENT1 <- starred_actors -> directed_by =", "ENT1 <- starred_actors ="
    reply = await ask("Who directs Amy Adams?", *chains, graph=graph)
    assert names(reply) == ["Arrival", "Her"]
    assert [each.text for each in reply.candidates] == ["ENT1 <- starred_actors ="]


async def test_a_chain_that_can_only_loop_ends() -> None:
    graph = WatchedGraph.of([("A town", "twin_of", "B town"), ("B town", "twin_of", "A town")])
    chains = "ENT1 -> twin_of -> twin_of =", "ENT1 -> twin_of ="
    reply = await ask("What is the twin of A town?", *chains, graph=graph)
    assert names(reply) == ["B town"]
    assert len(reply.candidates) == 1


@pytest.fixture(scope="module")
def bundled() -> LocalModel:
    return LocalModel.load(BUNDLED_MODEL, "cpu", Path("unused"))


async def test_a_budget_too_small_for_one_triple_is_said(bundled: LocalModel) -> None:
    from trellis.domain.models.decoding import Search

    with pytest.raises(InputError, match="no sentence of this language fits 2 tokens"):
        await ask("Who acts in Her?", model=bundled, search=Search(max_tokens=2))


@pytest.mark.slow
async def test_a_trained_model_of_any_task_stays_inside_the_chains(bundled: LocalModel) -> None:
    from trellis.domain.models.decoding import Search

    settings = ChainSettings(most_triples=3)
    watch: list[Event] = []
    reply = await ask(
        "Who acts in Her?", model=bundled, settings=settings, search=Search(width=4), watch=watch
    )
    assert len(reply.candidates) == 4
    scores = [candidate.score for candidate in reply.candidates]
    assert all(score <= 0 for score in scores)
    assert sum(event.name == "chain" for event in watch) >= 2


HOSTILE = ("a -> r -> b", 'say "hi"', "line\nbreak", "x = y", " = Her", "ends ; here")


@pytest.mark.parametrize("name", HOSTILE)
async def test_a_name_may_hold_what_stands_between_triples(name: str) -> None:
    graph = WatchedGraph.of([("Her", "starred_actors", name), (name, "born_in", "Paris")])
    chain = f"Her -> starred_actors -> {name} ; {name} -> born_in -> Paris = Paris"
    settings = ChainSettings("full")
    reply = await ask("Where was who acts in Her born?", chain, graph=graph, settings=settings)
    assert names(reply) == ["Paris"]
    assert {(t.head.name, t.tail.name) for t in reply.triples()} == {("Her", name), (name, "Paris")}


def test_of_a_hub_what_is_nearest_to_the_question_is_offered() -> None:
    names = ["Hub", *(f"thing {i}" for i in range(50)), "Paris in May"]
    hub = build_adjacency(names, names, [(0, "has", i) for i in range(1, len(names))])
    notes: list[str] = []
    read = trim_hubs(hub, "which of Hub is like Paris in May?", notes, most=5)
    kept = [read.names[target] for target in read.targets[: read.offsets[1]]]
    assert len(kept) == 5
    assert "Paris in May" in kept
    assert notes == ["of 51 nodes by has from Hub, 5 were offered"]
    assert trim_hubs(hub, "?", notes, most=51) is hub


async def test_who_leaves_in_mid_chain_ends_it() -> None:
    graph = WatchedGraph.of(TRIPLES)
    model = ToldChains("ENT1 <- starred_actors -> directed_by -> spouse =", waits_at=2)
    asked = asyncio.create_task(ask("Who married Amy Adams?", graph=graph, model=model))
    await model.is_waiting.wait()
    read = len(graph.reads)
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    assert len(model.prompts) == 2
    assert len(graph.reads) == read


class CapitalChains(ToldChains):
    """Writes what a question for a capital means."""

    def __init__(self) -> None:
        super().__init__("ENT1 -> HAS_CAPITAL =")


async def test_a_service_tells_each_triple_and_answers(tmp_path: Path) -> None:
    graph = memory_app.MemoryGraph()
    async with memory_app.served(tmp_path, graph, CapitalChains) as client:
        response = await client.post(
            "/v1/questions",
            json={"question": "What is the capital of France?", "method": "dog"},
            headers={"Accept": "text/event-stream"},
        )
    events = re.findall(r"event: (\w+)\r\ndata: (.*)\r\n", response.text)
    told = [json.loads(data) for name, data in events if name == "chain"]
    triples = [["France", "HAS_CAPITAL", "X1"]]
    assert told == [
        {"triples": triples, "has_ended": False},
        {"triples": triples, "has_ended": True},
    ]
    [answer] = [json.loads(data) for name, data in events if name == "answer"]
    assert answer["answers"][0]["name"] == "Paris"


async def test_it_answers_alone_and_beside_others(tmp_path: Path) -> None:
    address = f"sqlite+aiosqlite:///{tmp_path}/s.db"
    settings = Settings(store_url=address, _env_file=None)
    graph = memory_app.MemoryGraph()
    async with memory_app.opener(graph, CapitalChains)(settings) as trellis_app:
        listed = {each.name: each for each in await list_methods(trellis_app)}
        reply = await trellis_app.answer(
            trellis_app.make_question("What is the capital of France?")
        )
        task_input = await trellis_app.pipelines.build_task_input(Question(reply.question), reply)
    assert (reply.method, names(reply)) == ("dog", ["Paris"])
    assert listed["dog"].ready
    assert task_input.prompt.render() == "Question: what is the capital of ENT1?\nChain:"
    both = memory_app.opener(graph, memory_app.WordModel, CapitalChains)
    async with both(settings) as trellis_app:
        reply = await trellis_app.answer(
            trellis_app.make_question("What is the capital of France?")
        )
    assert reply.choice
    assert reply.choice.opinions[0].method == "gcr"
