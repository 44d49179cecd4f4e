"""What is done in events is said by verbs: what Ann ordered, who called it."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from small_schemas import build_properties, build_schema
from trellis.domain.graphs.graph import Step
from trellis.domain.graphs.schema import Schema
from trellis.lexicon.phrasebook import Phrasebook
from trellis.lexicon.relations.event_verbs import find_events
from trellis.training.synthesis.operators.kinds.events import ask_event
from trellis.training.synthesis.operators.parts.drawing import Drawing
from trellis.training.synthesis.operators.parts.topics import QuestionDraft
from trellis.training.synthesis.path_questions import compose_examples
from trellis.training.synthesis.walks import SampledPath


def make_schema(*relations: str) -> Schema:
    """A schema of these relations, and of the labels at their ends."""
    labels = sorted({label for relation in relations for label in relation.split()[::2]})
    return build_schema(" ".join(labels), *relations)


SHOP = make_schema("Customer PLACED Order", "Order CONTAINS Product", "Order SENT_TO Place")
CALLS = make_schema("PhoneCall CALLER Phone", "PhoneCall CALLED Phone")


def add_properties(schema: Schema, owner: str, properties: str) -> Schema:
    """The schema in which a label has more properties."""
    added = build_properties(properties)
    labels = tuple(
        replace(label, properties=(*label.properties, *added)) if label.label == owner else label
        for label in schema.labels
    )
    return replace(schema, labels=labels, fingerprint=f"{schema.fingerprint} {properties}")


def draw_events(schema: Schema, count: int) -> list[QuestionDraft]:
    drawing = Drawing.begin(schema, Phrasebook.of_schema(schema), 1)
    return [draft for _ in range(count) if (draft := ask_event(drawing.clear_topics()))]


@pytest.fixture(scope="module")
def orders() -> list[QuestionDraft]:
    """What may be asked of the shop's orders."""
    return draw_events(SHOP, 6_000)


@pytest.mark.parametrize(
    ("schema", "agent", "patient", "first"),
    [
        (SHOP, "Customer", "Product", "order"),
        (CALLS, "Phone", "Phone", "call"),
        (make_schema("X buyer Firm", "X bought Part"), "Firm", "Part", "buy"),
        (make_schema("Rental BY Person", "Rental OF Car"), "Person", "Car", "rent"),
        (make_schema("Firm PLACED Order", "Order CONTAINS Part"), "", "", ""),
        (make_schema("Person LIKES Order", "Order CONTAINS Part"), "", "", ""),
        (make_schema("Person PLACED Order", "Order NEAR Part"), "", "", ""),
    ],
)
def test_events_are_found_by_names(schema: Schema, agent: str, patient: str, first: str) -> None:
    found = find_events(schema)
    said = [(each.agent.label, each.patient.label, each.verbs[0].base) for each in found]
    assert said == ([(agent, patient, first)] if first else [])


def test_forms_of_verbs_are_those_that_people_say() -> None:
    [order] = find_events(SHOP)
    phrases = [order.say_ends(verb, True, ("product",), asks_person=False) for verb in order.verbs]
    asks = {ask for each in phrases for ask in each.asks}
    assert {"what did {} buy", "what has {} bought", "what was ordered by {}"} <= asks
    who = order.say_ends(order.verbs[0], False, ("customer",), asks_person=True)
    assert (who.wh, "who ordered {}" in who.asks) == ("who", True)
    assert "customers that ordered {}" in who.clauses


def test_things_do_things_too() -> None:
    [call] = find_events(CALLS)
    rung = next(verb for verb in call.verbs if verb.base == "ring")
    asks = call.say_ends(rung, False, ("phone",), asks_person=False).asks
    assert "from what was {} rung" in asks
    assert not any(ask.startswith("who") for ask in asks)


def test_who_has_a_phone_calls_by_it() -> None:
    calls = ("PhoneCall CALLER Phone", "PhoneCall CALLED Phone")
    schema = make_schema(*calls, "Person HAS_PHONE Phone", "Person STOLE Phone")
    drafts = draw_events(schema, 200)
    owned = [d for d in drafts if "(n:`Person`)-[:`HAS_PHONE`]->(:`Phone`)" in d.cypher]
    assert any("who" in d.text for d in owned)
    assert any("<-[:`HAS_PHONE`]-(:`Person`" in d.cypher for d in drafts)
    assert not any("(n:`Person`)-[:`STOLE`]" in d.cypher for d in drafts)


def test_paths_over_an_event_are_asked_by_its_verb() -> None:
    events = find_events(SHOP)
    steps = (Step("PLACED"), Step("CONTAINS"))
    back = (Step("CONTAINS", reversed=True), Step("PLACED", reversed=True))
    paths = [
        SampledPath(steps, ("Order", "Product"), 9, "Customer"),
        SampledPath(back, ("Order", "Customer"), 9, "Product"),
    ]
    book = Phrasebook.of_schema(SHOP)
    made = compose_examples(paths, book, 200, 1, events=events)
    bought = [each for each in made if "bought" in each.question or "buy" in each.question]
    assert 20 < len(bought) < 150
    plain = compose_examples(paths, book, 200, 1)
    assert not [each for each in plain if "bought" in each.question]


def test_when_something_was_ordered_is_when_the_order_was_placed() -> None:
    schema = add_properties(SHOP, "Order", "placed:DATE shipped:DATE due_date:DATE")
    dated = [d.cypher for d in draw_events(schema, 300) if "WHERE e." in d.cypher]
    assert len(dated) > 20
    assert all("e.`placed`" in cypher for cypher in dated)


def test_how_often_something_was_done_counts_events(orders: list[QuestionDraft]) -> None:
    often = [d for d in orders if "how often" in d.text or "how many times" in d.text]
    assert len(often) > 10
    assert all(d.cypher.startswith("MATCH (n:`Order`)") for d in often)
    assert all(d.cypher.endswith("RETURN count(DISTINCT n)") for d in often)
    assert any("t1" in d.text for d in often)


def test_two_who_did_the_same_did_so_in_events_of_their_own(orders: list[QuestionDraft]) -> None:
    both = [d for d in orders if " both " in d.text]
    assert any(re.match("what (did|have) t0 and t1 both", d.text) for d in both)
    assert all(d.cypher.count(":`Order`") == 2 and "(e:" not in d.cypher for d in both)


def test_what_one_bought_and_another_did_not_has_no_order_of_hers(
    orders: list[QuestionDraft],
) -> None:
    denied = [d for d in orders if "NOT EXISTS" in d.cypher and "t1" in d.text]
    assert len(denied) > 10
    assert all("not" in d.text or "never" in d.text or "without" in d.text for d in denied)


def test_nobody_has_to_name_the_kind_of_what_was_never_ordered(orders: list[QuestionDraft]) -> None:
    never = {d.text: d.cypher for d in orders if "NOT EXISTS" in d.cypher}
    assert "(n)<-[:`CONTAINS`]-(" in never["what was never ordered"]
    assert "(n)-[:`PLACED`]->(" in never["who never bought anything"]


def test_who_is_called_may_be_told_by_another_call() -> None:
    drafts = draw_events(add_properties(CALLS, "PhoneCall", "call_date"), 400)
    twice = [d for d in drafts if "(o:`PhoneCall` WHERE o.`call_date` = 't0')" in d.cypher]
    assert len(twice) > 10
    assert all("called on t0" in d.text for d in twice)
