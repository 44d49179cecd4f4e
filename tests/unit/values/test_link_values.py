"""The values that a question may speak of, found in a small graph of an office."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from small_schemas import build_label
from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.links import Mention, StoredValue
from trellis.domain.graphs.schema import Schema
from trellis.linking.values.value_index import ValueIndex, has_same_stem
from trellis.steps.link.values.link_values import link_values

STATUS = ("Done; nothing to report", "Waiting for approval", "Approval refused", "In progress")
VALUES = (
    *(StoredValue("Person", "surname", name) for name in ("Garcia", "Lee", "James", "Stone")),
    *(StoredValue("Person", "name", name) for name in ("Anna", "James", "May", "Stephanie")),
    *(StoredValue("Clerk", "surname", name) for name in ("Garcia", "Bourges")),
    StoredValue("Clerk", "country", "Italy"),
    *(StoredValue("Case", "status", text) for text in STATUS),
    *(StoredValue("Case", "kind", text) for text in ("Vehicle repair", "Public order")),
    *(StoredValue("Case", "opened", day, "DATE") for day in ("2017-08-04", "2017-08-05")),
    *(StoredValue("Call", "seconds", n, "INTEGER") for n in (66, 12, 4)),
    *(StoredValue("Tool", "model", text) for text in ("Bolt", "Bolt 3500")),
)
TAGS = {"glam rock": Node("7", "Glam Rock", ("Tag",)), "call": Node("8", "Call", ("Tag",))}
STREETS = ("124 Wapping Street", "12 High Street", "4 Mill Lane")
LABELS = {
    "Place": "street",
    "Person": "surname name",
    "Clerk": "surname country",
    "Case": "status kind opened:DATE",
    "Call": "seconds:INTEGER",
    "Tool": "model",
}
NAMELESS = [replace(build_label(*label), naming=None) for label in LABELS.items()]
KINDS = (*NAMELESS, build_label("Tag", "word"))
SCHEMA = Schema(KINDS, (), 0, 0, "office", synonyms={"seconds": ("long", "lasting")})


class Office:
    """The side of a graph that knows values: remembers all but the streets, which it searches, and
    the tags, which are nodes by name."""

    def __init__(self, *more: StoredValue) -> None:
        self.remembered = (*VALUES, *more)
        self.searched: list[str] = []

    async def schema(self) -> Schema:
        return SCHEMA

    async def values(self) -> ValueIndex:
        return ValueIndex(self.remembered)

    async def search_values(self, texts: Sequence[str]) -> Sequence[Sequence[StoredValue]]:
        self.searched += texts
        return [
            [StoredValue("Place", "street", s) for s in STREETS if text.lower() in s.lower()]
            for text in texts
        ]

    async def find_by_key(self, keys: Sequence[str]) -> Mapping[str, Sequence[Node]]:
        return {key: [TAGS[key]] for key in keys if key in TAGS}

    def __getattr__(self, name: str) -> Any:
        raise NotImplementedError(f"value linking has no use for {name}")


async def link(question: str) -> tuple[Mention, ...]:
    return await link_values(question, Office())


async def link_stored(question: str) -> list[StoredValue]:
    return [mention.best.stored for mention in await link(question)]


DONE = ("Case", "status", "Done; nothing to report")
REFUSED = ("Case", "status", "Approval refused")
REPAIR = ("Case", "kind", "Vehicle repair")


@pytest.mark.parametrize(
    ("question", "text", "stored"),
    [
        ("Which cases involve Stephanies?", "Stephanies", ("Person", "name", "Stephanie")),
        ("Who is the clerk Garcia?", "Garcia", ("Clerk", "surname", "Garcia")),
        ("Which Italian clerks are there?", "Italian", ("Clerk", "country", "Italy")),
        ("Which people have the surname Garcia?", "Garcia", ("Person", "surname", "Garcia")),
        ("Anyone with the last name James?", "James", ("Person", "surname", "James")),
        ("Anyone named James?", "James", ("Person", "name", "James")),
        ("What was opened on August 4, 2017?", "August 4, 2017", ("Case", "opened", "2017-08-04")),
        ("How many 66-second calls were there?", "66", ("Call", "seconds", 66)),
        ("Who lives at 4 Mill Lane?", "4 Mill Lane", ("Place", "street", "4 Mill Lane")),
        ("Which are done, with nothing to report?", "done, with nothing to report", DONE),
        ("How many vehicles are in repair?", "vehicles are in repair", REPAIR),
        ("Which were refused approval?", "refused approval", REFUSED),
    ],
)
async def test_a_literal_finds_the_value_that_it_means(
    question: str, text: str, stored: tuple[str, str, object]
) -> None:
    first = next(mention for mention in await link(question) if mention.text == text)
    value = first.best.stored
    assert (value.label, value.property, value.value) == stored
    assert question[first.start : first.end] == text
    assert 0 < first.score <= 1


async def test_a_span_keeps_all_that_it_may_mean_each_value_once() -> None:
    found = await link_stored("What about Garcia and Garcia?")
    garcias = [(one.label, one.property) for one in found if one.value == "Garcia"]
    assert sorted(garcias) == [("Clerk", "surname"), ("Person", "surname")]


async def test_what_is_inside_a_longer_value_is_not_meant() -> None:
    found = await link_stored("Who lives at 12 High Street or 4 Mill Lane?")
    assert {one.value for one in found} == {"12 High Street", "4 Mill Lane"}
    mentions = await link("Which clerks have Bolt 3500s?")
    spans = [(each.text, each.best.stored.value) for each in mentions if each.best.how != "words"]
    assert spans == [("Bolt 3500s", "Bolt 3500")]


async def test_what_a_node_is_called_is_found_in_small_letters_where_nothing_else_is() -> None:
    [mention] = await link("what can be described by glam rock?")
    assert mention.text == "glam rock"
    assert mention.best.stored == StoredValue("Tag", "word", "Glam Rock")


@pytest.mark.parametrize(
    "question",
    [
        "did Anna call about glam rock?",  # something else is found
        "which calls are there?",  # these are words of the schema
        "how many call?",
    ],
)
async def test_elsewhere_what_a_node_is_called_is_not_found(question: str) -> None:
    assert "Tag" not in {one.label for one in await link_stored(question)}


async def test_words_of_the_question_are_hardly_values() -> None:
    found = await link("Who may call?")
    assert all(one.score < 0.6 for one in found)


async def test_a_number_that_is_not_stored_can_be_compared_with() -> None:
    found = await link("Which calls were longer than 100 seconds?")
    assert [(mention.best.stored, mention.best.how) for mention in found] == [
        (StoredValue("Call", "seconds", 100, "INTEGER"), "number")
    ]


async def test_what_is_known_is_not_searched() -> None:
    office = Office()
    await link_values("Does Anna live at 4 Mill Lane?", office)
    assert "4 Mill Lane" in office.searched
    assert "Anna" not in office.searched


def test_a_value_said_wholly_outdoes_what_shares_words_with_it() -> None:
    kinds = ("Other theft", "Theft from the person", "Theft from a shop")
    index = ValueIndex([StoredValue("Case", "kind", text) for text in kinds])

    def find(question: str) -> set[object]:
        return {match.stored.value for match in index.find_by_words(question.split(), 0.2)}

    assert find("thefts from a person") == {"Theft from the person"}
    assert find("other thefts and thefts from a person") == {*kinds[:2]}
    assert find("thefts last year") == set(kinds)


def test_words_of_one_stem_are_alike() -> None:
    alike = "violent violence, investigated investigation, case cases, lake lakes, filming film"
    others = "person public, car cart, come comedy, star start"
    for pairs, is_same in ((alike, True), ("art art", True), (others, False)):
        for pair in pairs.split(", "):
            assert has_same_stem(*pair.split()) is is_same, pair


@pytest.mark.parametrize(
    ("question", "said"),
    [("who is hurt right now", []), ("who kicks with the right one", ["right"])],
)
async def test_no_foot_is_right_right_now(question: str, said: list[str]) -> None:
    foot = StoredValue("Person", "foot", "right")
    mentions = await link_values(question, Office(foot))
    assert [m.text for m in mentions if m.best.target == foot] == said
