"""Given questions lend each other their openings and conditions."""

from __future__ import annotations

import re
from collections.abc import Sequence

from small_schemas import build_schema
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.options import RenderingOptions
from trellis.automata.cypher.sentences.canonical import follow_moves
from trellis.automata.cypher.words.bound_values import NamedValue
from trellis.domain.graphs.links import StoredValue
from trellis.steps.retrieve.queries.query_prompt import build_masked_query_prompt
from trellis.training.examples import Example
from trellis.training.synthesis.recombining import Recombiner

SCHEMA = build_schema(
    {"Crime": "name date:DATE", "Person": "name", "City": "name"},
    *("Person PARTY_TO Crime", "Person LIVES_IN City"),
    *("Crime IN City", "Crime NEAR City", "Crime OUT City"),
)
NAMED = [NamedValue("v0", StoredValue(kind.label, "name", "x")) for kind in SCHEMA.labels]
LANGUAGE = CypherLanguage(SCHEMA, NAMED)

GIVEN = [
    ("which people live in v0 (city name) ?", " list| person| lives in| city| name| v0"),
    ("which people did v0 (crime name) ?", " list| person| party to| crime| name| v0"),
    ("which people are called v0 (person name) ?", " list| person| name| v0"),
    ("how many crimes involve people called v0 (person name) ?",
     " count| crime| party to| person| name| v0"),
    ("which cities have people called v0 (person name) ?",
     " list| city| lives in| person| name| v0"),
    ("how many crimes were in v0 (city name) ?", " count| crime| in| city| name| v0"),
    ("how many crimes are called v0 (crime name) ?", " count| crime| name| v0"),
    ("list the crimes in v0 (city name) ?", " list| crime| in| city| name| v0"),
    ("list the crimes of v0 (person name) ?", " list| crime| party to| person| name| v0"),
    ("list the crimes called v0 (crime name) ?", " list| crime| name| v0"),
]  # fmt: skip


def given(pairs: Sequence[tuple[str, str]] = GIVEN) -> list[Example]:
    return [
        Example(build_masked_query_prompt(text), tuple(moves.split("|"))) for text, moves in pairs
    ]


def recombining(examples: list[Example], seed: int) -> Recombiner:
    moves = [follow_moves(LANGUAGE, example.segments).moves for example in examples]
    return Recombiner(examples, moves, RenderingOptions(), seed)


def made(count: int = 200, seed: int = 0) -> dict[str, str]:
    found = recombining(given(), seed).draw_examples(count)
    return {example.prompt.question: "".join(example.segments) for example in found}


def test_conditions_of_one_question_tell_a_node_of_another() -> None:
    found = made()
    told = re.compile(r"how many crimes involve people(?: who| that| which|) live in v0 \S+ \S+ \?")
    longer = [text for text in found if told.fullmatch(text)]
    assert longer
    for text in longer:
        assert found[text] == " count crime party to person lives in city name v0"


def test_a_node_told_by_its_relationships_is_given_a_value_too() -> None:
    both = {
        text: query
        for text, query in made(400).items()
        if "city name" in query and " party to person name " in query and " and " not in query
    }
    assert both
    for text, query in both.items():
        assert query.endswith(" crime party to person name v0 lives in city name v1")
        assert re.search(r"people (are )?called v0 \(person name\)", text)


def test_a_node_inside_the_pattern_is_told_by_two_relationships() -> None:
    both = {text: query for text, query in made(800).items() if " and person " in query}
    inner = [
        (t, query) for t, query in both.items() if query.startswith(" list city lives in person")
    ]
    assert inner
    for text, query in inner:
        assert text.startswith("which cities have people")
        first, second = query.removeprefix(" list city lives in person").split(" and person")
        assert first.split()[0] <= second.split()[0]


def test_openings_are_exchanged_where_they_end_in_the_same_noun() -> None:
    new = made()
    listed = {text for text, query in new.items() if query.startswith(" list crime")}
    counted = {text for text, query in new.items() if query.startswith(" count crime")}
    assert all(text.startswith("list the crimes") for text in listed)
    assert all(text.startswith("how many crimes") for text in counted)
    assert listed
    assert counted


def test_nothing_that_was_given_comes_again_and_equal_seeds_agree() -> None:
    query = {"".join(example.segments) for example in given()}
    assert query.isdisjoint(made().values())
    assert made(50, 3) == made(50, 3)


def test_values_are_numbered_in_the_order_of_the_text() -> None:
    for text in made():
        names = [word for word in text.split() if word in ("v0", "v1", "v2")]
        assert names == [f"v{index}" for index in range(len(names))]


def test_questions_that_share_nothing_lend_nothing() -> None:
    assert recombining(given()[:1], 0).draw_examples(10) == ()
    assert recombining([], 0).draw_examples(10) == ()


def test_conditions_of_two_questions_meet_in_one() -> None:
    both = {text: query for text, query in made(400).items() if " and crime " in query}
    assert both
    for text, query in both.items():
        found = re.match(r" (\w+) crime (.+) and crime (.+)", query)
        assert found
        head, first, second = found.groups()
        assert [first.split()[0], second.split()[0]] == ["in", "party"]
        assert text.count("v0") == text.count("v1") == query.count("v0") == query.count("v1") == 1
        assert text.startswith("how many" if head == "count" else "list the")


def test_an_opening_that_others_ask_otherwise_lends_nothing() -> None:
    """`Which crimes` may be all, or the one that `… happened first`."""
    asked = [
        (f"which crimes {verb} v0 (city name) {end}?", f" list| crime{sort}| {how}| city| name| v0")
        for verb, how in (("were in", "in"), ("took place in", "out"), ("happened near", "near"))
        for end, sort in (("", ""), ("first", "| lowest| date"))
    ]
    assert recombining(given(asked), 0).draw_examples(20) == ()
