"""Follow-ups over the bundled graph: what they are made into, and that nothing is guessed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from memory_atlas import load_atlas
from memory_graph import MemoryGraph
from trellis.domain.replies.conversation import Turn, WholeQuestion
from trellis.steps.link.follow_ups.resolve_follow_up import resolve_follow_up

PAIRS = Path(__file__).parents[2] / "data" / "follow_ups"


LIMITS = {"follow-up/36": "yen is used by countries, and in them: it may be either"}


def read_pairs() -> list[Any]:
    """All pairs; those that are known to be left unclear are expected to fail."""
    files = sorted(PAIRS.glob("*.jsonl"))
    rows = [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]
    return [pytest.param(row, marks=_mark(row["id"]), id=row["id"]) for row in rows]


def _mark(id: str) -> Sequence[pytest.MarkDecorator]:
    return [pytest.mark.xfail(reason=LIMITS[id], strict=True)] if id in LIMITS else []


async def resolve(question: str, *turns: Turn, graph: MemoryGraph | None = None) -> WholeQuestion:
    return await resolve_follow_up(question, turns, graph or load_atlas(), None)


@pytest.mark.slow
@pytest.mark.parametrize("pair", read_pairs())
async def test_a_follow_up_becomes_a_whole_question_or_says_why_not(pair: dict[str, Any]) -> None:
    turns = [
        Turn(turn["question"], tuple(turn["answers"]) if "answers" in turn else None)
        for turn in pair["history"]
    ]
    whole = await resolve(pair["question"], *turns)
    changed = "unchanged" if whole.text == pair["question"] else "resolved"
    assert ("unclear" if whole.problem else changed) == pair["outcome"], whole
    text = whole.text.lower()
    assert [part for part in pair.get("holds", []) if part.lower() not in text] == []
    assert [part for part in pair.get("lacks", []) if part.lower() in text] == []


async def test_the_turns_before_are_made_whole_one_after_the_other() -> None:
    turns = (
        Turn("What is the capital of Kenya?", ("Nairobi",)),
        Turn("And of Uganda?", ("Kampala",)),
        Turn("In which country does that city lie?", ("Uganda",)),
    )
    whole = await resolve("Which countries border it?", *turns)
    assert whole.problem.startswith("“it” may mean Kampala or Uganda")
    whole = await resolve("Which countries border that country?", *turns)
    assert whole.text == "Which countries border Uganda?"


@pytest.mark.slow
async def test_what_is_asked_of_some_answers_can_be_asked_of_further() -> None:
    turns = [Turn("Which countries border Uganda?", ("Kenya", "Rwanda", "Tanzania"))]
    turns.append(Turn("Which of them border Rwanda?", ("Tanzania", "Burundi")))
    whole = await resolve("How many?", *turns)
    assert whole.text == "How many countries border Uganda and border Rwanda?"
    assert (await resolve("And the largest?", *turns)).text == (
        "Which of the countries that border Uganda and border Rwanda is the largest?"
    )
    assert (await resolve("And Kenya?", *turns)).problem.startswith("Kenya may stand in place of")


async def test_given_topics_are_what_a_question_refers_to() -> None:
    turn = Turn("Which rivers flow through it?", ("Rhine", "Elbe"), topics=("Germany",))
    assert (await resolve("And France?", turn)).text == "Which rivers flow through France?"


async def test_where_nothing_was_linked_the_reading_tells_the_topic() -> None:
    turn = Turn("Welche Hauptstadt?", (), reading="from Kenya: has capital")
    assert (await resolve("What is its currency?", turn)).text == "What is the currency of Kenya?"


async def test_an_unclear_turn_leaves_what_was_spoken_of_before() -> None:
    turns = (Turn("What is the capital of Kenya?", ("Nairobi",)), Turn("Why?", ()))
    whole = await resolve("What is its currency?", *turns)
    assert whole.text == "What is the currency of Kenya?"


@pytest.mark.slow
@pytest.mark.parametrize(
    "question",
    [
        "Quelle est la capitale de l'Ouganda ?",
        "首都はどこですか",
        "What is the capital of France?",
        "Which country has its capital on a river?",
        "Are there lakes in Uganda?",
        "Do France and Germany share a river, and how long is it?",
        "Which countries border Kenya and have a coast on the ocean that borders it?",
    ],
)
async def test_a_question_that_stands_by_itself_is_never_changed(question: str) -> None:
    turn = Turn("Which countries border Kenya?", ("Ethiopia", "Uganda"))
    assert await resolve(question, turn) == WholeQuestion(question)


async def test_a_graph_without_kinds_still_resolves_what_is_plain() -> None:
    films = MemoryGraph.of([("Alien", "DIRECTED_BY", "Ridley Scott"), ("Alien", "YEAR", "1979")])
    turn = Turn("Who directed Alien?", ("Ridley Scott",))
    assert (await resolve("Where was he born?", turn, graph=films)).text == (
        "Where was Ridley Scott born?"
    )
    assert (await resolve("When was it released?", turn, graph=films)).text == (
        "When was Alien released?"
    )


@pytest.mark.parametrize(
    ("question", "pronoun"),
    [
        ("Which of them border Rwanda?", "them"),
        ("What are their official languages?", "their"),
        ("Which of those countries border Rwanda?", "those countries"),
        ("Which ones border Rwanda?", "ones"),
    ],
)
async def test_a_plural_is_asked_back_where_only_single_things_were_spoken_of(
    question: str, pronoun: str
) -> None:
    turn = Turn("What is the capital of Kenya?", ("Nairobi",))
    whole = await resolve(question, turn)
    assert whole.text == question
    assert whole.problem.startswith(f"“{pronoun}” is said of several things, and ")
    assert "Kenya" in whole.problem
    assert whole.options == ()


async def test_they_may_be_said_of_one_person() -> None:
    films = MemoryGraph.of([("Alien", "DIRECTED_BY", "Ridley Scott"), ("Alien", "YEAR", "1979")])
    turn = Turn("Who directed Alien?", ("Ridley Scott",))
    whole = await resolve("Which films did they direct?", turn, graph=films)
    assert whole.text == "Which films did Ridley Scott direct?"
