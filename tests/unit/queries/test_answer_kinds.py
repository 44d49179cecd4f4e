"""Queries that give another kind of thing than the question asks for are hardly believed."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from question_forms import make_form
from trellis.domain.graphs.links import Link, Mention, StoredValue
from trellis.domain.graphs.schema import LabelKind, PropertyKind, RelationshipKind, Schema
from trellis.domain.models.decoding import Sentence
from trellis.domain.structures.cypher import CypherQuery
from trellis.steps.align.queries.answer_kinds import explain_other_answer, reweigh_kinds
from trellis.steps.describe.queries.read_meaning import read_meaning

CUSTOMER = LabelKind(
    "Customer",
    9,
    "name",
    (PropertyKind("name", "STRING"), PropertyKind("tier", "STRING", values=("gold",))),
)
ORDER = LabelKind(
    "Order",
    9,
    "number",
    (
        PropertyKind("placed", "DATE"),
        PropertyKind("total", "FLOAT"),
        PropertyKind("minutes", "INTEGER", examples=(90, 150)),
    ),
)
CAR = LabelKind(
    "Car",
    9,
    None,
    (
        PropertyKind("year", "STRING", examples=("1964", "2003")),
        PropertyKind("price", "STRING", examples=("£1,200", "900 GBP")),
        PropertyKind("sold", "STRING", examples=("1/08/2017",)),
        PropertyKind("code", "STRING", examples=("2dec74f10fd1", "34f16237cac3", "1/08")),
    ),
)
SHOP = Schema(
    (CUSTOMER, ORDER, CAR), (RelationshipKind("PLACED", "Customer", "Order", 9),), 18, 9, "shop"
)


def is_doubted(question: str, query: str, **params: object) -> bool:
    asked = CypherQuery(query, params)  # type: ignore[arg-type]
    [sentence] = reweigh_kinds(make_form(question, (), SHOP), [Sentence("", (), (asked,), 0.0, 1)])
    assert sentence.score == 0 or sentence.score < math.log(0.1)
    return sentence.score < 0


@pytest.mark.parametrize(
    ("question", "query", "is_held"),
    [
        ("Which customers are there?", "MATCH (n:Order) RETURN n.total", True),
        ("Which customers are there?", "MATCH (n:Customer) RETURN n.tier", False),
        ("Who is it?", "MATCH (n:Order) RETURN n", False),  # labels may not tell agents
        ("How old is the car?", "MATCH (n:Car) RETURN n.year", True),
        ("Where is the order?", "MATCH (n:Order) RETURN n.total", True),
        ("Where is the car?", "MATCH (n:Car) RETURN n.code", False),
    ],
)
def test_what_gives_another_kind_of_thing_is_held_back(
    question: str, query: str, *, is_held: bool
) -> None:
    meaning = read_meaning(CypherQuery(query))
    reason = explain_other_answer(make_form(question, (), SHOP), meaning, "what was found")
    assert bool(reason) is is_held


PLACED = "MATCH (n:Customer)-[:PLACED]->(:Order)<-[:PLACED]-(o:Customer {%s: $v}) RETURN n"


@pytest.mark.parametrize(("property_name", "is_other"), [("tier", True), ("name", False)])
def test_what_is_said_of_others_that_nobody_names_was_not_asked(
    property_name: str, *, is_other: bool
) -> None:
    query = PLACED % property_name
    assert is_doubted("Which customers are gold?", query, v="gold") is is_other


NAMES = ("order_date", "total", "duration")
DATED = replace(
    SHOP,
    labels=(
        CUSTOMER,
        replace(ORDER, properties=tuple(PropertyKind(n, "INTEGER") for n in NAMES)),
    ),
    fingerprint="dated",
)

CUSTOMERS = "MATCH (n:Customer)-[:PLACED]->(m:Order) RETURN DISTINCT n"
ORDERS = "MATCH (n:Customer)-[:PLACED]->(m:Order) RETURN DISTINCT m"
COUNTED = "MATCH (n:Customer)-[:PLACED]->(m:Order) RETURN count(n)"
FIVE = "MATCH (n:Customer) WHERE COUNT { MATCH (n)-[:PLACED]->(m:Order) } = 5 RETURN n"
LATEST = "MATCH (n:Order) RETURN n ORDER BY n.placed DESC LIMIT 1"
EARLIEST = "MATCH (n:Order) RETURN n ORDER BY n.placed LIMIT 1"


@pytest.mark.parametrize(
    ("query", "doubted"),
    [
        ("MATCH (n:Customer)-[:PLACED]->(:Order)<-[r:PLACED]-(:Customer) %s RETURN n", True),
        ("MATCH (n:Customer)-[r:PLACED]->(:Order)<-[:PLACED]-(:Customer) %s RETURN n", False),
        ("MATCH (n:Customer)-[r:PLACED]->(:Order) %s RETURN n", False),
    ],
)
def test_what_is_said_of_a_relationship_of_others_is_not_said_of_ones_own(
    query: str, *, doubted: bool
) -> None:
    schema = replace(
        SHOP,
        relationship_properties={"PLACED": (PropertyKind("year", "INTEGER"),)},
        fingerprint="placed in years",
    )
    asked = CypherQuery(query % "WHERE r.year = 2018", {})
    form = make_form("Which customers placed an order in 2018?", (), schema)
    [sentence] = reweigh_kinds(form, [Sentence("", (), (asked,), 0.0, 1)])
    assert (sentence.score < 0) is doubted


@pytest.mark.parametrize(
    ("question", "fitting", "other"),
    [
        ("Which customers placed an order?", CUSTOMERS, ORDERS),
        ("Who ordered?", CUSTOMERS, "MATCH (n)<-[:PLACED]-(m:Customer) RETURN n"),
        ("Who ordered?", "MATCH (n)-[:PLACED]->(m:Order) RETURN n", ORDERS),
        ("How many customers placed an order?", COUNTED, COUNTED.replace("count(n)", "count(m)")),
        ("What is the number of customers?", COUNTED, COUNTED.replace("count(n)", "count(m)")),
        ("How many places ordered customers?", COUNTED.replace("count(n)", "count(m)"), LATEST),
        ("What did the first order cost?", EARLIEST, ORDERS),
        ("Show me the most recent order of Ann", LATEST, ORDERS),
        ("Who placed an order?", CUSTOMERS, ORDERS),
        ("Which order came last?", LATEST, ORDERS),
        ("What quantity of orders is there?", "MATCH (n:Order) RETURN count(n)", ORDERS),
        ("I want the total of orders placed", "MATCH (n:Order) RETURN count(n)", ORDERS),
        ("How many minutes did it take?", "MATCH (n:Order) RETURN n.minutes", ORDERS),
        (
            "The order ran: how many minutes did it take?",
            "MATCH (n:Order) RETURN n.minutes",
            "MATCH (n:Order) RETURN count(DISTINCT n)",
        ),
        ("How many orders?", "MATCH (n:Order) RETURN count(n)", "MATCH (n:Order) RETURN n.total"),
        ("When was the order placed?", "MATCH (n:Order) RETURN n.placed", ORDERS),
        ("Where did it come from?", ORDERS, CUSTOMERS),
        ("What year was it placed?", "MATCH (n:Order) RETURN n.placed", ORDERS),
        (
            "In which year was it placed?",
            "MATCH (n:Car) RETURN n.year",
            "MATCH (n:Customer) RETURN n.tier",
        ),
        (
            "List all of Ann's",
            "MATCH (:Customer {name: 'Ann'})-[:PLACED]->(n:Order) RETURN n",
            "MATCH (n:Customer {name: 'Ann'}) RETURN n",
        ),
        (
            "What sort of customers are gold?",
            "MATCH (n:Customer {tier: 'gold'}) RETURN n",
            "MATCH (n:Customer {tier: 'gold'}) RETURN n.tier",
        ),
        ("We sell a lot: which orders are late?", ORDERS, CUSTOMERS),
        (
            "How many orders are there?",
            "MATCH (n:Order) RETURN count(n)",
            "MATCH (n:Car) RETURN n.year",
        ),
        (
            "How much orders did she place?",
            "MATCH (n:Order) RETURN count(n)",
            "MATCH (n:Order) RETURN n.total",
        ),
        ("How much is it?", "MATCH (n:Car) RETURN n.price", "MATCH (n:Car) RETURN n.code"),
        ("How much is it?", "MATCH (n:Car) RETURN n.price", "MATCH (n:Car) RETURN n.year"),
        ("When was it?", "MATCH (n:Car) RETURN n.sold", "MATCH (n:Customer) RETURN n.tier"),
        (
            "How much did the customer spend?",
            "MATCH (:Customer)-[:PLACED]->(n:Order) RETURN sum(n.total)",
            "MATCH (n:Customer) RETURN n.tier",
        ),
    ],
)
def test_what_gives_another_kind_is_doubted(question: str, fitting: str, other: str) -> None:
    params = {"v0": "2025-05-02" if "date(" in fitting else 5} if "$v0" in fitting else {}
    assert not is_doubted(question, fitting, **params)
    assert is_doubted(question, other, **params)


@pytest.mark.parametrize(
    ("question", "query"),
    [
        ("How many customers placed an order?", "MATCH (n:Customer) RETURN count(DISTINCT n)"),
        ("Which customers are there?", "MATCH (n) RETURN n"),
        ("Did who placed it pay?", "MATCH (n:Order) RETURN count(*) > 0"),
        ("Which orders did not cost more than 5?", "MATCH (n:Order) WHERE n.total <= 5 RETURN n"),
        ("Which customers placed exactly 5 orders?", FIVE),
        ("Which orders did they want first?", ORDERS),
        (
            "Which orders are larger than those of Ann?",
            "MATCH (n:Order), (m:Order)<-[:PLACED]-(:Customer {name: 'Ann'})"
            " WHERE m.total < n.total RETURN n",
        ),
        (
            "Which orders over 5 are under investigation?",
            "MATCH (n:Order) WHERE n.total > 5 RETURN n",
        ),
        ("Which customers have a number of orders of 5?", FIVE),
        ("Tell me about the customers", ORDERS),
        ("Which order number is the first or last?", LATEST),
        ("Who placed it?", "CALL db.labels()"),
        ("Who is older, Ann or Ben?", "MATCH (n:Customer) WHERE n.name IN ['Ann', 'Ben'] RETURN n"),
        ("Where is the customer from?", "MATCH (n:Customer) RETURN n.tier"),
        ("Which took over 10 minutes?", "MATCH (n:Order) WHERE n.minutes > 10 RETURN n"),
        (
            "Which orders did Ann place besides those of Ben?",
            "MATCH (:Customer {name: 'Ann'})-[:PLACED]->(n:Order) RETURN n",
        ),
        ("Which customers named Ann are there?", "MATCH (n:Customer {name: 'Ann'}) RETURN n"),
        ("Everybody called Ann", "MATCH (n:Customer {name: 'Ann'}) RETURN n"),
        ("Which tier is Ann?", "MATCH (n:Customer {name: 'Ann'}) RETURN n.tier"),
    ],
)
def test_what_may_be_meant_is_not_doubted(question: str, query: str) -> None:
    assert not is_doubted(question, query)


@pytest.mark.parametrize(
    ("query", "doubted"),
    [
        ("MATCH (n:Order) WHERE n.total IS NULL RETURN n ORDER BY n.total DESC LIMIT 1", True),
        ("MATCH (n:Order) WHERE n.total IS NOT NULL RETURN n ORDER BY n.total DESC LIMIT 1", False),
        ("MATCH (n:Order) WHERE n.total IS NULL RETURN n", False),
        ("MATCH (n:Order) WHERE n.total > 5 AND n.total IS NULL RETURN n", True),
        ("MATCH (n:Order) WHERE n.total > 5 AND n.placed IS NULL RETURN n", False),
    ],
)
def test_what_lacks_a_property_is_not_the_first_by_it(query: str, *, doubted: bool) -> None:
    assert is_doubted("The order of the highest total", query) is doubted


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("On which dates were orders placed?", "order_date"),
        ("Orders of Ann, on which dates", "order_date"),
        ("I am trying to find the dates of all those orders", "order_date"),
        ("order 7 - total?", "total"),
        ("total for all orders", "total"),
        ("I know Ann. What durations do her orders have?", "duration"),
        ("Is there a total for Ann's orders?", ""),
        ("Which orders have a total of 5?", ""),
        ("What Ann dates are there?", ""),
    ],
)
def test_the_property_that_a_noun_asks_for_is_wanted(question: str, wanted: str) -> None:
    start = question.find("Ann")
    mention = Mention(
        start, start + 3, "Ann", (Link(StoredValue("Customer", "name", "Ann"), 1, "exact"),)
    )
    queries = [ORDERS, *(f"MATCH (m:Order) RETURN m.{each}" for each in NAMES)]
    sentences = [
        Sentence("", (), (CypherQuery(query, {}),), math.log(0.7 if query == ORDERS else 0.1), 1)
        for query in queries
    ]
    best, *_ = reweigh_kinds(make_form(question, (mention,) * (start >= 0), DATED), sentences)
    assert best.values[0].text == (f"MATCH (m:Order) RETURN m.{wanted}" if wanted else ORDERS)


@pytest.mark.parametrize(("node", "wanted"), [(0.6, "m.code"), (0.9, "m")])
def test_nodes_are_meant_at_times_where_what_names_them_is_asked_for(
    node: float, wanted: str
) -> None:
    named = replace(SHOP, labels=(*SHOP.labels[:2], replace(CAR, naming="code")))
    chances = {"m": node, "m.code": 0.15}
    sentences = [
        Sentence("", (), (CypherQuery(f"MATCH (m:Car) RETURN {given}"),), math.log(chance), 1)
        for given, chance in chances.items()
    ]
    best, _ = reweigh_kinds(make_form("What are the codes of cars?", (), named), sentences)
    assert best.values[0].text.endswith(f" {wanted}")


def test_no_property_is_wanted_that_no_query_gives() -> None:
    asked = Sentence("", (), (CypherQuery(ORDERS, {}),), 0.0, 1)
    form = make_form("On which dates were orders placed?", (), DATED)
    assert reweigh_kinds(form, [asked]) == [asked]


def test_what_fits_gains_what_others_lose() -> None:
    pairs = [(ORDERS, 0.9), (CUSTOMERS, 0.05)]
    sentences = [
        Sentence("", (), (CypherQuery(query, {}),), math.log(chance), 1) for query, chance in pairs
    ]
    form = make_form("Which customers placed an order?", (), SHOP)
    first, second = reweigh_kinds(form, sentences)
    assert first.values[0].text == CUSTOMERS
    assert 0.15 < math.exp(first.score) < 0.5
    assert math.exp(second.score) < 0.1


@pytest.mark.parametrize(
    ("question", "returned", "rivals_wins"),
    [
        ("Which customers placed an order?", "c.name", True),
        ("Who placed an order?", "c.name", True),
        ("Can you name everyone with an order?", "c.name", True),
        ("What are the names of customers with an order?", "c.name", False),
        ("Which customers placed an order?", "c.tier", False),
        ("Which customers placed an order?", "count(c)", False),
    ],
)
def test_whoever_asks_for_nodes_wants_them_and_not_their_names(
    question: str, returned: str, *, rivals_wins: bool
) -> None:
    match = "MATCH (c:Customer)-[:PLACED]->(:Order) RETURN"
    queries = [CypherQuery(f"{match} {returned}"), CypherQuery(f"{match} c")]
    written = [
        Sentence(each.text, (), (each,), math.log(chance), 1)
        for each, chance in zip(queries, (0.6, 0.4), strict=True)
    ]
    best = reweigh_kinds(make_form(question, (), SHOP), written)[0].text
    assert best.endswith(" c") or not rivals_wins
