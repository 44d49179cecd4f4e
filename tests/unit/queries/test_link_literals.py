"""Numbers and quoted texts of a question are literals, whatever the graph stores."""

from __future__ import annotations

from dataclasses import replace

import pytest

from trellis.domain.graphs.links import Link, Mention, StoredValue
from trellis.domain.graphs.schema import LabelKind, PropertyKind, Schema
from trellis.steps.link.values.link_literals import link_days, link_literals, link_times
from trellis.steps.link.values.value_mentions import merge_mentions, name_values
from trellis.steps.retrieve.queries.query_prompt import build_query_prompt

EMPTY = Schema((), (), 0, 0, "empty")


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("Which countries have more than 3 neighbours?", [("3", 3, "INTEGER")]),
        ("Films longer than 1.5 hours?", [("1.5", 1.5, "FLOAT")]),
        ('Which titles contain "night"?', [("night", "night", "STRING")]),
        ("Cities of over 2,000,000 people", [("2,000,000", 2_000_000, "INTEGER")]),
        ("Who knows Ann?", []),
    ],
)
def test_literals_are_found(question: str, values: list[tuple[str, object, str]]) -> None:
    mentions = link_literals(question)
    found = [(m.text, m.best.stored.value, m.best.stored.type) for m in mentions]
    assert sorted(set(found), key=str) == values
    assert all(mention.best.stored.is_literal() for mention in mentions)


ORDERS = Schema(
    (
        LabelKind("Order", 9, "number", (PropertyKind("placed", "DATE"),)),
        LabelKind("Review", 9, "title", (PropertyKind("written", "ZONED DATETIME"),)),
    ),
    (),
    18,
    0,
    "orders",
)


def test_a_day_that_is_stored_nowhere_may_be_of_every_property_of_days() -> None:
    [day] = link_days("Which orders were placed after 1 May 2025?", ORDERS, ())
    assert day.text == "1 May 2025"
    assert [(v.stored.label, v.stored.value, v.stored.type) for v in day.links] == [
        ("Order", "2025-05-01", "DATE"),
        ("Review", "2025-05-01", "ZONED DATETIME"),
    ]
    assert not link_days("Which orders were placed after 1 May 2025?", EMPTY, ())
    stored = replace(day, links=(Link(day.best.target, 1.0, "date"),))
    assert not link_days("Which orders were placed after 1 May 2025?", ORDERS, (stored,))


def test_a_literal_is_masked_by_what_it_is() -> None:
    question = 'Which 3 titles contain "night"?'
    mentions = merge_mentions(link_literals(question), EMPTY)
    prompt = build_query_prompt(question, mentions)
    assert prompt.question == 'which v0 (number: 3) titles contain " v1 (text) "?'
    named = [(value.name, value.stored.value) for value in name_values(mentions, EMPTY)]
    assert named == [("v0", 3), ("v1", "night")]


@pytest.mark.parametrize(
    ("said", "shown"),
    [("0", "number"), ("5", "number: 5"), ("100", "number: 100"), ("101", "number")],
)
def test_a_number_is_shown_where_it_may_be_a_number_of_rows(said: str, shown: str) -> None:
    question = f"films with {said} awards"
    (literal,) = link_literals(question)
    assert f"v0 ({shown})" in build_query_prompt(question, (literal,)).question


@pytest.mark.parametrize(
    ("value", "shown"), [(0, "number"), (1990, "number"), ("1990", "film year, number")]
)
def test_of_stored_values_that_a_number_may_be_only_texts_are_shown(
    value: str | int, shown: str
) -> None:
    type_ = "STRING" if isinstance(value, str) else "INTEGER"
    stored = StoredValue("Film", "year", value, type_)
    (literal,) = link_literals(f"films of {value}")
    year = Mention(literal.start, literal.end, literal.text, (Link(stored, 0.9, "number"),))
    (merged,) = merge_mentions((year, literal), EMPTY)
    assert [link.stored for link in merged.links] == [stored, literal.best.stored]
    assert f"v0 ({shown})" in build_query_prompt(f"films of {value}", (merged,)).question


def test_times_are_literals_of_the_types_that_a_graph_has() -> None:
    properties = (PropertyKind("opens", "ZONED TIME"), PropertyKind("visit", "DURATION"))
    places = Schema((LabelKind("Place", 9, None, properties),), (), 9, 0, "places")
    asked = "Which places open before 10:30 and take more than two hours?"
    found = [(each.text, each.best.stored) for each in link_times(asked, places)]
    assert found == [
        ("10:30", StoredValue("", "", "10:30", "ZONED TIME")),
        ("two hours", StoredValue("", "", "PT2H", "DURATION")),
    ]
    assert link_times(asked, ORDERS) == ()
