"""What a question asks of its answers that paths cannot say."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from question_forms import make_form
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.options import RenderingOptions
from trellis.automata.cypher.reading.queries import read_query
from trellis.domain.graphs.facts import Fact
from trellis.domain.graphs.graph import Node, Triple
from trellis.domain.graphs.links import Link, Mention
from trellis.domain.graphs.schema import LabelKind, PropertyKind, RelationshipKind, Schema
from trellis.steps.align.unshown_properties import (
    find_unread_properties,
    find_unshown_nouns,
    find_unshown_properties,
    note_unshown,
)
from trellis.steps.link.vocabulary.property_nouns import find_counting_places

CITY = ("name", "population", "bloodGroup", "capital", "mayor")
CITIES = Schema(
    (
        LabelKind("City", 3, "name", tuple(PropertyKind(name, "STRING") for name in CITY)),
        LabelKind("Mayor", 3, "name", (PropertyKind("name", "STRING"),)),
    ),
    (RelationshipKind("HAS_CAPITAL", "City", "City", 1),),
    6,
    1,
    "",
)


PLACES = Schema(
    tuple(
        LabelKind(label, 3, "name", (PropertyKind("name", "STRING"),))
        for label in ("City", "Country", "Mayor")
    ),
    (
        RelationshipKind("BORDERS", "Country", "City", 1),
        RelationshipKind("HAS_CAPITAL", "Country", "City", 1),
        RelationshipKind("HAS_MAYOR", "City", "Mayor", 1),
    ),
    9,
    3,
    "",
)


@pytest.mark.parametrize(
    ("question", "unshown"),
    [
        ("List the cities of Peru with their Population", ("Population",)),
        ("List all populations and the blood group of each", ("blood group", "populations")),
        ("What is the capital of Peru?", ()),
        ("Who is the mayor of the city of this name?", ()),
        ("Populations", ("Populations",)),
        ("", ()),
    ],
)
def test_nouns_of_properties_alone_are_unshown(question: str, unshown: tuple[str, ...]) -> None:
    assert find_unshown_properties(make_form(question, (), CITIES)) == unshown


def test_a_name_asks_for_nothing() -> None:
    question = "Where is Population?"
    named = Mention(9, 19, "Population", (Link(Node("1", "Population"), 1.0, "exact"),))
    assert find_unshown_properties(make_form(question, (named,), CITIES)) == ()


RIVERS = Schema(
    (
        LabelKind(
            "River",
            3,
            "name",
            (
                PropertyKind("name", "STRING"),
                PropertyKind("length_km", "INTEGER"),
                PropertyKind("depth", "INTEGER"),
            ),
        ),
    ),
    (),
    3,
    0,
    "",
)


@pytest.mark.parametrize(
    ("question", "cypher", "unread"),
    [
        ("What are the length and depth of the rivers?", "RETURN n.depth", ("length",)),
        ("What are the length and depth of the rivers?", "RETURN n.depth, n.length_km", ()),
        ("Lengths of the rivers", "RETURN n.length_km", ()),
        ("Rivers by depth", "RETURN n ORDER BY n.depth", ()),
        ("Rivers of some depth", "WHERE n.depth IS NOT NULL RETURN n", ()),
        ("All rivers and their depths", "RETURN n", ("depths",)),
    ],
)
def test_properties_of_which_a_query_says_nothing_are_unread(
    question: str, cypher: str, unread: tuple[str, ...]
) -> None:
    graph = read_query(CypherLanguage(RIVERS, (), RenderingOptions()), f"MATCH (n:River) {cypher}")
    assert find_unread_properties(make_form(question, (), RIVERS), graph) == unread


def test_a_query_that_cannot_be_read_leaves_nothing_out() -> None:
    assert find_unread_properties(make_form("All depths", (), RIVERS), None) == ()


SHOWS = Schema(
    tuple(
        LabelKind(label, 3, "title", (PropertyKind("title", "STRING"),))
        for label in ("Artwork", "Exhibition")
    ),
    (RelationshipKind("SHOWN_IN", "Artwork", "Exhibition", 3),),
    6,
    3,
    "",
    relationship_properties={"SHOWN_IN": (PropertyKind("room", "STRING"),)},
)


@pytest.mark.parametrize(
    ("question", "cypher", "unread"),
    [
        ("In which room was it shown?", "RETURN e", ("room",)),
        ("In which room was it shown?", "RETURN r.room", ()),
        ("Which exhibitions have a room for it?", "RETURN e", ()),  # asks for exhibitions
    ],
)
def test_a_property_of_a_relationship_that_is_asked_for_is_unread_where_it_is_not_given(
    question: str, cypher: str, unread: tuple[str, ...]
) -> None:
    text = f"MATCH (:Artwork)-[r:SHOWN_IN]->(e:Exhibition) {cypher}"
    graph = read_query(CypherLanguage(SHOWS, (), RenderingOptions()), text)
    assert find_unread_properties(make_form(question, (), SHOWS), graph) == unread


LIMA, PERU = Node("1", "Lima", ("City",)), Node("2", "Peru", ("Country",))
IN_PERU = (Fact.of_triples([Triple(PERU, "BORDERS", LIMA)]),)


@pytest.mark.parametrize(
    ("question", "facts", "unshown"),
    [
        ("List each city of Peru with its capital and mayor", IN_PERU, {"capital", "mayor"}),
        ("List each city of Peru", IN_PERU, set()),
        ("List each city of Peru with its mayor", (), set()),  # nothing is shown, nothing left out
    ],
)
def test_nouns_of_other_relations_and_kinds_than_the_answers_have_are_unshown(
    question: str, facts: Sequence[Fact], unshown: set[str]
) -> None:
    assert set(find_unshown_nouns(make_form(question, (), PLACES), facts)) == unshown


def test_a_note_says_what_is_left_out() -> None:
    assert note_unshown(()) == ""
    assert note_unshown(("area", "population")) == (
        "the question asks for more, which is left out here: “area” and “population”"
    )


@pytest.mark.parametrize(
    ("name", "type_", "noun"),
    [
        ("file_count", "INTEGER", "files"),
        ("numFiles", "INTEGER", "files"),
        ("number_of_entries", "INTEGER", "entries"),
        ("pages", "FLOAT", "pages"),
        ("page_no", "INTEGER", ""),  # which page it is
        ("file_count", "STRING", ""),
        ("author_count", "INTEGER", ""),  # authors are nodes, and counted
        ("link_count", "INTEGER", ""),  # a word of a relation
    ],
)
def test_properties_that_hold_a_number_are_called_by_what_they_count(
    name: str, type_: str, noun: str
) -> None:
    labels = (
        LabelKind("Package", 1, "name", (PropertyKind(name, type_),)),
        LabelKind("Author", 1, "name", ()),
    )
    relations = (RelationshipKind("HAS_LINK", "Package", "Package", 1),)
    places = find_counting_places(Schema(labels, relations, 2, 1, ""), {"author", "package"})
    assert dict(places) == ({noun: {("Package", name)}} if noun else {})
