"""Where a question says values, and how they are named in prompts."""

from __future__ import annotations

import pytest

from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.options import RenderingOptions
from trellis.automata.cypher.reading.queries import find_canonical_moves
from trellis.domain.errors import CypherReadError
from trellis.domain.graphs.links import Link, MatchKind, Mention, StoredValue
from trellis.domain.graphs.schema import LabelKind, PropertyKind, RelationshipKind, Schema
from trellis.steps.link.values.value_mentions import merge_mentions, name_values
from trellis.steps.retrieve.queries.query_prompt import build_query_prompt

TEXT = (PropertyKind("name", "STRING"), PropertyKind("type", "STRING"))
LABELS = tuple(LabelKind(label, 5, "name", TEXT) for label in ("Person", "Officer", "Crime"))
SCHEMA = Schema(LABELS, (RelationshipKind("PARTY_TO", "Person", "Crime", 3),), 15, 3, "f")
QUESTION = "Which thefts did Kim Roy and Ada see?"


def mention(
    text: str, label: str, value: str, score: float, how: MatchKind = "exact", of: str = "name"
) -> Mention:
    start = QUESTION.index(text)
    found = Link(StoredValue(label, of, value), score, how)
    return Mention(start, start + len(text), text, (found,))


def said(*mentions: Mention) -> str:
    return build_query_prompt(QUESTION, merge_mentions(mentions, SCHEMA)).question


def test_a_place_is_named_once_with_all_kinds_it_may_be_of() -> None:
    both = [mention("Ada", "Person", "Ada", 1.0), mention("Ada", "Officer", "Ada", 0.9)]
    assert said(*both) == "which thefts did kim roy and v0 (person name, officer name) see?"
    named = name_values(merge_mentions(both, SCHEMA), SCHEMA)
    assert [(one.name, one.stored.label) for one in named] == [("v0", "Person"), ("v0", "Officer")]


def test_names_are_numbered_along_the_text_and_the_best_place_wins() -> None:
    mentions = [
        mention("Kim Roy", "Person", "Kim Roy", 1.0),
        mention("Ada", "Person", "Ada", 0.9),
        mention("Roy", "Officer", "Roy", 0.8),
    ]
    wanted = "which thefts did v0 (person name, officer name) and v1 (person name) see?"
    assert said(*mentions) == wanted


def test_of_one_kind_the_best_value_stays_and_those_as_good() -> None:
    tied = [mention("Ada", "Person", name, score) for name, score in (("Ada", 1), ("ADA", 0.99))]
    worse = mention("Ada", "Person", "Adam", 0.5)
    values = name_values(merge_mentions([*tied, worse], SCHEMA), SCHEMA)
    assert [one.stored.value for one in values] == ["Ada", "ADA"]


def test_words_here_and_there_stay_in_the_text_beside_the_value() -> None:
    theft = mention("thefts", "Crime", "Theft by finding", 0.6, "words", "type")
    assert said(theft).startswith("which v0 (crime type: theft by finding) thefts did kim")


def test_words_of_the_schema_speak_of_no_value() -> None:
    other = Link(StoredValue("Crime", "type", "Other crime"), 0.6, "words")
    assert merge_mentions([Mention(0, 6, "crimes", (other,))], SCHEMA) == ()


def test_a_number_alone_speaks_of_no_day() -> None:
    day = Link(StoredValue("Crime", "type", "14/08/2017"), 0.5, "words")
    assert merge_mentions([Mention(0, 2, "14", (day,))], SCHEMA) == ()


def test_nothing_linked_is_the_question_alone() -> None:
    assert said() == "which thefts did kim roy and ada see?"


def test_values_of_properties_with_few_go_by_their_words() -> None:
    ended = PropertyKind("outcome", "STRING", values=("Case closed; no suspect", "Open", "02/08"))
    schema = Schema((LabelKind("Crime", 9, None, (ended,)),), (), 9, 0, "f")
    opened = Link(StoredValue("Crime", "outcome", "Open", "STRING"), 1.0, "exact")
    mentions = merge_mentions([Mention(0, 4, "open", (opened,))], schema)
    named = name_values(mentions, schema)
    assert [(one.name, one.stored.value) for one in named] == [
        ("v0", "Open"),
        ("case closed no suspect", "Case closed; no suspect"),
    ]


FLAGGED = Schema(
    (LabelKind("Player", 9, "name", (*TEXT[:1], PropertyKind("injured", "BOOLEAN"))),),
    (RelationshipKind("PLAYS_FOR", "Player", "Club", 9),),
    *(9, 9, "f"),
    {
        "PLAYS_FOR": (
            PropertyKind("captain", "BOOLEAN"),
            PropertyKind("role", "STRING", values=("loan", "youth")),
            PropertyKind("badge", "STRING"),
        )
    },
)


def test_flags_and_few_texts_of_relationships_go_by_their_words() -> None:
    named = [(one.name, one.stored.label, one.stored.value) for one in name_values((), FLAGGED)]
    assert named == [
        ("true", "Player", True),
        ("false", "Player", False),
        ("true", "PLAYS_FOR", True),
        ("false", "PLAYS_FOR", False),
        ("loan", "PLAYS_FOR", "loan"),
        ("youth", "PLAYS_FOR", "youth"),
    ]


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("MATCH (p:Player {injured: false}) RETURN p", "list player injured false"),
        (
            "MATCH (p:Player)-[r:PLAYS_FOR]->() WHERE r.captain = true RETURN p",
            "list player plays for where captain true club",
        ),
        (
            "MATCH (p:Player)-[:PLAYS_FOR {role: 'loan'}]->() RETURN p",
            "list player plays for where role loan club",
        ),
        (
            "MATCH (p:Player {name: 'Ada'}) RETURN p.injured = true",
            "whether player injured true name v0",
        ),
    ],
)
def test_queries_by_them_are_said_although_no_question_mentions_true(
    query: str, sentence: str
) -> None:
    values = name_values([mention("Ada", "Player", "Ada", 1.0)], FLAGGED)
    language = CypherLanguage(FLAGGED, values, RenderingOptions())
    assert "".join(find_canonical_moves(language, query)).strip() == sentence


def test_no_text_of_many_is_a_value_of_a_relationship() -> None:
    language = CypherLanguage(FLAGGED, name_values((), FLAGGED), RenderingOptions())
    with pytest.raises(CypherReadError, match="badge"):
        find_canonical_moves(language, "MATCH (p:Player)-[:PLAYS_FOR {badge: 'x'}]->() RETURN p")
