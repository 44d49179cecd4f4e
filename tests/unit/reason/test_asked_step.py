"""In graphs of triples the last relation of a path says what sort of thing it leads to."""

from __future__ import annotations

import math

import pytest

from question_forms import make_form
from trellis.domain.graphs.graph import Node, PathQuery, RelationPath, Step
from trellis.domain.graphs.links import Link, Mention
from trellis.domain.graphs.schema import LabelKind, RelationshipKind, Schema
from trellis.domain.models.decoding import Sentence
from trellis.domain.replies.reply import Finding, GroundedNode
from trellis.steps.align.answer_types.asked_step import find_asked_steps, prefer_asked_steps

RELATIONS = ("directed_by", "release_year", "in_language", "has_tags", "glorped_by")


def make_schema(label: str) -> Schema:
    kinds = tuple(RelationshipKind(name, label, label, 9) for name in RELATIONS)
    return Schema((LabelKind(label, 9, "name"),), kinds, 9, 45, "")


SCHEMA = make_schema("Entity")


@pytest.mark.parametrize(
    ("question", "fitting", "other"),
    [
        ("Who made films with Ann?", "directed_by", "release_year"),
        ("Whose films are from 1915?", "directed_by", "^release_year"),
        ("I wonder who made it", "directed_by", "^directed_by"),
        ("When was it in cinemas?", "release_year", "directed_by"),
        ("From which years are films with Ann?", "release_year", "^release_year"),
        ("what was the release year of it", "release_year", "^release_year"),
        ("Which films did Ann make?", "^directed_by", "directed_by"),
        ("Find all films by the directors who worked with Ann.", "^directed_by", "directed_by"),
        ("Ann worked with what directors?", "directed_by", "^directed_by"),
        ("movies with a director in common with it", "^has_tags", "directed_by"),
        ("films by people who have made something with Ann", "^has_tags", "directed_by"),
        ("Who is the director of that?", "directed_by", "^directed_by"),
        ("Which films are about Ann?", "^has_tags", "in_language"),
    ],
)
def test_a_path_to_something_else_is_doubted(question: str, fitting: str, other: str) -> None:
    assert weigh(question, fitting) == 0
    assert weigh(question, other) < math.log(0.5)


@pytest.mark.parametrize("question", ["What did Ann make?", "give me whatever Ann directed"])
def test_nobody_asks_for_a_year_without_a_word_of_time(question: str) -> None:
    assert weigh(question, "release_year") < math.log(0.5)
    assert weigh(question, "glorped_by") == 0
    assert weigh(f"{question} And when?", "release_year") == 0


@pytest.mark.parametrize(
    "question",
    [
        "loved Ann, more from the same director",
        "Whatever has the same director as Ann",
        "Does it share its director with Ann",
    ],
)
def test_what_has_the_same_of_something_is_reached_by_going_there_and_back(question: str) -> None:
    assert weigh(question, "directed_by", "^directed_by") == 0
    assert weigh(question, "directed_by", "^has_tags") < math.log(0.5)
    assert weigh(question, "has_tags", "^has_tags") < math.log(0.5)


def test_what_the_lexicon_does_not_know_is_the_same_as_anything() -> None:
    assert weigh("loved Ann, more from the same glorp", "directed_by", "^has_tags") == 0


@pytest.mark.parametrize(
    "question",
    [
        "Which glorps did Ann make?",  # no noun that the lexicon knows
        "Who is the glorp of Ann?",
        "The director of it also made films",  # says nothing of what is asked for
        "Is it one of the films?",
        "Tell me about it",
    ],
)
def test_what_is_not_asked_for_by_a_known_noun_is_not_doubted(question: str) -> None:
    assert all(weigh(question, name) == 0 for name in RELATIONS if name != "release_year")


def test_relations_that_the_lexicon_does_not_know_are_not_doubted() -> None:
    assert weigh("Who made it?", "glorped_by") == 0


def test_where_labels_say_what_nodes_are_they_are_believed() -> None:
    assert weigh("Who made it?", "release_year", label="Film") == 0


def test_a_name_is_no_noun() -> None:
    question = "Which Films of War scenes did Ann make?"
    named = Mention(6, 18, "Films of War", (Link(Node("1", "Films of War"), 1.0, "exact"),))
    assert find_asked_steps(make_form(question, (), SCHEMA))
    assert not find_asked_steps(make_form(question, (named,), SCHEMA))


def weigh(question: str, *steps: str, label: str = "Entity") -> float:
    """By how much the score of a path falls that ends in these steps."""
    taken = tuple(map(Step.parse, ("has_tags", *steps)))
    path = PathQuery((RelationPath(("1",), taken),))
    finding = Finding("", 0.9, (GroundedNode(Node("2", "x", (label,)), ()),))
    form = make_form(question, (), make_schema(label))
    sentences, [found] = prefer_asked_steps(form, [Sentence("", (), (path,), 0.0, 1)], (finding,))
    assert found.probability == pytest.approx(0.9 * math.exp(sentences[0].score))
    return round(sentences[0].score, 9)
