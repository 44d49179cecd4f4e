"""One plain question for a step, in words of the lexicon or of the relation's name."""

from __future__ import annotations

import pytest

from trellis.domain.graphs.graph import Step
from trellis.lexicon.phrasebook import Phrasebook
from trellis.lexicon.plain_questions import write_plain_question

BOOK = Phrasebook.load()


@pytest.mark.parametrize(
    ("relation", "label", "question"),
    [
        ("HAS_CAPITAL", "City", "Which city is the capital of X?"),
        ("HAS_HIGHEST_POINT", "Mountain", "What is the highest mountain in X?"),
        ("FLOWS_INTO", "Sea", "Which sea does X flow into?"),
        ("FLOWS_INTO", "Lake", "Which lake does X flow into?"),
        ("BELONGS_TO", "Country", "Which country does X belong to?"),
        ("LIES_ON_RIVER", "River", "Which river is X on?"),
        ("zorks_robots", None, "What is the zorks robots of X?"),
        ("STANDS_IN", "Country", "Which country does X stand in?"),
        ("DESERT_IN", "Country", "Which country is X in?"),
        ("directed_by", None, "Who directed X?"),
        ("zorks_from", None, "What does X zork from?"),
        ("frobnication", None, "What is the frobnication of X?"),
        ("frobnicated_by", "Robot", "Which robot frobnicated X?"),
        ("R", None, "What is the r of X?"),
    ],
)
def test_a_step_is_asked_for_plainly(relation: str, label: str | None, question: str) -> None:
    assert write_plain_question(BOOK, Step(relation), "X", label) == question


@pytest.mark.parametrize("topic", ["{}", "{0}", "%s", "a \\1 b", "<b>", "what"])
def test_a_topic_stands_in_the_question_as_it_is(topic: str) -> None:
    for relation in ("HAS_CAPITAL", "STANDS_IN", "zorks"):
        assert write_plain_question(BOOK, Step(relation), topic, None).count(topic) >= 1


def test_a_graphs_own_words_are_used() -> None:
    book = Phrasebook.load(None, {"RUNS": ["manager"]})
    assert write_plain_question(book, Step("RUNS"), "X", None)
