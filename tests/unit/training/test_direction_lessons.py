"""Lessons in both directions: their words differ in order, and their sentences in an arrow."""

from __future__ import annotations

import math
import os
import random
import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from small_reader import make_network
from small_schemas import build_schema
from trellis.domain.graphs.graph import Step
from trellis.engines.embeddings import find_minilm_folder
from trellis.graph.database.progress import ignore_progress
from trellis.lexicon.phrasebook import Phrasebook
from trellis.models.reader.features import TextEncoder
from trellis.models.reader.folder import SHIPPED_READER, build_network, load_weights
from trellis.models.reader.moves import KINDS, ReaderMove, pair_turns, read_walk_move
from trellis.models.reader.reading import MoveMemory, QuestionScorer
from trellis.models.reader.turning import TurnNetwork
from trellis.training.reader import turns
from trellis.training.reader.directions import ask_directions, list_turns
from trellis.training.reader.lessons import ReaderExample
from trellis.training.reader.like_nouns import (
    LIKE_COMPARISONS,
    LIKE_NOUNS,
    LikeNoun,
    draw_like_noun,
)
from trellis.training.reader.like_verbs import LIKE_VERBS, LikeVerb, draw_like_verb
from trellis.training.reader.made_schemas import MadeSchema
from trellis.training.reader.turns import make_turn_lessons, read_turn_steps
from trellis.training.reader.vocabulary import MadeVocabulary

VOCABULARY = MadeVocabulary.load()
ENCODER = TextEncoder(find_minilm_folder())


def make_graph(*types: str) -> MadeSchema:
    """Devices that do something to one another."""
    schema = build_schema("Device", *(f"Device {name} Device" for name in types))
    return MadeSchema(schema, Phrasebook.of_schema(schema))


def list_arrows(example: ReaderExample) -> list[int]:
    """The directions of what is said."""
    return [step.moves[step.said].direction for step in example.steps]


REPORT = LikeVerb.parse("report to").say_relation("device", is_turned=False, is_past=False)
CHOSEN = LikeVerb.parse("choose").say_relation("person", is_turned=True, is_past=True)
PARENT = LikeNoun.parse("parent/child").say_relation("person", is_turned=False)
OWNER = LikeNoun.parse("owner").say_relation("device", is_turned=False)
OLDER = LikeNoun.parse("older than/younger than", is_compared=True).say_relation(
    "person", is_turned=False
)


@pytest.mark.parametrize(
    ("said", "phrases"),
    [
        (REPORT["asks"], ["what does {} report to"]),
        (REPORT["back"]["asks"], ["which devices report to {}"]),
        (REPORT["clauses"], ["devices that {} reports to"]),
        (REPORT["back"]["clauses"], ["devices that report to {}"]),
        (CHOSEN["asks"], ["who chose {}"]),  # a name in the passive leads to who does it
        (CHOSEN["back"]["asks"], ["which people were chosen by {}"]),
        (PARENT["asks"], ["whose parent is {}", "which children does {} have"]),
        (PARENT["asks"], ["who has {} as parent"]),
        (PARENT["back"]["asks"], ["who is {}'s parent", "whose child is {}"]),
        (PARENT["back"]["asks"], ["who has {} as a child"]),
        (OWNER["clauses"], ["devices whose owner is {}"]),
        (OWNER["asks"], ["what is {} the owner of"]),
        (OLDER["asks"], ["who is {} older than", "who is younger than {}"]),
        (OLDER["back"]["asks"], ["who is older than {}", "who is {} younger than"]),
        (OLDER["clauses"], ["people younger than {}"]),
    ],
)
def test_either_side_of_a_relation_is_asked_in_words_of_its_own(
    said: list[str], phrases: list[str]
) -> None:
    assert {*phrases} <= {*said}


def test_a_turned_relation_is_asked_from_its_other_side() -> None:
    turned = LikeNoun.parse("parent/child").say_relation("person", is_turned=True)
    assert turned["asks"] == PARENT["back"]["asks"]


