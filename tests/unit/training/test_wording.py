"""The words of questions: a graph's own wording, and what is left without names."""

from __future__ import annotations

from pathlib import Path

import pytest

from trellis.questions.reading import read_questions
from trellis.training.wording import find_wording, list_usual_words, remove_names, split_words
from unit.training.family import rows, write


def test_wording_is_what_is_said_of_many_topics_and_no_name(tmp_path: Path) -> None:
    own = find_wording(read_questions([write(tmp_path / "q.jsonl", rows())]))
    assert {"religion", "father", "born"} <= set(own)
    assert not {"anna", "smith", "anna_smith"} & set(own)


def test_a_topic_is_taken_out_with_spaces_or_underscores() -> None:
    assert remove_names("who married Anna Smith ?", ["anna_smith"]).split() == [
        "who",
        "married",
        "?",
    ]


def test_the_words_of_few_questions_are_all_usual() -> None:
    assert list_usual_words(["What borders Kneya?", "what's the border"]) == (
        "border",
        "borders",
        "kneya",
        "the",
        "what",
    )


def test_of_many_questions_a_rare_word_is_usual_where_it_is_english() -> None:
    texts = ["which state"] * 4_000 + ["wich harbour", "ghzal ghzal ghzal", "ostan", "ostan"]
    assert list_usual_words(texts) == ("harbour", "ostan", "state", "which")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("What's Peru's 2nd CAPITAL?", ["what", "peru", "nd", "capital"]),
        ("the river 's mouth", ["the", "river", "mouth"]),
        ("who doesn't say ‘capital_of’", ["who", "doesn't", "say", "capital", "of"]),
        ("", []),
    ],
)
def test_a_text_is_split_into_words_without_possessive_endings(text: str, words: list[str]) -> None:
    assert split_words(text) == words
