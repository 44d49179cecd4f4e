"""Forms of verbs, and what an active verb says as a relation's name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from small_schemas import build_schema
from trellis.domain.graphs.graph import Step
from trellis.domain.graphs.schema import PropertyKind
from trellis.lexicon.phrasebook import Phrasebook
from trellis.lexicon.relations.one_way_relations import list_one_way_relations
from trellis.lexicon.relations.verbs import name_agent, read_participle, read_past

BOOK = Phrasebook.load()


@pytest.mark.parametrize(
    ("past", "base"),
    [
        *(("directed", "direct"), ("produced", "produce"), ("supplied", "supply")),
        *(("planned", "plan"), ("managed", "manage"), ("created", "create"), ("owned", "own")),
        *(("visited", "visit"), ("prescribed", "prescribe"), ("authored", "author")),
        *(("wrote", "write"), ("taught", "teach"), ("used", "use"), ("delivered", "deliver")),
    ],
)
def test_a_past_form_has_a_base_form(past: str, base: str) -> None:
    assert (verb := read_past(past))
    assert verb.base == base


@pytest.mark.parametrize("word", ["director", "related", "located", "need", "red", "genre", ""])
def test_other_words_are_no_past_forms(word: str) -> None:
    assert read_past(word) is None


def test_participles_are_read_by_their_past_form() -> None:
    assert (verb := read_participle("written"))
    assert (verb.base, verb.past) == ("write", "wrote")


@pytest.mark.parametrize(
    ("base", "agent"), [("direct", "director"), ("write", "writer"), ("supply", "supplier")]
)
def test_who_does_it(base: str, agent: str) -> None:
    assert name_agent(base) == agent


@pytest.mark.parametrize(
    ("relation", "passive"),
    [("DIRECTED", "directed_by"), ("WROTE", "written_by"), ("zorked", "zorked_by")],
)
@pytest.mark.parametrize("is_back", [False, True])
def test_an_active_verb_says_its_passive_the_other_way_round(
    relation: str, passive: str, *, is_back: bool
) -> None:
    phrases = BOOK.phrases_of(Step(relation, is_back), "Thing")
    assert phrases == BOOK.phrases_of(Step(passive, not is_back), "Thing")


@pytest.mark.parametrize(
    ("step", "label", "ask"),
    [
        (Step("REVIEWED"), "Book", "which book did {} review"),
        (Step("REVIEWED", True), "Critic", "who reviewed {}"),
        (Step("WROTE", True), "Person", "who wrote {}"),
        (Step("HEADS"), "Ward", "which ward does {} head"),
        (Step("ORDERED_FROM"), "Shop", "which shop did {} order from"),
        (Step("INTERACTS_WITH"), "Drug", "which drug does {} interact with"),
        (Step("FOLLOWS", True), "Person", "who follows {}"),
        (Step("STORED_IN"), "Warehouse", "where is {} kept"),
        (Step("STORED_IN", True), "Product", "which products are stored in {}"),
        (Step("FILMED_IN"), "Country", "where was {} filmed"),
        (Step("STUDIED_AT"), "University", "where did {} study"),
        (Step("WORKS_ON", True), "Engineer", "which engineers work on {}"),
        (Step("SUPPLIES"), "Product", "which product does {} sell"),
        (Step("SUPPLIES", True), "Supplier", "which suppliers supply {}"),
        (Step("ALLERGIC_TO", True), "Patient", "who is allergic to {}"),
        (Step("IN_ZORK", True), "Shop", "which shops are in {}"),
        (Step("SHOP_IN_ZORK"), "Zork", "which zork is {} in"),
        (Step("BRANCH_OF", True), "Zork", "what is a branch of {}"),
        (Step("WON", True), "Player", "which players won {}"),
        (Step("ASSIGNED_TO"), "Project", "what is {} assigned to"),
        (Step("ASSIGNED_TO"), "Employee", "who is {} assigned to"),
    ],
)
def test_names_are_asked_for_as_people_ask(step: Step, label: str, ask: str) -> None:
    assert ask in BOOK.phrases_of(step, label).asks


@pytest.mark.parametrize(
    ("step", "label", "beginning"),
    [
        (Step("ASSIGNED_TO"), "Project", "who is {} assigned to"),
        (Step("ASSIGNED_TO"), "Employee", "what is {} assigned to"),
        (Step("STORED_IN", True), "Product", "what stored in {}"),
        (Step("STORED_IN", True), "Product", "who"),  # nobody asks who keeps what is stored
        (Step("OPENED"), "Account", "when"),  # nor when an account is
        (Step("GOALS_IN_SEASON"), "Number", ""),  # what happens in something is not where it is
    ],
)
def test_nobody_asks_otherwise(step: Step, label: str, beginning: str) -> None:
    assert not any(ask.startswith(beginning) for ask in BOOK.phrases_of(step, label).asks)


def test_relations_are_called_by_nouns() -> None:
    assert "zork" in BOOK.phrases_of(Step("IN_ZORK"), "Zork").nouns
    assert "goals in season" in BOOK.phrases_of(Step("GOALS_IN_SEASON"), "Number").nouns
    assert "purpose" in BOOK.phrases_of(Step("FOR_PURPOSE"), "Purpose").nouns
    assert BOOK.phrases_of(Step("WON"), None).nouns[0] == "award"


def read_book(*relations: str) -> Phrasebook:
    """The phrases over a schema of these relations, and of the labels at their ends."""
    labels = dict.fromkeys(label for relation in relations for label in relation.split()[::2])
    return Phrasebook.of_schema(build_schema(" ".join(labels), *relations))


def read_toys(types: str) -> Phrasebook:
    """The phrases where people do several things with toys."""
    return read_book(*(f"Person {type} Toy" for type in types.split()))


@pytest.mark.parametrize(
    ("types", "asked", "ask", "is_asked"),
    [
        # two relations do not share a verb
        ("RATED", "RATED", "what did {} review", True),
        ("RATED REVIEWED REPAIRED", "RATED", "what did {} review", False),
        ("RATED REVIEWED REPAIRED", "REPAIRED", "what did {} fix", True),
        ("DEVELOPED PRODUCED", "DEVELOPED", "what did {} make", False),
        # what another relation says is said of none but that
        ("RECOMMENDED SUGGESTED", "RECOMMENDED", "what does {} recommend", True),
        ("RECOMMENDED SUGGESTED", "RECOMMENDED", "what does {} suggest", False),
        # a concept of two verbs says neither
        ("FUNDED", "FUNDED", "what does {} put money into", True),
        ("FUNDED SPONSORED", "FUNDED", "what does {} put money into", False),
    ],
)
def test_what_says_another_relation_too_is_not_asked(
    types: str, asked: str, ask: str, *, is_asked: bool
) -> None:
    assert (ask in read_toys(types).phrases_of(Step(asked), "Toy").asks) is is_asked


def test_other_things_may_be_said_by_one_verb() -> None:
    book = read_book("River FLOWS_THROUGH Country", "Range RUNS_THROUGH Country")
    assert "which rivers cross {}" in book.phrases_of(Step("FLOWS_THROUGH", True), "River").asks


def test_a_shop_has_no_films() -> None:
    step = Step("IN_CATEGORY", reversed=True)
    shop = read_book("Product IN_CATEGORY Category")
    assert not any("film" in ask for ask in shop.phrases_of(step, "Product").asks)
    unknown = read_book("Entity IN_CATEGORY Entity")
    assert any("film" in ask for ask in unknown.phrases_of(step).asks)


@pytest.mark.parametrize(
    ("name", "concept"),
    [
        ("IN_GENRE", "genre"),  # a preposition before a noun is not said
        ("HAS_REVIEWED", "reviewed"),
        ("REVIEWED", "reviewed"),
        ("IS_REVIEWED", None),  # what is done to something is not what it does
        ("BLOCKS", "blocks"),
        ("HAS_BLOCK", None),  # a noun is no verb
        ("WON", "award"),  # what a concept calls so is no active verb
    ],
)
def test_the_concept_of_a_name(name: str, concept: str | None) -> None:
    assert BOOK.concepts.find_id(name) == concept
    assert BOOK.concepts.find_id("IS_LOCATED_IN") == BOOK.concepts.find_id("LOCATED_IN")


@pytest.mark.parametrize(
    ("name", "concept", "ask"),
    [
        ("REVIEWED_BY", "reviewed", "who has given an opinion on {}"),
        ("BLOCKED_BY", "blocks", "what is {} waiting for"),
        ("ORDERED", "ordered", "what did {} buy"),
        ("TAUGHT", "teaches", "what does {} lecture on"),
        ("LIKE", "likes", "what is {} into"),
    ],
)
def test_a_verb_stands_for_its_concept_in_any_form(name: str, concept: str, ask: str) -> None:
    assert BOOK.concepts.find_id(name) == concept
    assert ask in BOOK.phrases_of(Step(name)).asks


def test_what_may_be_said_of_several_relations_is_said_of_none() -> None:
    assert (
        "{n} that nobody borrowed" in read_toys("BORROWED").phrases_of(Step("BORROWED", True)).none
    )
    assert "{n} without staff" in BOOK.phrases_of(Step("EMPLOYS")).none
    firms = read_book("Firm EMPLOYS Person", "Person WORKS_FOR Firm")
    assert "{n} without staff" not in firms.phrases_of(Step("EMPLOYS")).none


def test_a_word_of_a_stored_value_says_no_relation() -> None:
    assert "idle {n}" in BOOK.phrases_of(Step("WORKS_ON")).none
    status = (PropertyKind("status", "STRING", values=("idle", "busy")),)
    toys = build_schema("Person Toy", "Person WORKS_ON Toy")
    labels = (replace(toys.labels[0], properties=status), toys.labels[1])
    told = Phrasebook.of_schema(replace(toys, labels=labels, fingerprint="status"))
    nothing = ("{n} with nothing to work on", "{n} who work on nothing")
    assert told.phrases_of(Step("WORKS_ON")).none == nothing


def test_a_name_of_another_relation_is_said_of_none_but_that() -> None:
    calls = read_book("Call CALLED Phone", "Call CALLER Phone")
    assert "caller" in calls.phrases_of(Step("CALLER")).nouns
    assert "caller" not in calls.phrases_of(Step("CALLED", True)).nouns
    assert "what was made from {}" in calls.phrases_of(Step("CALLER", True)).asks


def test_most_relations_go_one_way_and_mutual_ones_do_not() -> None:
    one_way = [
        "reports to",
        "depends on",
        "follows",
        "succeeded",
        "has part",
        "parent of",
        "parent",
    ]
    mutual = ["married to", "works with", "borders", "connects to", "sibling of", "has spouse"]
    assert list_one_way_relations([*one_way, *mutual]) == {*one_way}
