"""Questions with operators: all kinds come, and the words and the query say the same."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

import pytest

from small_schemas import build_label
from trellis.automata.cypher.options import RenderingOptions
from trellis.domain.graphs.schema import LabelKind, PropertyKind, RelationshipKind, Schema
from trellis.lexicon.phrasebook import Phrasebook
from trellis.questions.row import QuestionRow
from trellis.training.synthesis.operators.examples import (
    make_operator_examples,
    spell_drawn_question,
)
from trellis.training.synthesis.operators.kinds.edge_properties import ask_edge_property
from trellis.training.synthesis.operators.kinds.set_questions import FILTERS, RestrictSet
from trellis.training.synthesis.operators.parts.drawing import Drawing
from trellis.training.synthesis.operators.parts.patterns import Directions
from trellis.training.synthesis.operators.parts.topics import DrawnQuestion, QuestionDraft
from trellis.training.synthesis.operators.questions import KINDS, DrawDraft, OperatorQuestions
from trellis.training.tasks.name_kinds import find_undirected_types
from unit.automata.cypher.shop import SHOP as SHOP_OF_NUMBERS

ASKS = {"asks": ["how many {other} did {} buy"]}
BOOK = replace(Phrasebook.load(), own_properties={"BOUGHT.quantity": ASKS})
"""The general phrases, and a question for a property of a relationship, which they lack."""

STATUS = PropertyKind("status", "STRING", values=("active", "retired"))
ADDED = PropertyKind("added", "DATE")


def add_properties(kind: LabelKind, *added: PropertyKind) -> LabelKind:
    return replace(kind, properties=(*kind.properties, *added))


ORDER = replace(build_label("Order", "number placed:DATE"), count=20)
SHOP = replace(
    SHOP_OF_NUMBERS,
    labels=tuple(add_properties(kind, STATUS, ADDED) for kind in (*SHOP_OF_NUMBERS.labels, ORDER)),
    relationships=(
        *SHOP_OF_NUMBERS.relationships,
        RelationshipKind("PLACED", "Customer", "Order", 20),
        RelationshipKind("CONTAINS", "Order", "Product", 40),
        RelationshipKind("LIKES", "Customer", "Product", 10),
    ),
    fingerprint="shop with orders",
)
"""The shop, in which everything has a text and a day beside its name, with orders."""

RENDERING = RenderingOptions()
_NAMED_BETWEEN = re.compile(r"^MATCH \(n:\S+\)\S+\(:\S+ {[^}]*}\)\S+\(:\S+ {[^}]*}\) RETURN DIST")
_TOPIC = re.compile(r"\bt(\d+)\b")
_ROWS = re.compile(r"LIMIT (\d+)$")

by_name = pytest.mark.parametrize("draw_draft", KINDS, ids=lambda kind: kind.__name__)


@by_name
def test_every_kind_of_question_is_drawn(draw_draft: DrawDraft) -> None:
    assert list_drafts(draw_draft)


@by_name
def test_words_and_query_have_the_same_topics(draw_draft: DrawDraft) -> None:
    for drawing, draft in list_drafts(draw_draft):
        said, asked = set(_TOPIC.findall(draft.text)), set(_TOPIC.findall(draft.cypher))
        if match := _ROWS.search(draft.cypher):  # a number of rows stands in the query as itself
            numbers = {str(i): topic.number for i, topic in enumerate(drawing.topics.listed)}
            asked |= {topic for topic in said if numbers[topic] == int(match[1])}
        assert said == asked, draft


@by_name
def test_every_query_can_be_said_by_the_language(draw_draft: DrawDraft) -> None:
    for drawing, draft in list_drafts(draw_draft):
        topics = tuple(drawing.topics.listed)
        if len(set(_TOPIC.findall(draft.text))) == len(topics):
            question = DrawnQuestion(draft.text, draft.cypher, topics)
            assert spell_drawn_question(SHOP, question, RENDERING, {}, 0), draft


@pytest.mark.parametrize("restrict", FILTERS, ids=lambda filter_: filter_.__name__)
def test_every_filter_is_drawn_and_adds_a_condition(restrict: RestrictSet) -> None:
    drawing = begin_drawing()
    sets = [asked for _ in range(100) if (asked := drawing.draw_set())]
    pairs = [(asked, filtered) for asked in sets if (filtered := restrict(drawing, asked))]
    assert pairs
    for asked, filtered in pairs:
        *conditions, last = filtered.asked.conditions
        assert (tuple(conditions), bool(last)) == (asked.conditions, True)
        assert filtered.asked.matches == asked.matches


@pytest.mark.slow
def test_at_least_95_of_100_draws_become_examples() -> None:
    drawn = draw_questions(400, 0)
    made = [spell_drawn_question(SHOP, each, RENDERING, {}, 0) for each in drawn]
    assert sum(example is not None for example in made) >= 0.95 * 400


@pytest.mark.slow
def test_who_has_a_surname_is_often_named_in_full() -> None:
    surname = PropertyKind("surname", "STRING")
    people = replace(SHOP, labels=tuple(add_properties(k, surname) for k in SHOP.labels))
    made = make_operator_examples(people, BOOK, RENDERING, 400, 0)
    full = [" name v0 surname v1" in "".join(example.segments) for example in made]
    assert sum(full) > 40


@pytest.mark.slow
def test_everyone_is_any_of_the_only_persons() -> None:
    everyone = [d for d in draw_many_questions() if re.search("every(one|body) (?!of)", d.text)]
    assert len(everyone) > 2
    assert all("MATCH (n:`Customer`)" in d.cypher for d in everyone)


def test_persons_with_a_surname_are_asked_for_by_their_first_names() -> None:
    first = PropertyKind("name", "STRING", examples=("Ann",))
    person = LabelKind("Person", 90, "name", (first, PropertyKind("surname", "STRING")))
    schema = replace(SHOP, labels=(*SHOP.labels, person), fingerprint="a shop of persons")
    drawn = draw_questions(2000, 3, schema)
    named = [d for d in drawn if "WHERE n.`name` = 't0' RETURN n" in d.cypher]
    assert any("called t0" in d.text or "named t0" in d.text for d in named)


def test_equal_seeds_give_equal_questions_and_others_others() -> None:
    one, same, other = (draw_questions(60, seed) for seed in (1, 1, 2))
    assert (one == same, one == other) == (True, False)


def test_as_many_examples_are_made_as_are_asked_for() -> None:
    examples = make_operator_examples(SHOP, BOOK, RENDERING, 30, 0)
    assert len(examples) == 30
    assert not any(_TOPIC.search(example.prompt.question) for example in examples)


def test_names_are_said_with_all_that_their_text_is_linked_to() -> None:
    both = (("Customer", "name"), ("Product", "name"))
    made = make_operator_examples(SHOP, BOOK, RENDERING, 30, 0, {both[0]: [both]})
    assert any("(customer name, product name)" in example.prompt.question for example in made)


def test_a_schema_without_relationships_has_questions_of_other_kinds_alone() -> None:
    bare = replace(SHOP, relationships=(), relationship_properties={}, fingerprint="bare")
    drawn = draw_questions(200, 0, bare)
    assert 0 < len(drawn) < 200
    assert not any("]-" in question.cypher for question in drawn)


def begin_drawing() -> Drawing:
    return Drawing.begin(SHOP, BOOK, 0)


@cache
def list_drafts(draw_draft: DrawDraft) -> list[tuple[Drawing, QuestionDraft]]:
    """The drafts of some tries of a kind, each with the drawing that has its topics."""
    first = begin_drawing()
    drawings = (first.clear_topics() for _ in range(60))
    drafts = ((drawing, draw_draft(drawing)) for drawing in drawings)
    return [(drawing, draft) for drawing, draft in drafts if draft]


def draw_questions(
    tries: int, seed: int, schema: Schema = SHOP, directions: Directions | None = None
) -> list[DrawnQuestion]:
    """What comes of some tries."""
    questions = OperatorQuestions(schema, BOOK, seed, directions or Directions())
    return [drawn for _ in range(tries) if (drawn := questions.draw_question())]


@cache
def draw_many_questions() -> list[DrawnQuestion]:
    return draw_questions(3_000, 3)


@pytest.mark.slow
def test_values_tell_nodes_between_both_ends_of_a_chain() -> None:
    between = [d for d in draw_many_questions() if _NAMED_BETWEEN.search(d.cypher)]
    assert len(between) > 20
    assert all(d.text.count("t0") == 1 and "t1" in d.text for d in between)


def test_what_given_queries_never_direct_is_not_directed() -> None:
    drawn = draw_questions(600, 1, directions=Directions(undirected=frozenset(("KNOWS",))))
    known = [each.cypher for each in drawn if "`KNOWS`" in each.cypher]
    assert known
    assert not any("<-[:`KNOWS`]" in cypher or "[:`KNOWS`]->" in cypher for cypher in known)
    assert any("-[:`KNOWS`]-(" in cypher for cypher in known)


@pytest.mark.parametrize(
    ("cypher", "undirected"),
    [
        ("MATCH (n:Customer)-[:KNOWS]-(:Customer {name: 'Ann'}) RETURN n", {"KNOWS"}),
        ("MATCH (n:Customer)-[:KNOWS]->(:Customer {name: 'Ann'}) RETURN n", set()),
        ("MATCH (n:Shop)-[:SELLS]-(:Product {name: 'Tea'}) RETURN n", set()),
    ],
)
def test_given_queries_tell_what_is_not_directed(cypher: str, undirected: set[str]) -> None:
    asked = QuestionRow("Whom does Ann know?", cypher=cypher)
    assert find_undirected_types([asked], SHOP) == undirected


STARS, ON = PropertyKind("stars", "INTEGER", examples=(3,)), PropertyKind("on", "DATE")
CHECKED = PropertyKind("checked", "DATE")
FILMS = replace(
    SHOP,
    relationships=(RelationshipKind("RATED", "Customer", "Product", 20),),
    relationship_properties={"RATED": (STARS, ON, CHECKED)},
    fingerprint="rated films",
)


@cache
def draw_edge_questions() -> list[QuestionDraft]:
    drawing = Drawing.begin(FILMS, BOOK, 4)
    return [d for _ in range(2_000) if (d := ask_edge_property(drawing.clear_topics()))]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "cypher"),
    [
        (r"^when did t0 rate t1", r"RETURN r.`on`"),
        (r" did t0 give (to )?t1$", r"RETURN r.`(stars|checked)`"),
        (r"gave t\d (more than|over|above) t\d", r"WHERE r.`stars` > t\d"),
        (r"on average", r"RETURN avg\(r.`stars`\)"),
        (r"before the year t\d", r"r.`on`.year < t\d"),
        (r"^(?!.*check).* (after|since) t\d", r"r.`on` > date\('t\d'\)|r.`on`.year > t\d"),
        (r"checked is after t\d", r"r.`checked`(.year)? > (date|t\d)"),
        (r" a product (in|during) t\d", r"\(:`Product`\) WHERE r.`on`.year = t\d"),
        (r"most recently", r"ORDER BY r.`on` DESC LIMIT 1"),
    ],
)
def test_properties_of_relationships_are_asked(words: str, cypher: str) -> None:
    drawn = [d for d in draw_edge_questions() if re.search(words, d.text)]
    assert drawn
    assert all(re.search(cypher, d.cypher) for d in drawn)


def test_a_place_is_asked_for_and_said_behind_the_verb_of_its_relationship() -> None:
    room = PropertyKind("room", "STRING", values=("East Wing", "Hall A"))
    shown = RelationshipKind("SHOWN_IN", "Product", "Shop", 20)
    schema = replace(
        SHOP,
        relationships=(shown,),
        relationship_properties={"SHOWN_IN": (room,)},
        fingerprint="rooms",
    )
    drawing = Drawing.begin(schema, BOOK, 4)
    drawn = [d for _ in range(300) if (d := ask_edge_property(drawing.clear_topics()))]
    asked = [d for d in drawn if re.search(r"^in (what|which) rooms? was .* shown$", d.text)]
    assert asked
    assert all(re.search(r"-\[r:`SHOWN_IN`\]->.* RETURN r.`room`$", d.cypher) for d in asked)
    said = [d for d in drawn if re.search(r"(is|are|was|were) shown in t0$", d.text)]
    assert any("WHERE r.`room` = 't0'" in d.cypher for d in said)


def test_when_something_was_checked_is_not_when_it_was_rated() -> None:
    checked = [d.text for d in draw_edge_questions() if "r.`checked`" in d.cypher]
    assert checked
    assert not any(text.startswith("when did") for text in checked)
