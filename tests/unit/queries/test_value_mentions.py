"""Where a question says values, and how they are named in prompts."""

from __future__ import annotations

from trellis.domain.links import MatchKind, StoredValue, ValueLink
from trellis.domain.schema import LabelKind, PropertyKind, RelationshipKind, Schema
from trellis.steps.queries.query_prompt import build_query_prompt
from trellis.steps.queries.value_mentions import build_value_mentions, name_values

TEXT = (PropertyKind("name", "STRING"), PropertyKind("type", "STRING"))
LABELS = tuple(LabelKind(label, 5, "name", TEXT) for label in ("Person", "Officer", "Crime"))
SCHEMA = Schema(LABELS, (RelationshipKind("PARTY_TO", "Person", "Crime", 3),), 15, 3, "f")
QUESTION = "Which thefts did Kim Roy and Ada see?"


def link(
    text: str, label: str, value: str, score: float, how: MatchKind = "exact", of: str = "name"
) -> ValueLink:
    start = QUESTION.index(text)
    return ValueLink(start, start + len(text), text, StoredValue(label, of, value), score, how)


def said(*links: ValueLink) -> str:
    return build_query_prompt(QUESTION, build_value_mentions(links, SCHEMA)).question


def test_a_place_is_named_once_with_all_kinds_it_may_be_of() -> None:
    links = [link("Ada", "Person", "Ada", 1.0), link("Ada", "Officer", "Ada", 0.9)]
    assert said(*links) == "which thefts did kim roy and v0 (person name, officer name) see?"
    named = name_values(build_value_mentions(links, SCHEMA), SCHEMA)
    assert [(one.name, one.stored.label) for one in named] == [("v0", "Person"), ("v0", "Officer")]


def test_names_are_numbered_along_the_text_and_the_best_place_wins() -> None:
    links = [
        link("Kim Roy", "Person", "Kim Roy", 1.0),
        link("Ada", "Person", "Ada", 0.9),
        link("Roy", "Officer", "Roy", 0.8),
    ]
    wanted = "which thefts did v0 (person name, officer name) and v1 (person name) see?"
    assert said(*links) == wanted


def test_of_one_kind_the_best_value_stays_and_those_as_good() -> None:
    links = [link("Ada", "Person", name, score) for name, score in (("Ada", 1), ("ADA", 0.99))]
    worse = link("Ada", "Person", "Adam", 0.5)
    values = name_values(build_value_mentions([*links, worse], SCHEMA), SCHEMA)
    assert [one.stored.value for one in values] == ["Ada", "ADA"]


def test_words_here_and_there_stay_in_the_text_beside_the_value() -> None:
    theft = link("thefts", "Crime", "Theft by finding", 0.6, "words", "type")
    assert said(theft).startswith("which v0 (crime type: theft by finding) thefts did kim")


def test_words_of_the_schema_speak_of_no_value() -> None:
    other = ValueLink(0, 6, "crimes", StoredValue("Crime", "type", "Other crime"), 0.6, "words")
    assert build_value_mentions([other], SCHEMA) == ()


def test_a_number_alone_speaks_of_no_day() -> None:
    day = ValueLink(0, 2, "14", StoredValue("Crime", "type", "14/08/2017"), 0.5, "words")
    assert build_value_mentions([day], SCHEMA) == ()


def test_nothing_linked_is_the_question_alone() -> None:
    assert said() == "which thefts did kim roy and ada see?"


def test_values_of_properties_with_few_go_by_their_words() -> None:
    ended = PropertyKind("outcome", "STRING", values=("Case closed; no suspect", "Open", "02/08"))
    schema = Schema((LabelKind("Crime", 9, None, (ended,)),), (), 9, 0, "f")
    opened = ValueLink(
        0, 4, "open", StoredValue("Crime", "outcome", "Open", "STRING"), 1.0, "exact"
    )
    named = name_values(build_value_mentions([opened], schema), schema)
    assert [(one.name, one.stored.value) for one in named] == [
        ("v0", "Open"),
        ("case closed no suspect", "Case closed; no suspect"),
    ]
