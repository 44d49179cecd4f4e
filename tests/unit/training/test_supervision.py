"""Weak supervision: the paths that explain answers, and what the words choose among them."""

from __future__ import annotations

import pytest

from trellis.domain.graphs.graph import Node, Revisit, Step
from trellis.domain.graphs.links import Link, Mention
from trellis.training.examples import MentionPath
from trellis.training.supervision.paths.explanations import (
    Explanation,
    WeakPathExample,
    best_revisit,
    find_explanations,
    measure_fit,
)
from trellis.training.supervision.paths.mixture import choose_explanations
from unit.training.family import PEOPLE, answers, graph


async def weak_example(topics: list[str], found: list[str], words: str = "") -> WeakPathExample:
    memory = graph()
    ids = {node.name: node.id for node in memory.nodes}
    mentions = tuple(Mention(0, 1, t, (Link(Node(ids[t], t), 1.0, "exact"),)) for t in topics)
    anchors = [ids[topic] for topic in topics]
    around = await memory.neighbourhood(anchors, 2, edge_budget=1000, names=True)
    return WeakPathExample.of(words.split(), mentions, around, found)


def path(*steps: str, number: int = 0) -> MentionPath:
    return MentionPath(number, tuple(map(Step.parse, steps)))


@pytest.mark.parametrize("steps", [("religion",), ("parents", "religion"), ("^parents",)])
async def test_the_true_path_is_among_the_best(steps: tuple[str, ...]) -> None:
    asked = await weak_example([PEOPLE[0]], answers(PEOPLE[0], steps))
    found = find_explanations(asked, 2, "any")
    assert found[0].f1 == 1.0
    assert path(*steps) in [one.paths[0] for one in found if one.f1 == 1.0]


async def test_two_mentions_explain_by_meeting() -> None:
    believers = set(answers("islam", ("^religion",)))
    natives = set(answers("rome", ("^placeOfBirth",)))
    asked = await weak_example(["islam", "rome"], sorted(believers & natives))
    [best] = choose_explanations([asked], [find_explanations(asked, 1, "any")])
    assert best is not None
    assert best.f1 == 1.0
    assert best.paths == (path("^religion"), path("^placeOfBirth", number=1))


async def test_words_choose_among_paths_that_answer_alike() -> None:
    """Everyone's grandfather shares the religion: only the wording tells the two apart."""
    kinds = (("religion",), "religion"), (("parents", "religion"), "religion father")
    asked = [await weak_example([p], answers(p, s), words) for s, words in kinds for p in PEOPLE]
    found = choose_explanations(asked, [find_explanations(one, 2, "any") for one in asked])
    assert all(one is not None and one.paths == (path("religion"),) for one in found[:6])
    assert all(one is not None and len(one.paths[0].steps) == 2 for one in found[6:])


async def test_nothing_explains_answers_that_are_not_around() -> None:
    assert find_explanations(await weak_example([PEOPLE[0]], ["atlantis"]), 2, "any") == []


@pytest.mark.parametrize(
    ("steps", "rule"),
    [(("religion",), "simple"), (("parents", "^parents"), "any")],
)
async def test_revisit_is_what_reproduces_the_answers(
    steps: tuple[str, ...], rule: Revisit
) -> None:
    asked = [await weak_example([p], answers(p, steps)) for p in PEOPLE]
    rules: tuple[Revisit, ...] = ("simple", "not_topic", "any")
    fits = {r: [measure_fit(one, (path(*steps),), r) for one in asked] for r in rules}
    assert best_revisit(fits) == rule


def test_an_explanation_counts_its_steps() -> None:
    assert Explanation((path("a", "b"), path("c", number=1)), 1.0).steps == 3
