"""The signs by which a reply is trusted."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import pytest

from memory_graph import TrigramEmbedder
from question_forms import make_form
from trellis.domain.graphs.graph import Node, PathQuery, RelationPath, Step
from trellis.domain.graphs.links import Link, Mention
from trellis.domain.graphs.schema import LabelKind, RelationshipKind, Schema
from trellis.domain.replies.reply import CandidateOutcome
from trellis.steps.conclude.confidence.path_confidence import extract_path_features

PARIS, LYON = Node("p", "Paris", ("City",)), Node("l", "Lyon", ("City",))
WORDING = ("capital", "river")
SCHEMA = Schema(
    tuple(LabelKind(label, 9, "name") for label in ("Country", "City")),
    tuple(RelationshipKind(kind, "Country", "City", 9) for kind in ("HAS_CAPITAL", "HAS_TOWN")),
    2,
    18,
    "",
)


def mention(question: str, name: str, score: float = 1.0) -> Mention:
    start = question.index(name)
    return Mention(start, start + len(name), name, (Link(Node("f", name), score, "exact-case"),))


def tried(
    chance: float, relation: str, *found: Node, mentions: tuple[int, ...] = (0,)
) -> CandidateOutcome:
    paths = tuple(RelationPath(("f",), (Step(relation),), mention=one) for one in mentions)
    return CandidateOutcome(relation, math.log(chance), len(found), PathQuery(paths), found)


async def told(
    question: str, *candidates: CandidateOutcome, score: float = 1.0
) -> Mapping[str, float]:
    names = [name for name in ("France", "Spain") if name in question]
    mentions = [mention(question, name, score) for name in names]
    form = make_form(question, mentions, SCHEMA, WORDING)
    return await extract_path_features(form, candidates, TrigramEmbedder())


async def test_belief_is_of_the_first_node_by_all_candidates_that_reach_it() -> None:
    found = await told(
        "What is the capital of France?",
        tried(0.9, "NOWHERE"),
        tried(0.5, "HAS_CAPITAL", PARIS),
        tried(0.25, "HAS_CITY", LYON, PARIS),
        tried(0.1, "HAS_TOWN", LYON),
    )
    assert found["belief"] == pytest.approx(math.log(0.75 / 0.25))


async def test_words_that_the_model_never_saw_are_told_from_those_it_knows() -> None:
    known = await told("What is the capital of France?", tried(0.9, "HAS_CAPITAL", PARIS))
    half = await told("What is the capital flotilla of France?", tried(0.9, "HAS_CAPITAL", PARIS))
    none = await told("Who invented France?", tried(0.9, "HAS_CAPITAL", PARIS))
    bare = await told("France?", tried(0.9, "HAS_CAPITAL", PARIS))
    assert [one["known"] for one in (known, half, none, bare)] == [1.0, 0.5, 0.0, 1.0]


async def test_a_path_that_means_what_was_asked_speaks_for_itself() -> None:
    fitting = await told("What is the capital city of France?", tried(0.9, "HAS_CAPITAL", PARIS))
    other = await told("Who was the composer of France?", tried(0.9, "HAS_CAPITAL", PARIS))
    assert fitting["meaning"] > other["meaning"]


async def test_a_reading_is_aligned_with_the_question() -> None:
    asked, path = "What is the capital of France?", tried(0.9, "HAS_CAPITAL", PARIS)
    fitting = await told(asked, replace(path, reading="the capital of France"))
    other = await told(asked, replace(path, reading="the mayor of France"))
    name = "aligned_least_explained"
    assert fitting[name] > other[name]
    assert name not in await told(asked, path)


async def test_relations_that_nobody_speaks_of_are_told() -> None:
    asked = "What is the capital of France?"
    fitting = await told(asked, tried(0.9, "HAS_CAPITAL", PARIS))
    other = await told(asked, tried(0.9, "HAS_TOWN", PARIS))
    assert (fitting["said"], other["said"]) == (1.0, 0.0)


async def test_mentions_that_the_path_leaves_out_and_poor_links_are_told() -> None:
    question = "Which river do France and Spain share?"
    one = await told(question, tried(0.9, "HAS_RIVER", LYON), score=0.7)
    both = await told(question, tried(0.9, "HAS_RIVER", LYON, PARIS, LYON, mentions=(0, 1)))
    assert (one["used"], one["link"]) == (0.5, 0.7)
    assert (both["used"], both["link"]) == (1.0, 1.0)


async def test_nothing_speaks_for_candidates_that_reach_nothing() -> None:
    assert await told("What is the capital of France?", tried(0.9, "NOWHERE")) == {}


async def test_a_path_has_the_share_of_its_direction() -> None:
    asked = "What does France depend on?"
    turned = RelationPath(("f",), (Step("DEPENDS_ON", reversed=True),))
    back = CandidateOutcome("back", math.log(0.2), 1, PathQuery((turned,)), (LYON,))
    ahead, other = tried(0.6, "DEPENDS_ON", PARIS), tried(0.1, "HAS_TOWN", LYON)
    assert (await told(asked, ahead, back, other))["direction"] == pytest.approx(0.75)
    both_ways = CandidateOutcome("back", math.log(0.2), 1, PathQuery((turned,)), (PARIS,))
    assert (await told(asked, ahead, both_ways, other))["direction"] == 1.0
    missing = replace(ahead, turned=math.log(0.2))
    assert (await told(asked, missing, other))["direction"] == pytest.approx(0.2)
