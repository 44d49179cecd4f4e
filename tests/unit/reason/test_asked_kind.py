"""What sort of node a question asks for by name, and what that makes of what paths reach."""

from __future__ import annotations

import pytest

from question_forms import make_form
from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.links import Link, Mention
from trellis.domain.graphs.schema import LabelKind, Schema
from trellis.domain.replies.reply import Finding, GroundedNode
from trellis.lexicon.plurals import is_plural, make_plural
from trellis.steps.align.answer_types.asked_kind import explain_other_kind, keep_asked_kind

LABELS = ("Customer", "Product", "Category", "Country", "Supplier", "SalesOrder")
SCHEMA = Schema(tuple(LabelKind(label, 1, "name") for label in LABELS), (), 1, 1, "")


def mention(question: str, name: str) -> Mention:
    start = question.index(name)
    return Mention(start, start + len(name), name, (Link(Node("1", name), 1.0, "exact"),))


@pytest.mark.parametrize(
    ("question", "label"),
    [
        ("Which suppliers are from Italy?", "Supplier"),
        ("In which country is Maison Duval based?", "Country"),
        ("Which gold customers live in Paris?", "Customer"),
        ("how many products does Ann sell", "Product"),
        ("Which supplier delivers to Ann?", ""),  # a noun may follow: `which country codes`
        ("Which customer ordered the kite?", "Customer"),
        ("Which supplier selling kites is it?", "Supplier"),
        ("List all categories.", "Category"),
        ("Name the sales orders of Ann", "SalesOrder"),
        ("What are the countries around Austria?", "Country"),
        ("What country code does France have?", ""),
        ("Where does Ann live?", ""),
        ("What did the customer buy?", ""),
    ],
)
def test_the_label_that_is_asked_for(question: str, label: str) -> None:
    assert make_form(question, (), SCHEMA).asked_kind.labels == ({label} if label else set())


def test_a_name_is_no_kind() -> None:
    question = "Which Country Road songs are long?"
    assert make_form(question, [mention(question, "Country Road")], SCHEMA).asked_kind.is_open()


def test_a_historical_state_is_a_state_too() -> None:
    labels = ("Country", "HistoricalState", "PostCode")
    schema = Schema(tuple(LabelKind(each, 1, "name") for each in labels), (), 1, 1, "")
    assert make_form("Which state was it?", (), schema).asked_kind.labels == {*labels[:2]}
    assert make_form("Which code is it?", (), schema).asked_kind.labels == set()


def test_behind_a_name_only_its_own_noun_is_asked_for() -> None:
    for question, labels in (
        ("Which Acmes supplied products?", set()),  # asks for Acmes
        ("Which Acme products are there?", {"Product"}),
    ):
        assert make_form(question, [mention(question, "Acme")], SCHEMA).asked_kind.labels == labels


def test_who_is_a_person_or_what_people_make_up() -> None:
    asked = make_form("Who bought the kite?", (), SCHEMA).asked_kind
    fitting = [label for label in LABELS if asked.fits(Node("1", "x", (label,)))]
    assert fitting == ["Customer", "Country", "Supplier"]
    assert asked.fits(Node("1", "x", ("Entity",)))


@pytest.mark.parametrize(
    "asking", ["By whom was", "Whom thanks", "and with whom goes", "WHO bought"]
)
def test_whom_asks_for_a_person_too(asking: str) -> None:
    assert make_form(f"{asking} the kite?", (), SCHEMA).asked_kind.wh == "who"


def test_where_is_nobody() -> None:
    asked = make_form("Where was the kite made?", (), SCHEMA).asked_kind
    assert not asked.fits(Node("1", "x", ("Customer",)))
    assert all(asked.fits(Node("1", "x", (label,))) for label in ("Country", "Supplier", "Entity"))


