"""Paths and patterns are ordered by the question's words, too."""

from __future__ import annotations

import math

import pytest

from memory_graph import TrigramEmbedder
from trellis.automata.paths.segments import step_text
from trellis.domain.graphs.graph import PathQuery, RelationPath, Step
from trellis.domain.models.decoding import Sentence
from trellis.domain.structures.question_patterns import (
    MentionNode,
    PatternTriple,
    QuestionPattern,
    UnknownNode,
)
from trellis.steps.align.weigh_sentences import (
    WordTable,
    list_question_words,
    weigh_sentences,
)
from trellis.steps.retrieve.paths.path_prompt import build_masked_path_prompt
from trellis.training.examples import Example
from trellis.training.supervision.word_counts import count_words

TABLE: WordTable = {
    "": {"what": 0.5, "is": 0.5, "the": 0.3},
    " -> country": {"country": 0.5, "nation": 0.5},
    " -> capital": {"capital": 1.0},
    " <- capital": {"country": 0.3},
}


def sentence(score: float, *steps: Step) -> Sentence:
    path = PathQuery((RelationPath(("n1",), steps),))
    text = " ENT1" + "".join(map(step_text, steps))
    return Sentence(text, (), (path,), score, len(steps))


COUNTRY, CAPITAL, OF = Step("country"), Step("capital"), Step("capital", reversed=True)


async def first(question: str, *sentences: Sentence, table: WordTable = TABLE) -> Sentence:
    return (await weigh_sentences(sentences, question, table, TrigramEmbedder()))[0]


async def test_a_path_that_leaves_out_what_is_said_comes_behind() -> None:
    short, whole = sentence(-0.05, COUNTRY), sentence(-4.0, COUNTRY, CAPITAL)
    assert (await first("what is the capital of the country of ENT1", short, whole)).text == (
        whole.text
    )


async def test_a_pattern_is_weighed_as_the_path_that_says_the_same() -> None:
    """The capital of the country of ENT1, from the mention to what is asked for."""
    there = PatternTriple(1, "country", 2), PatternTriple(2, "capital", 0)
    back = PatternTriple(1, "country", 2), PatternTriple(0, "capital", 2)
    nodes = UnknownNode(0, is_asked=True), MentionNode(0), UnknownNode(1)
    patterns = [
        Sentence("", (), (QuestionPattern(nodes, triples),), -1.0, 2) for triples in (there, back)
    ]
    paths = [sentence(-1.0, COUNTRY, CAPITAL), sentence(-1.0, COUNTRY, OF)]
    question = "what is the capital of the country of ENT1"
    weighed = [await weigh_sentences(each, question, TABLE) for each in (patterns, paths)]
    scores = [[each.score for each in some] for some in weighed]
    assert scores[0] == pytest.approx(scores[1])
    assert weighed[0][0].values == patterns[0].values


async def test_a_path_that_says_what_nobody_asked_comes_behind() -> None:
    short, long = sentence(-0.9, COUNTRY), sentence(-0.6, COUNTRY, CAPITAL)
    assert (await first("what is the nation of ENT1", short, long)).text == short.text


async def test_a_word_that_was_never_seen_counts_by_what_it_means() -> None:
    wrong, right = sentence(-0.7, COUNTRY), sentence(-0.8, CAPITAL)
    assert (await first("what is the capitals of ENT1", wrong, right)).text == right.text


async def test_a_relation_that_training_never_saw_is_known_by_its_name() -> None:
    wrong = sentence(-0.1, COUNTRY)
    right = sentence(-2.0, Step("music.release.release_type"))
    assert (await first("what is the release type of ENT1", wrong, right)).text == right.text


async def test_the_model_decides_between_paths_of_the_same_words() -> None:
    likely, other = sentence(-0.4, COUNTRY, CAPITAL), sentence(-1.1, CAPITAL, COUNTRY)
    assert (await first("the capital of the country of ENT1", other, likely)).text == likely.text


async def test_the_probability_of_all_together_stays() -> None:
    before = [sentence(-0.4, COUNTRY), sentence(-2.0, CAPITAL), sentence(-5.0, OF)]
    after = await weigh_sentences(before, "what is the capital of ENT1", TABLE)
    totals = [math.fsum(math.exp(each.score) for each in those) for those in (before, after)]
    assert totals[0] == pytest.approx(totals[1])
    assert {each.text for each in after} == {each.text for each in before}


@pytest.mark.parametrize("question", ["", "ENT1 ?", "1999"])
async def test_nothing_changes_where_nothing_is_said(question: str) -> None:
    before = [sentence(-2.0, COUNTRY), sentence(-0.4, CAPITAL)]
    assert await weigh_sentences(before, question, TABLE) == before
    assert await weigh_sentences(before, "what is the capital of ENT1", {}) == before
    assert await weigh_sentences([], "what is the capital of ENT1", TABLE) == []


def test_placeholders_and_single_letters_are_no_words() -> None:
    assert list_question_words("Who is ENT1 's father, and a ENT12?") == [
        "who",
        "is",
        "father",
        "and",
    ]


def test_words_are_counted_with_the_steps_that_bring_them() -> None:
    asked = {
        "who is the father of ENT1": [" -> father"],
        "who is the dad of ENT1": [" -> father"],
        "what is the job of ENT1": [" -> job"],
        "what is the job of the father of ENT1": [" -> father", " -> job"],
        "who has the job ENT1": [" <- job"],
    }
    examples = [
        Example(build_masked_path_prompt(text), (" ENT1", *steps)) for text, steps in asked.items()
    ]
    table = count_words(examples)
    assert table[" -> father"]["father"] > 0.5
    assert table[" -> father"]["dad"] > 0.2
    assert table[" -> father"].get("job", 0.0) < 0.1
    assert table[" -> job"]["job"] > 0.5
    assert table[""]["the"] > 0.4
    assert set(table) == {"", " -> father", " -> job", " <- job"}