def test_names_of_a_verb_have_many_forms() -> None:
    verb, choice = LikeVerb.parse("choose"), random.Random(0)
    names = {verb.draw_name(choice) for _ in range(200)}
    assert {("chooses", False), ("chosen by", True), ("chose", False), ("choose", False)} <= names
    with_preposition = {LikeVerb.parse("report to").draw_name(choice)[0] for _ in range(100)}
    assert all(name.endswith(" to") for name in with_preposition)


@pytest.mark.parametrize(
    ("noun", "is_compared", "ahead", "turned"),
    [
        ("parent/child", False, "is parent of, parent of", "child of, has parent, parent"),
        ("above/below", True, "above, is above", "below, is below"),
        ("dependent on", True, "dependent on, is dependent on", ""),
    ],
)
def test_names_of_a_noun_have_many_forms(
    noun: str, is_compared: bool, ahead: str, turned: str
) -> None:
    parsed, choice = LikeNoun.parse(noun, is_compared=is_compared), random.Random(0)
    drawn = {parsed.draw_name(choice) for _ in range(200)}
    assert ", ".join(sorted(name for name, turns in drawn if not turns)) == ahead
    assert ", ".join(sorted(name for name, turns in drawn if turns)) == turned


def test_verbs_and_nouns_are_listed_once() -> None:
    for texts in (LIKE_VERBS, LIKE_NOUNS, LIKE_COMPARISONS):
        assert len(texts) == len(set(map(str.strip, texts)))
    assert draw_like_verb(random.Random(1)) != draw_like_verb(random.Random(2))
    assert draw_like_noun(random.Random(1)) != draw_like_noun(random.Random(2))


@pytest.mark.parametrize("name", ["DEPENDS_ON", "followed", "REQUIRED_BY"])
def test_pairs_of_queries_differ_in_an_arrow_alone(name: str) -> None:
    examples = list(ask_directions(make_graph(name), 12, 5))
    queries = [e for e in examples if KINDS[e.steps[0].moves[0].kind] == "form"]
    paths = [e for e in examples if e not in queries]
    assert len(queries) > 12
    assert len(paths) > 12
    for one in (queries, paths):
        arrows = [sum(list_arrows(example)) for example in one]
        assert set(arrows) == {1, 2}
        assert 0.4 < np.mean([arrow == 1 for arrow in arrows]) < 0.6


def test_a_relation_that_is_said_alike_from_either_side_is_left_out() -> None:
    assert not list(list_turns(make_graph("SPOUSE")))
    [(ahead, back)] = list_turns(make_graph("DEPENDS_ON"))
    assert (ahead.step, back.step) == (Step("DEPENDS_ON"), Step("DEPENDS_ON", reversed=True))


def test_small_graphs_have_relations_that_are_said_from_either_side() -> None:
    graphs = [turns.draw_like_graph(VOCABULARY, seed) for seed in range(8)]
    assert all(list(list_turns(graph)) for graph in graphs)
    types = {kind.type for graph in graphs for kind in graph.schema.relationships}
    assert len(types) > 16


@pytest.mark.slow
def test_lessons_are_the_same_whatever_the_order_of_sets(tmp_path: Path) -> None:
    """Each process orders its sets by a seed of its own."""
    made = []
    for seed in "12":
        command = [sys.executable, "-c", MAKE_LESSONS, str(tmp_path / seed)]
        paths = os.pathsep.join(filter(None, sys.path))
        changed = {"PYTHONHASHSEED": seed, "PYTHONPATH": paths}
        subprocess.run(command, env=os.environ | changed, check=True)
        lessons = np.load(tmp_path / f"{seed}.npz")
        made.append({name: lessons[name].tolist() for name in lessons.files})
    assert made[0] == made[1]


MAKE_LESSONS = """
import sys
from pathlib import Path
from unit.training.test_direction_lessons import VOCABULARY, make_turn_lessons
make_turn_lessons(VOCABULARY, range(2)).save(Path(sys.argv[1]).with_suffix(".npz"))
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two files of questions in both directions."""
    folder = tmp_path_factory.mktemp("turns")
    files = [folder / "a.npz", folder / "b.npz"]
    for number, file in enumerate(files):
        make_turn_lessons(VOCABULARY, range(number, number + 1)).save(file)
    return files