def test_where_is_a_place_over_a_graph_that_has_some() -> None:
    asked = make_form("Where is the shop based?", (), SCHEMA).asked_kind
    fitting = [label for label in LABELS if asked.fits(Node("1", "x", (label,)))]
    assert fitting == ["Country", "Supplier"]  # and what people make up
    schema = Schema(
        tuple(LabelKind(label, 1, "name") for label in ("Shelfmark", "Box")), (), 1, 1, ""
    )
    without = make_form("Where is the letter kept?", (), schema).asked_kind
    assert without.fits(Node("1", "x", ("Box",)))


def test_who_may_be_anybody_where_no_label_is_of_persons() -> None:
    schema = Schema((LabelKind("Product", 1, "name"),), (), 1, 1, "")
    assert make_form("Who made the kite?", (), schema).asked_kind.is_open()


@pytest.mark.parametrize("asking", ["When was it", "What year was it", "In which year was it"])
@pytest.mark.parametrize(("name", "fits"), [("1993", True), ("May 3, 1990", True), ("O-50", False)])
def test_when_is_a_date(asking: str, name: str, fits: bool) -> None:
    assert make_form(f"{asking} released?", (), SCHEMA).asked_kind.fits(Node("1", name)) is fits


@pytest.mark.parametrize(
    ("reached", "kept"),
    [
        (["Product", "Country"], ["Product"]),
        (["Country"], ["Country"]),  # held back later, with a reason
        ([], []),
    ],
)
def test_nodes_of_other_kinds_are_left_out_where_some_are_of_the_kind(
    reached: list[str], kept: list[str]
) -> None:
    nodes = [Node(f"4:{label}", label, (label,)) for label in reached]
    assert keep_names("Which products did Ann buy?", nodes) == kept


@pytest.mark.parametrize(
    ("question", "kept"),
    [
        ("What did Ann place?", ["Kite"]),
        ("Which sales orders did Ann place?", ["4:order"]),
        ("How many did Ann place?", ["4:order", "Kite"]),
    ],
)
def test_a_node_without_a_name_is_asked_for_by_its_label_or_counted(
    question: str, kept: list[str]
) -> None:
    nodes = [Node("4:order", "4:order", ("SalesOrder",)), Node("4:kite", "Kite", ("Product",))]
    assert keep_names(question, nodes) == kept


def keep_names(question: str, nodes: list[Node]) -> list[str]:
    """The names of what is left of a finding."""
    finding = Finding("", 0.9, tuple(GroundedNode(node, ()) for node in nodes))
    [kept] = keep_asked_kind(make_form(question, (), SCHEMA), [finding])
    assert kept.probability == 0.9
    return [it.node.name for it in kept.nodes]


@pytest.mark.parametrize(
    ("one", "many"), [("category", "categories"), ("bus", "buses"), ("sales order", "sales orders")]
)
def test_plurals(one: str, many: str) -> None:
    assert make_plural(one) == many
    assert (is_plural(one), is_plural(many)) == (False, True)


def test_who_may_be_of_many_professions() -> None:
    labels = ("Professor", "Nurse", "Pilot", "Lake")
    schema = Schema(tuple(LabelKind(each, 1, "name") for each in labels), (), 1, 1, "")
    asked = make_form("Who is it?", (), schema).asked_kind
    assert [each for each in labels if asked.fits(Node("1", "x", (each,)))] == list(labels[:3])


@pytest.mark.parametrize(
    ("question", "label", "is_held"),
    [
        ("Which suppliers are from Italy?", "Product", True),
        ("Which suppliers are from Italy?", "Supplier", False),
        ("Who is from Italy?", "Product", False),  # no label is named
    ],
)
def test_what_is_of_another_kind_than_the_one_named_is_held_back(
    question: str, label: str, is_held: bool
) -> None:
    form = make_form(question, (), SCHEMA)
    reason = explain_other_kind(form, [Node("1", "Ann", (label,))], "from Italy")
    asked = "the question asks for Supplier, and what was found is none: from Italy"
    assert reason == (asked if is_held else "")
    assert not explain_other_kind(form, (), "")
