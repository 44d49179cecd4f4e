"""Which sentences about an answer are kept: those that say nothing but what is known."""

from __future__ import annotations

import pytest

from trellis.domain.graphs.facts import Fact
from trellis.domain.graphs.graph import Node, Step, Walk
from trellis.domain.replies.reply import Answer
from trellis.steps.conclude.check_wording import find_wording_fault

KENYA, TANZANIA, OXFORD = (
    Node("k", "Kenya"),
    Node("t", "Tanzania"),
    Node("o", "University of Oxford"),
)
LAKE = Node("v", "Lake Victoria")
FACTS = (
    Fact.of_walk(Walk((LAKE, KENYA), (Step("LIES_IN"),))),
    Fact.of_walk(Walk((LAKE, TANZANIA), (Step("LIES_IN"),))),
    Fact.of_value(LAKE, "area", 59947),
    Fact.of_value(LAKE, "discovered", "1858-08-03"),
)
ASKED = "Which countries does Lake Victoria lie in?"
COUNTRIES = (Answer(KENYA, 0.9, (0,)), Answer(TANZANIA, 0.9, (1,)))


@pytest.mark.parametrize(
    "sentence",
    [
        "Lake Victoria lies in Kenya and Tanzania.",
        "In Kenya and Tanzania lies Lake Victoria.",
        "The countries are Tanzania, Kenya.",
        "Kenya's and Tanzania's lake is Victoria.",
        "Lake Victoria lies in two countries.",
        "Lake Victoria, with an area of 59,947, lies in Kenya and Tanzania.",
        "Lake Victoria, discovered on 3 August 1858, lies in Kenya and Tanzania.",
        "Lake Victoria, discovered 1858-08-03, lies in Kenya and Tanzania.",
        "",
    ],
)
def test_a_sentence_of_what_is_known_is_kept(sentence: str) -> None:
    assert find_wording_fault(sentence, ASKED, COUNTRIES, FACTS) == ""


@pytest.mark.parametrize(
    ("sentence", "fault"),
    [
        ("Lake Victoria lies in Kenya.", "it leaves out Tanzania"),
        ("Lake Victoria lies in Kenya, Tanzania and Uganda.", "nothing cited names Uganda"),
        ("Victoria Kenya Lake lies in two countries.", "nothing cited names Victoria Kenya Lake"),
        ("Lake Kenya lies in Kenya and Tanzania.", "nothing cited names Lake Kenya"),
        ("Lake Victoria lies in five countries.", "nothing says five"),
        ("Kenya and Tanzania have 59,948 lakes.", "nothing says 59,948"),
        ("Kenya and Tanzania have 60 thousand lakes.", "nothing says 60 thousand"),
        ("Discovered on 3 May 1858 in Kenya and Tanzania.", "nothing cited names May"),
        ("Lake Victoria does not lie in Kenya and Tanzania.", "it denies what was found"),
        ("Lake Victoria doesn't lie in Kenya or Tanzania.", "it denies what was found"),
        ("No countries: Kenya, Tanzania.", "it denies what was found"),
        ("K2 lies in Kenya and Tanzania.", "nothing cited names K2"),
        ("Kenya.\nTanzania.", "it is no sentence"),
        ("Kenya and Tanzania " * 99, "it is no sentence"),
    ],
)
def test_a_sentence_of_something_else_is_dropped(sentence: str, fault: str) -> None:
    assert find_wording_fault(sentence, ASKED, COUNTRIES, FACTS) == fault


def test_a_name_that_is_written_small_is_a_name_where_the_graph_has_it() -> None:
    malaria, quinine, aspirin = (Node(name, name) for name in ("malaria", "quinine", "aspirin"))
    cited = Fact.of_walk(Walk((quinine, malaria), (Step("TREATS"),)))
    other = Fact.of_walk(Walk((aspirin, malaria), (Step("HELPS"),)))
    answers = (Answer(quinine, 0.9, (0,)),)
    asked = "What treats malaria?", answers, [cited], [cited, other]
    assert find_wording_fault("It is quinine that treats malaria.", *asked) == ""
    fault = find_wording_fault("It is quinine and aspirin that treat malaria.", *asked)
    assert fault == "nothing cited names aspirin"


def test_a_name_is_not_put_together_from_two_others() -> None:
    paris, city = Node("p", "Paris"), Node("c", "Oxford")
    cited = Fact.of_walk(Walk((OXFORD, city), (Step("NEAR"),)))
    answers = (Answer(paris, 0.9), Answer(city, 0.9))
    said = "It is University of Paris, and Oxford."
    fault = find_wording_fault(said, "Where?", answers, [cited])
    assert fault == "nothing cited names University of Paris"


@pytest.mark.parametrize(
    ("sentence", "answer"),
    [
        ("There are 12 countries.", "12"),
        ("There are twelve countries.", "12"),
        ("It is 1,234,567 long.", "1234567"),
        ("It is 2.5 long.", "2.50"),
        ("Lake Victoria was found on 3 August 1858.", "1858-08-03"),
        ("No, it is not one of them.", "no"),
        ("Yes, it is.", "yes"),
    ],
)
def test_a_value_is_said_in_whatever_form(sentence: str, answer: str) -> None:
    assert find_wording_fault(sentence, ASKED, (Answer(Node("", answer), 1.0),), ()) == ""


@pytest.mark.parametrize(
    ("sentence", "answer"),
    [("There are 13 countries.", "12"), ("No, it does not.", "yes"), ("Yes, it does.", "no")],
)
def test_another_value_than_the_one_found_is_dropped(sentence: str, answer: str) -> None:
    assert find_wording_fault(sentence, ASKED, (Answer(Node("", answer), 1.0),), ())
