"""Task `guidance`: the network by its definition, what it learns, and the folder that it leaves."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from memory_graph import MemoryGraph, TrigramEmbedder
from trellis.automata.paths.adjacency import build_adjacency, cut_neighbourhood
from trellis.domain.errors import (
    ModelDamagedError,
    ModelMissingError,
    TrainingStoppedError,
    WrongTaskError,
)
from trellis.domain.graphs.graph import Neighbourhood, Step
from trellis.domain.graphs.links import Link, Mention
from trellis.domain.models.card import ModelCard
from trellis.domain.structures.question_patterns import QuestionPattern
from trellis.engines.guidance import GUIDANCE_WEIGHTS, LocalGuidance
from trellis.graph.database.progress import Progress, ignore_progress
from trellis.models.folder import read_card, write_folder
from trellis.models.guidance_network import EntityGraph, TripleGnn
from trellis.steps.ground.patterns.guide_entities import guide_entities
from trellis.steps.retrieve.schema_graphs.settings import GuidanceSettings
from trellis.training.examples import MentionPath, build_path_pattern
from trellis.training.guidance_models.training import choose_threshold
from trellis.training.options import TrainingOptions
from trellis.training.tasks.guidance_examples import build_guidance_example
from unit.training import family
from unit.training.small_training import train


def draw_neighbourhood(source: random.Random) -> Neighbourhood:
    count = source.randint(2, 8)
    triples = [
        (source.randrange(count), source.choice("rst"), source.randrange(count))
        for _ in range(source.randint(1, 16))
    ]
    whole = build_adjacency([f"n{i}" for i in range(count)], [""] * count, triples)
    return cut_neighbourhood(whole, [source.randrange(count)], source.randint(1, 3))


@pytest.mark.parametrize("seed", range(20))
def test_the_network_is_what_its_equations_say(seed: int) -> None:
    around = draw_neighbourhood(random.Random(seed))
    torch.manual_seed(seed)
    network = TripleGnn(5, 4, 2).eval()
    relations = torch.randn(len(around.relation_types), 5)
    triples, anchors = torch.randn(3, 3, 5), torch.tensor([0])
    with torch.inference_mode():
        given = network(EntityGraph.of(around), relations, triples, anchors)
        assert torch.allclose(
            given, compute_by_node(network, around, relations, triples), atol=1e-5
        )


def compute_by_node(
    network: TripleGnn, around: Neighbourhood, relations: torch.Tensor, triples: torch.Tensor
) -> torch.Tensor:
    """The same, node by node and message by message."""
    asked = sum(network.triple(torch.cat(list(triple))) for triple in triples) / len(triples)
    hidden = [torch.zeros(network.width) for _ in around.nodes]
    hidden[0] = asked
    own = [network.relation(vector).split(network.width) for vector in relations]
    for relation, update in zip(network.relations, network.updates, strict=True):
        messages: list[list[torch.Tensor]] = [[] for _ in around.nodes]
        for row in range(len(around.nodes)):
            for entry in around.entries_of(row):
                kind = around.relation_types.index(entry.relation)
                vector = relation(own[kind][0 if entry.outgoing else 1])
                messages[entry.target].append(hidden[row] * vector)
        pooled = [sum(m) / len(m) if m else torch.zeros(network.width) for m in messages]
        hidden = [
            update(torch.cat((state, mean))[None])[0]
            for state, mean in zip(hidden, pooled, strict=True)
        ]
    return torch.stack([network.score(state)[0] for state in hidden])


async def test_what_is_meant_lies_on_the_way_to_an_answer() -> None:
    graph = family.graph()
    anna = graph.nodes[[node.name for node in graph.nodes].index("anna_smith")]
    mention = Mention(0, 10, "anna", (Link(anna, 1.0, "exact"),))
    around = await graph.neighbourhood([anna.id], 2, edge_budget=100, names=True)
    steps = (Step("parents", True), Step("religion"))
    example = build_guidance_example(around, [mention], [MentionPath(0, steps)])
    assert example
    assert [around.names[row] for row in example.meant] == ["anna_smith", "bert_jones", "buddhism"]
    assert example.triples == (
        ("something", "parents", "anna_smith"),
        ("something", "religion", "answer"),
    )
    assert [traced.step for traced in example.steps] == [*reversed(steps)]
    nowhere = [MentionPath(0, (Step("nothing of this name"),))]
    assert build_guidance_example(around, [mention], nowhere) is None


class StopTrainingError(Exception):
    """Raised in the middle of training, as a broken run would end."""


async def train_guidance(
    out: Path, steps: int = 200, questions: bool = True, report: Progress = ignore_progress
) -> ModelCard:
    files = (family.write(out.parent / "q.jsonl", family.rows()),) if questions else ()
    options = TrainingOptions(out, files, steps=steps, limit=20)
    return (await train(options, "guidance", report=report)).card


async def guided_names(folder: Path, topic: str, steps: Sequence[Step]) -> set[str]:
    graph, embedder = family.graph(), TrigramEmbedder()
    node = next(node for node in graph.nodes if node.name == topic)
    mention = Mention(0, 1, topic, (Link(node, 1.0, "exact"),))
    pattern: QuestionPattern = build_path_pattern([MentionPath(0, tuple(steps))])
    guide = LocalGuidance.load(folder)
    found = await guide_entities(graph, guide, embedder, [pattern], [mention], 10_000)
    named = {node.id: node.name for node in graph.nodes}
    return {named[id] for id in found.nodes[0]}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("guidance") / "model"
    asyncio.run(train_guidance(out))
    return out


async def test_it_finds_the_answers_and_what_lies_on_the_way(folder: Path) -> None:
    for at, person in enumerate(family.PEOPLE):
        father = family.PEOPLE[at - 1]
        meant = {person, father, *family.answers(person, ("parents", "placeOfBirth"))}
        steps = (Step("parents"), Step("placeOfBirth"))
        assert meant <= await guided_names(folder, person, steps)


@pytest.mark.slow
async def test_equal_seeds_give_equal_networks_also_where_a_run_broke_off(
    folder: Path, tmp_path: Path
) -> None:
    def stop(what: str, done: int, _: int, __: str = "") -> None:
        if what == "guidance steps" and done == 150:
            raise StopTrainingError

    def stop_and_keep(what: str, done: int, _: int, __: str = "") -> None:
        if what == "guidance steps" and done == 120:
            raise TrainingStoppedError("training was stopped")

    with pytest.raises(StopTrainingError):
        await train_guidance(tmp_path / "model", report=stop)
    with pytest.raises(TrainingStoppedError) as stopped:
        await train_guidance(tmp_path / "model", report=stop_and_keep)
    assert stopped.value.kept_step == 120
    card = await train_guidance(tmp_path / "model")
    weights = [path / GUIDANCE_WEIGHTS for path in (folder, tmp_path / "model")]
    assert weights[0].read_bytes() == weights[1].read_bytes()
    assert replace(card, training={}) == replace(read_card(folder), training={})


async def test_the_card_names_the_graph_and_the_graph_alone_teaches(
    folder: Path, tmp_path: Path
) -> None:
    settings = read_card(folder).settings(GuidanceSettings)
    assert settings.fingerprint == (await family.graph().schema()).fingerprint
    assert settings.relations == ("parents", "placeOfBirth", "religion")
    assert (settings.dimensions, settings.embedder) == (64, "trigrams")
    assert 0 < settings.threshold < 2
    alone = await train_guidance(tmp_path / "model", steps=2, questions=False)
    assert alone.training["guidance"]["asked"] == 0
    assert alone.training["guidance"]["drawn"] > 0
    assert alone.base == ""


def test_a_folder_that_does_not_hold_it_says_so(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelMissingError):
        LocalGuidance.load(tmp_path / "none")
    other = ModelCard.of("", GuidanceSettings(2, 8, 2, 64, "f"))
    write_folder(
        tmp_path / "other",
        other,
        lambda path: (path / GUIDANCE_WEIGHTS).write_bytes(
            (folder / GUIDANCE_WEIGHTS).read_bytes()
        ),
    )
    with pytest.raises(ModelDamagedError, match="do not fit the card"):
        LocalGuidance.load(tmp_path / "other")
    write_folder(tmp_path / "bare", ModelCard.of(""), lambda path: (path / "x").write_bytes(b""))
    with pytest.raises(WrongTaskError, match="guidance"):
        LocalGuidance.load(tmp_path / "bare")


@pytest.mark.parametrize("seed", range(30))
def test_the_threshold_has_the_best_f1(seed: int) -> None:
    source = random.Random(seed)
    scored = [
        (source.choice((0.0, 0.3, 0.5, 1.0, 1.5)), source.random() < 0.4)
        for _ in range(source.randint(1, 12))
    ]

    def measure(threshold: float) -> float:
        kept = [is_right for score, is_right in scored if score >= threshold]
        right = sum(is_right for _, is_right in scored)
        return 2 * sum(kept) / (len(kept) + right) if right else 0.0

    best = max(measure(score) for score, _ in scored)
    assert measure(choose_threshold(scored)) == pytest.approx(best)
    assert np.isfinite(choose_threshold(scored))
    assert choose_threshold([]) == 0.6


async def test_an_anchor_without_relationships_is_scored_too() -> None:
    lone = MemoryGraph.of([("a", "r", "b")])
    around = await lone.neighbourhood([lone.nodes[0].id], 0, edge_budget=1, names=False)
    network = TripleGnn(5, 4, 2).eval()
    with torch.inference_mode():
        scores = network(
            EntityGraph.of(around), torch.randn(1, 5), torch.randn(1, 3, 5), torch.tensor([0])
        )
    assert scores.shape == (1,)
