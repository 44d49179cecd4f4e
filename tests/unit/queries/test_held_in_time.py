"""Questions that say a moment ask for what held then."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import pytest

from question_forms import make_form
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.reading.queries import find_canonical_moves
from trellis.automata.cypher.sentences.canonical import follow_moves
from trellis.automata.cypher.words.bound_values import number_values
from trellis.domain.errors import CypherReadError
from trellis.domain.graphs.links import StoredValue
from trellis.domain.graphs.schema import LabelKind, PropertyKind, RelationshipKind, Schema
from trellis.domain.models.decoding import Sentence
from trellis.domain.structures.cypher import CypherQuery
from trellis.lexicon.validity import find_validities
from trellis.steps.align.queries.held_in_time import (
    explain_not_held_in_time,
    explain_query_not_held,
    hold_in_time,
)
from trellis.steps.describe.queries.read_meaning import describe_meaning, read_meaning

TODAY = date(2026, 3, 5)
NAME = (PropertyKind("name", "STRING"),)


def make_schema(**kinds: str) -> Schema:
    """Keepers of lighthouses, by a relationship with properties of these types."""
    years = (1901, 1950)
    owned = tuple(
        PropertyKind(name, type_, examples=years if type_ == "INTEGER" else ())
        for name, type_ in kinds.items()
    )
    return Schema(
        (LabelKind("Keeper", 9, "name", NAME), LabelKind("Light", 9, "name", NAME)),
        (RelationshipKind("KEEPS", "Keeper", "Light", 9),),
        18,
        9,
        repr(kinds),
        {"KEEPS": owned},
    )


DATED = make_schema(valid_from="DATE", valid_to="DATE", shift="STRING")
KEEPS = "MATCH (k:Keeper)-[r:KEEPS]->(l:Light {name: 'Skarv'})"


@pytest.mark.parametrize(
    ("kinds", "ends"),
    [
        ({"valid_from": "DATE", "valid_to": "DATE"}, ("valid_from", "valid_to")),
        ({"since": "INTEGER", "until": "INTEGER"}, ("since", "until")),
        ({"startDate": "DATE", "endDate": "DATE"}, ("startDate", "endDate")),
        ({"from": "LOCAL DATETIME", "to": "LOCAL DATETIME"}, ("from", "to")),
        ({"valid_from": "DATE", "valid_to": "STRING"}, None),
        ({"from": "STRING", "to": "STRING"}, None),  # two places, perhaps
        ({"start_date": "DATE", "end_time": "DATE"}, None),
        ({"since": "DATE"}, None),
    ],
)
def test_the_ends_of_relationships_are_known_by_their_names(
    kinds: dict[str, str], ends: tuple[str, str] | None
) -> None:
    found = find_validities(make_schema(**kinds)).get("KEEPS")
    assert (found and (found.begins.name, found.ends.name)) == ends


def hold(question: str, query: str, schema: Schema, *stored: StoredValue) -> CypherQuery:
    values = (StoredValue("Light", "name", "Skarv"), *stored)
    language = CypherLanguage(schema, number_values(values))
    state = follow_moves(language, find_canonical_moves(language, query))
    sentence = Sentence(state.text, (), language.values(state), -1.0, 1)
    [held] = hold_in_time(make_form(question, (), schema), [sentence], language, TODAY)
    assert (held.text, held.score) == (sentence.text, sentence.score)
    [query_held] = held.values
    return query_held


@pytest.mark.parametrize(
    ("question", "query", "days"),
    [
        ("Who keeps Skarv now?", f"{KEEPS} RETURN DISTINCT k", ["2026-03-05"] * 2),
        ("Who kept Skarv in 1950?", f"{KEEPS} RETURN DISTINCT k", ["1950-12-31", "1950-01-01"]),
        (
            "Who kept Skarv in 1950?",
            f"{KEEPS} WHERE r.valid_to.year = 1950 RETURN DISTINCT k",
            ["1950-12-31", "1950-01-01"],
        ),
        ("Who has kept Skarv?", f"{KEEPS} RETURN DISTINCT k", []),
        ("Who began to keep Skarv in 1950?", f"{KEEPS} RETURN DISTINCT k", []),
        ("Which lights are there now?", "MATCH (l:Light) RETURN l", []),
    ],
)
def test_relationships_are_restricted_to_the_moment(
    question: str, query: str, days: Sequence[str]
) -> None:
    held = hold(question, query, DATED, StoredValue("", "", 1950, "INTEGER"))
    meaning = read_meaning(held)
    assert meaning is not None
    filters = [each for edge in meaning.graph.edges for each in edge.filters]
    assert [meaning.values[each.values[0]].value for each in filters] == list(days)
    if days:
        assert [each.operator for each in filters] == ["<= OR NULL", ">= OR NULL"]


def test_the_reading_says_the_moment() -> None:
    for question, said in (
        ("Who kept Skarv on 1 May 1950?", "(on 1950-05-01)"),
        ("Who kept Skarv in 1950?", "(at some time from 1950-01-01 to 1950-12-31)"),
    ):
        held = hold(question, f"{KEEPS} RETURN DISTINCT k", DATED)
        known = CypherLanguage(DATED, ()).known
        reading = describe_meaning(read_meaning(held), known)
        assert reading == f"the different keepers that keep {said} light Skarv"


def test_years_are_compared_with_years() -> None:
    schema = make_schema(since="INTEGER", until="INTEGER")
    held = hold("Who kept Skarv in 1950?", f"{KEEPS} RETURN DISTINCT k", schema)
    assert 1950 in held.params.values()


def test_no_sentence_says_it_by_itself() -> None:
    held = hold("Who keeps Skarv now?", f"{KEEPS} RETURN DISTINCT k", DATED)
    days = StoredValue("", "", "2026-03-05", "DATE")
    language = CypherLanguage(DATED, number_values((StoredValue("Light", "name", "Skarv"), days)))
    with pytest.raises(CypherReadError):
        find_canonical_moves(language, held.text, held.params)


def test_what_may_have_held_at_another_time_is_held_back() -> None:
    plain = read_meaning(CypherQuery(f"{KEEPS} RETURN DISTINCT k"))
    held = read_meaning(hold("Who keeps Skarv now?", f"{KEEPS} RETURN DISTINCT k", DATED))
    now, undated = "Who keeps Skarv now?", make_schema(since="DATE")
    form = make_form(now, (), DATED)
    assert "“now”" in explain_query_not_held(form, plain)
    assert not explain_query_not_held(form, held)
    assert not explain_query_not_held(make_form("Who keeps Skarv?", (), DATED), plain)
    assert explain_not_held_in_time(form, ["KEEPS"])
    assert not explain_not_held_in_time(form, ["NEAR"])
    assert not explain_not_held_in_time(make_form(now, (), undated), ["KEEPS"])
