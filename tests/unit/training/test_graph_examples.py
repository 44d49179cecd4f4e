"""The example questions of a graph's configuration: chosen by task, checked, repeated, learnt."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from trellis.domain.errors import FileFormatError
from trellis.domain.graphs.graph import Step
from trellis.domain.models.card import ModelCard
from trellis.questions.row import GoldPath, QuestionRow
from trellis.steps.retrieve.paths.settings import PathSettings
from trellis.training.contract import Gold
from trellis.training.graph_examples import check_examples, repeat_examples, select_examples
from trellis.training.options import TrainingOptions
from trellis.training.tasks import path_examples
from unit.automata.cypher.shop import SHOP
from unit.training.family import PEOPLE, rows, write
from unit.training.small_training import train

ASKED = QuestionRow("1", "What did Ann buy?")
WITH_QUERY = replace(
    ASKED, cypher="MATCH (:Customer {name: 'Ann'})-[:BOUGHT]->(p:Product) RETURN p"
)
WITH_PATH = replace(ASKED, paths=(GoldPath("Ann", (Step("BOUGHT"),)),))
WITH_ANSWERS = replace(ASKED, answers=("Oats",))
WITH_ALL = replace(WITH_QUERY, paths=WITH_PATH.paths, answers=("Oats",))


def test_a_task_gets_the_examples_that_it_can_learn_from() -> None:
    every = [ASKED, WITH_QUERY, WITH_PATH, WITH_ANSWERS, WITH_ALL]
    assert select_examples(every, ("paths", "answers")) == [WITH_PATH, WITH_ANSWERS, WITH_ALL]
    assert select_examples(every, ("cypher", "answers")) == [WITH_QUERY, WITH_ANSWERS, WITH_ALL]
    assert select_examples(every, ()) == []


@pytest.mark.parametrize(
    ("example", "gold", "said"),
    [
        (replace(ASKED, cypher="MATCH (n RETURN n"), "cypher", "its query cannot be learnt from"),
        (replace(ASKED, cypher="MATCH (n:Zorg) RETURN n"), "cypher", "Zorg"),
        (replace(ASKED, cypher="MATCH (n:Shop) SET n.a = 1"), "cypher", "cannot be learnt from"),
        (replace(ASKED, paths=(GoldPath("Ann", (Step("LENT"),)),)), "paths", "'LENT'"),
    ],
)
def test_a_bad_example_is_named(example: QuestionRow, gold: Gold, said: str) -> None:
    with pytest.raises(FileFormatError, match=said) as raised:
        check_examples([WITH_ALL, replace(example, id="2")], (gold,), SHOP)
    assert "example 2 of the graph's configuration ('What did Ann buy?')" in raised.value.problem
    assert "TRELLIS_GRAPH_CONFIG" in raised.value.remedy
    check_examples([example], (), SHOP)


def test_examples_are_repeated_within_bounds() -> None:
    counts = [len(repeat_examples(["a", "b"], others)) for others in (0, 900, 10_000, 10**6)]
    assert counts == [10, 18, 100, 100]
    assert repeat_examples([], 9) == []


DOWN, FOLLOWED = (Step("parents", True), Step("parents", True)), Step("religion")
FAITH = QuestionRow(
    "1",
    f"which creed did the grandchild of {PEOPLE[0]} follow ?",
    paths=(GoldPath(PEOPLE[0], (*DOWN, FOLLOWED)),),
)
SHARED = QuestionRow(
    "2",
    f"who is of the creed of the grandchild of {PEOPLE[0]} ?",
    paths=(GoldPath(PEOPLE[0], (*DOWN, FOLLOWED, FOLLOWED.turn())),),
)


async def train_paths(folder: Path, example: QuestionRow, *files: Path) -> ModelCard:
    options = TrainingOptions(folder / "model", files, base="mini", steps=2, limit=60)
    return (await train(options, examples=(example,))).card


def figures_of(card: ModelCard) -> tuple[object, ...]:
    return tuple(card.training["path"][key] for key in ("own_examples", "own_unused", "examples"))


async def test_examples_are_learnt_beside_the_graph_alone(tmp_path: Path) -> None:
    card = await train_paths(tmp_path, FAITH)
    assert figures_of(card) == (1, 0, 65)
    settings = card.settings(PathSettings)
    assert settings.hops == 3
    assert {"creed", "grandchild"} <= set(settings.wording)


async def test_an_example_may_be_longer_than_what_is_made(tmp_path: Path) -> None:
    assert (await train_paths(tmp_path, SHARED)).settings(PathSettings).hops == 4


async def test_an_example_that_nothing_explains_is_left_out(tmp_path: Path) -> None:
    card = await train_paths(tmp_path, QuestionRow("1", "who is zorg ?", answers=("zorg",)))
    assert figures_of(card) == (1, 1, 60)


async def test_examples_are_among_the_questions_that_are_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(path_examples, "_MADE", 1)
    monkeypatch.setattr(path_examples, "_MOST_MADE", 1)
    card = await train_paths(tmp_path, FAITH, write(tmp_path / "q.jsonl", rows()))
    assert card.training["path"]["gold_paths"] == len(rows()) + 5
    assert card.settings(PathSettings).hops == 3


async def test_a_bad_example_stops_training_before_it_begins(tmp_path: Path) -> None:
    bad = replace(FAITH, paths=(GoldPath(PEOPLE[0], (Step("zorgs"),)),))
    with pytest.raises(FileFormatError, match="'zorgs'"):
        await train_paths(tmp_path, bad)
