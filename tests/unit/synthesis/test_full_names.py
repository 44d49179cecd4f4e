"""Somebody who is named by a first name is also named in full."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from small_schemas import build_schema
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.sentences.canonical import follow_moves
from trellis.automata.cypher.words.bound_values import number_values
from trellis.domain.graphs.links import StoredValue
from trellis.domain.graphs.schema import LabelKind, PropertyKind
from trellis.lexicon.full_names import FullName, find_full_name
from trellis.steps.retrieve.queries.query_prompt import build_masked_query_prompt
from trellis.training.examples import Example
from trellis.training.synthesis.full_names import say_full_names

TEXTS = {"name": "Jack", "surname": "Powell", "city": "Bolton"}


def make_person(texts: Mapping[str, str]) -> LabelKind:
    """The label of people, with a text of each property."""
    kinds = (PropertyKind(name, "STRING", examples=(text,)) for name, text in texts.items())
    return LabelKind("Person", 9, "name", tuple(kinds))


PARTIES = build_schema({"Case": "number", "Person": "name"}, "Person PARTY_TO Case")
SCHEMA = replace(PARTIES, labels=(make_person(TEXTS), PARTIES.labels[0]))
VALUES = [StoredValue("Person", *pair) for pair in TEXTS.items()]
LANGUAGE = CypherLanguage(SCHEMA, number_values(VALUES))
ASKED = Example(
    build_masked_query_prompt("cases of v0 (person name) in v1 (person city) ?"),
    (" list", " case", " party to", " person", " name", " v0"),
)


def say_often(example: Example) -> set[tuple[str, str]]:
    said = say_full_names([example] * 40, SCHEMA, LANGUAGE.lexicon.wording, seed=0)
    return {(each.prompt.question, "".join(each.segments)) for each in said}


def test_a_surname_is_added_and_later_values_are_renumbered() -> None:
    asked = Example(
        build_masked_query_prompt("cases of v0 (person name) and of v1 (person city) ?"),
        (*ASKED.segments, " and", " case", " party to", " person", " city", " v1"),
    )
    assert say_often(asked) == {
        (asked.prompt.question, "".join(asked.segments)),
        (
            "cases of v0 (person name) v1 (person surname) and of v2 (person city) ?",
            " list case party to person name v0 surname v1 and case party to person city v2",
        ),
    }


def test_what_is_said_is_in_the_language() -> None:
    said = say_full_names([ASKED] * 40, SCHEMA, LANGUAGE.lexicon.wording, seed=0)
    [added] = {each.segments for each in said} - {ASKED.segments}
    assert follow_moves(LANGUAGE, added).moves


@pytest.mark.parametrize(
    "segments",
    [
        (" list", " person", " city", " v0"),
        (" list", " case", " number", " v0"),
        (" list", " person", " name", " v0", " surname", " v1"),
        (" list", " person", " name", " v0", " or", " v1"),
    ],
)
def test_other_values_stay_alone(segments: tuple[str, ...]) -> None:
    asked = Example(ASKED.prompt, segments)
    assert say_often(asked) == {(ASKED.prompt.question, "".join(segments))}


@pytest.mark.parametrize(
    ("properties", "found"),
    [
        ({"name": "Jack", "surname": "Powell"}, FullName("name", "surname")),
        ({"firstName": "Jack", "lastName": "Powell"}, FullName("firstName", "lastName")),
        ({"name": "Jack Powell", "surname": "Powell"}, None),
        ({"name": "Jack", "city": "Bolton"}, None),
        ({"surname": "Powell"}, None),
    ],
)
def test_first_names_and_surnames_are_told_by_their_names(
    properties: dict[str, str], found: FullName | None
) -> None:
    assert find_full_name(make_person(properties)) == found