def test_steps_are_those_where_a_relationship_may_be_turned(files: list[Path]) -> None:
    steps = read_turn_steps(make_network(), files, ENCODER, ignore_progress)
    assert len(steps.tokens) == len(steps.words) == len(steps.ahead) > 2 * 18  # pairs of questions
    assert 0.4 < steps.ahead.mean() < 0.6
    (tokens, seen, words, expected, margins), ahead = steps.select([0, 3, 1])
    assert tokens.shape[:2] == seen.shape
    assert len(words) == len(expected) == len(margins) == len(ahead) == 3


def test_a_network_that_learnt_nothing_leaves_the_odds(files: list[Path]) -> None:
    network = make_network().eval()
    given, _ = read_turn_steps(network, files[:1], ENCODER, ignore_progress).select(range(9))
    with torch.no_grad():
        assert torch.equal(network.turn(*given), given[-1])


@pytest.mark.slow
def test_directions_are_learnt_and_the_rest_stays(files: list[Path]) -> None:
    network = build_network(find_minilm_folder())
    load_weights(network, SHIPPED_READER)
    network.turn = TurnNetwork(network.shape.encoder.width, network.shape.width)
    before = {name: weight.clone() for name, weight in network.state_dict().items()}
    steps = read_turn_steps(network, files, ENCODER, ignore_progress)
    chance = turns.judge_turns(network.turn.eval(), steps)
    torch.manual_seed(0)
    turns.learn_turns(network.turn, steps, 150, ignore_progress)
    assert turns.judge_turns(network.turn, steps) > max(0.8, chance)
    after = network.state_dict()
    changed = [name for name, weight in before.items() if not torch.equal(weight, after[name])]
    assert changed
    assert all(name.startswith("turn.") for name in changed)


@torch.no_grad()
def test_both_directions_share_their_mass() -> None:
    network = make_network().eval()
    moves = [read_walk_move(text) for text in (" -> depends on", " <- depends on", " -> part of")]

    def score(*like: str) -> NDArray[np.float64]:
        memory, pair = MoveMemory(network, ENCODER), partial(pair_turns, among=like or None)
        scorer = QuestionScorer(memory, "which packages depend on ENT1", 0, lambda _: (), pair)
        [scored] = scorer.score_moves([[]], [moves])
        return scored.logits

    before, of_others = score(), score("part of")
    network.turn.down.bias += 3
    after = score()
    assert (score("depends on") == after).all()
    assert (score("part of") == of_others).all()
    assert after[2] == before[2]
    assert np.logaddexp(*after[:2]) == pytest.approx(np.logaddexp(*before[:2]))
    assert after[0] - after[1] == pytest.approx(before[0] - before[1] + 3, abs=1e-5)


@torch.no_grad()
def test_a_direction_whose_other_one_is_missing_has_its_share() -> None:
    network = make_network().eval()
    ahead, back, other = map(read_walk_move, (" -> depends on", " <- depends on", " -> part of"))

    def judge(*offered: ReaderMove, one_way: str = "depends on") -> list[float]:
        every = (ahead, back, other)
        scorer = QuestionScorer(
            *(MoveMemory(network, ENCODER), "which packages depend on ENT1", 0, lambda _: ()),
            *(partial(pair_turns, among=()), every, (one_way,)),
        )
        [scored] = scorer.score_moves([[]], [offered])
        assert scored.turned is not None
        return [math.exp(share) for share in scored.turned]

    network.turn.down.bias += 2
    one, two = judge(ahead, other), judge(back, other)
    assert 0 < one[0] < 1
    assert one[0] + two[0] == pytest.approx(1)
    assert one[1] == two[1] == 1
    assert judge(ahead, back, other) == [1, 1, 1]
    assert judge(ahead, other, one_way="part of")[0] == 1
    network.turn.down.bias += 2
    assert judge(ahead, other)[0] > one[0]
