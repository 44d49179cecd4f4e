"""Numbers that say when are compared with times alone."""

from __future__ import annotations

import pytest

from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.options import RenderingOptions
from trellis.automata.cypher.reading.queries import find_canonical_moves
from trellis.automata.cypher.words.bound_values import number_values
from trellis.domain.errors import CypherReadError
from trellis.domain.graphs.links import Link, Mention, StoredValue
from trellis.domain.graphs.schema import LabelKind, PropertyKind, RelationshipKind, Schema
from trellis.lexicon.property_phrases import may_be_year
from trellis.steps.link.values.link_literals import link_literals
from trellis.steps.link.values.years import find_said_years, hold_to_times

NAME = PropertyKind("name", "STRING")
OPENED = PropertyKind("opened", "INTEGER", examples=(1788, 1930))
FLOORS = PropertyKind("floors", "INTEGER", examples=(3, 1_200))
REBUILT = PropertyKind("rebuilt", "STRING", examples=("1788", "1930"))
CLOSED = PropertyKind("closed", "LIST<INTEGER>")
PRIZES = Schema(
    (
        LabelKind("Prize", 9, "name", (NAME, PropertyKind("amount", "INTEGER"))),
        LabelKind("Hall", 9, "name", (NAME, OPENED, FLOORS, REBUILT, CLOSED)),
        LabelKind("Student", 9, "name", (NAME,)),
    ),
    (RelationshipKind("RECEIVED", "Student", "Prize", 9),),
    27,
    9,
    "prizes",
    {"RECEIVED": (PropertyKind("year", "INTEGER"),)},
)


@pytest.mark.parametrize(
    ("question", "years"),
    [
        ("Who won it in 2010?", ["2010"]),
        ("prizes since the year 1999 or before 1950", ["1999", "1950"]),
        ("what was built in early 1890", ["1890"]),
        ("Which halls hold 2000 people?", []),
        ("Which people live in 2000 towns?", []),
        ("What lies after 1500 km?", []),
        ("who came on 2010-05-01 or in 2010-05", []),
        ("in 20100 or in 99", []),
        ("more than 2010", []),
    ],
)
def test_a_year_stands_behind_a_word_of_time_and_before_nothing_that_it_counts(
    question: str, years: list[str]
) -> None:
    assert [question[span.start : span.end] for span in find_said_years(question)] == years


def test_what_has_values_like_years_may_be_one_whatever_it_is_called() -> None:
    assert may_be_year(OPENED)
    assert may_be_year(PropertyKind("year", "INTEGER"))
    assert not may_be_year(FLOORS)
    assert not may_be_year(PropertyKind("code", "INTEGER", examples=(1_999,)))
    assert not may_be_year(PropertyKind("opened", "STRING", examples=("1788", "1930")))


def link(question: str, schema: Schema = PRIZES) -> list[StoredValue]:
    return [it.best.stored for it in hold_to_times(question, link_literals(question), schema)]


def test_a_year_is_a_literal_of_its_own_where_the_graph_has_times() -> None:
    assert link("Who won it in 2010?") == [StoredValue("", "", 2010, "YEAR")]
    assert link("Who won it 2010 times?") == [StoredValue("", "", 2010, "INTEGER")]
    timeless = Schema((LabelKind("Hall", 9, "name", (NAME, FLOORS)),), (), 9, 0, "halls")
    assert link("Who won it in 2010?", timeless) == [StoredValue("", "", 2010, "INTEGER")]


def test_a_year_is_no_value_of_what_is_no_time() -> None:
    links = [
        Link(StoredValue(label, name, 2010, "INTEGER"), 0.4, "number")
        for label, name in (("Prize", "amount"), ("Hall", "opened"), ("Hall", "floors"))
    ]
    asked = "What opened in 2010?"
    [mention] = hold_to_times(asked, [Mention(15, 19, "2010", tuple(links))], PRIZES)
    assert [link.stored.property for link in mention.links] == ["opened"]
    assert not list(hold_to_times(asked, [Mention(15, 19, "2010", (links[0],))], PRIZES))


def test_what_is_called_by_a_year_stays() -> None:
    """A season is named 2010, whatever times the graph has beside it."""
    season = LabelKind("Season", 9, "name", (NAME,))
    schema = Schema((season, *PRIZES.labels), (), 36, 0, "seasons")
    named = Mention(13, 17, "2010", (Link(StoredValue("Season", "name", "2010"), 1.0, "exact"),))
    assert list(hold_to_times("Who raced in 2010?", [named], schema)) == [named]


@pytest.mark.parametrize(
    ("cypher", "is_said"),
    [
        ("MATCH (s:Student)-[r:RECEIVED]->(:Prize) WHERE r.year = 2010 RETURN s", True),
        ("MATCH (h:Hall) WHERE h.opened < 2010 RETURN h", True),
        ("MATCH (h:Hall) WHERE toInteger(h.rebuilt) < 2010 RETURN h", True),
        ("MATCH (h:Hall) WHERE 2010 IN h.closed RETURN h", True),
        ("MATCH (h:Hall) WHERE size(h.closed) = 2010 RETURN h", False),
        ("MATCH (p:Prize) WHERE p.amount = 2010 RETURN p", False),
        ("MATCH (h:Hall) WHERE h.floors > 2010 RETURN h", False),
        ("MATCH (s:Student) WHERE COUNT { (s)-[:RECEIVED]->(:Prize) } = 2010 RETURN s", False),
    ],
)
def test_the_language_compares_a_year_with_times_alone(cypher: str, is_said: bool) -> None:
    for type_, can_say in (("INTEGER", True), ("YEAR", is_said)):
        values = number_values([StoredValue("", "", 2010, type_)])
        language = CypherLanguage(PRIZES, values, RenderingOptions())
        if can_say:
            assert "v0" in " ".join(find_canonical_moves(language, cypher, {}))
        else:
            with pytest.raises(CypherReadError):
                find_canonical_moves(language, cypher, {})
