"""Forms of verbs, and what an active verb says as a relation's name."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from trellis.domain.graph import Step
from trellis.domain.schema import LabelKind, PropertyKind, RelationshipKind, Schema
from trellis.lexicon.one_way_relations import list_one_way_relations
from trellis.lexicon.phrasebook import Phrasebook
from trellis.lexicon.verbs import name_agent, read_participle, read_past

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
    verb = read_past(past)
    assert verb is not None
    assert verb.base == base


@pytest.mark.parametrize("word", ["director", "related", "located", "need", "red", "genre", ""])
def test_other_words_are_no_past_forms(word: str) -> None:
    assert read_past(word) is None


def test_participles_are_read_by_their_past_form() -> None:
    verb = read_participle("written")
    assert verb is not None
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
    ],
)
def test_names_are_asked_for_as_people_ask(step: Step, label: str, ask: str) -> None:
    assert ask in BOOK.phrases_of(step, label).asks


def test_a_preposition_before_a_noun_is_not_said() -> None:
    assert BOOK.concept_of("IN_GENRE") == "genre"
    assert "zork" in BOOK.phrases_of(Step("IN_ZORK"), "Zork").nouns


def test_what_a_concept_calls_so_is_no_active_verb() -> None:
    assert BOOK.concept_of("WON") == "award"
    assert BOOK.phrases_of(Step("WON"), None).nouns[0] == "award"


def test_nobody_asks_who_keeps_what_is_stored() -> None:
    asks = BOOK.phrases_of(Step("STORED_IN", True), "Product").asks
    assert not any(ask.startswith("who") for ask in asks)
    assert "what stored in {}" not in asks


def make_schema(labels: Sequence[str], *types: str) -> Schema:
    kinds = tuple(RelationshipKind(name, labels[0], labels[-1], 9) for name in types)
    return Schema(tuple(LabelKind(label, 9, "name") for label in labels), kinds, 9, 9, str(types))


def test_two_relations_do_not_share_a_verb() -> None:
    both = Phrasebook.of_schema(make_schema(("Person", "Toy"), "RATED", "REVIEWED", "REPAIRED"))
    assert "what did {} review" not in both.phrases_of(Step("RATED"), "Toy").asks
    assert "what did {} fix" in both.phrases_of(Step("REPAIRED"), "Toy").asks
    alone = Phrasebook.of_schema(make_schema(("Person", "Toy"), "RATED"))
    assert "what did {} review" in alone.phrases_of(Step("RATED"), "Toy").asks
    makers = Phrasebook.of_schema(make_schema(("Person", "Toy"), "DEVELOPED", "PRODUCED"))
    assert "what did {} make" not in makers.phrases_of(Step("DEVELOPED"), "Toy").asks


def test_what_another_relation_says_is_said_of_none_but_that() -> None:
    both = Phrasebook.of_schema(make_schema(("Person", "Toy"), "RECOMMENDED", "SUGGESTED"))
    asks = both.phrases_of(Step("RECOMMENDED"), "Toy").asks
    assert "what does {} recommend" in asks
    assert "what does {} suggest" not in asks


def test_other_things_may_be_said_by_one_verb() -> None:
    kinds = (
        RelationshipKind("FLOWS_THROUGH", "River", "Country", 9),
        RelationshipKind("RUNS_THROUGH", "Range", "Country", 9),
    )
    labels = tuple(LabelKind(name, 9, "name") for name in ("River", "Range", "Country"))
    book = Phrasebook.of_schema(Schema(labels, kinds, 9, 9, "rivers and ranges"))
    assert "which rivers cross {}" in book.phrases_of(Step("FLOWS_THROUGH", True), "River").asks


def test_a_shop_has_no_films() -> None:
    step = Step("IN_CATEGORY", reversed=True)
    shop = Phrasebook.of_schema(make_schema(("Product", "Category"), "IN_CATEGORY"))
    assert not any("film" in ask for ask in shop.phrases_of(step, "Product").asks)
    unknown = Phrasebook.of_schema(make_schema(("Entity",), "IN_CATEGORY"))
    assert any("film" in ask for ask in unknown.phrases_of(step).asks)


def test_what_happens_in_something_is_not_where_it_is() -> None:
    phrases = BOOK.phrases_of(Step("GOALS_IN_SEASON"), "Number")
    assert "goals in season" in phrases.nouns
    assert not phrases.asks
    assert "purpose" in BOOK.phrases_of(Step("FOR_PURPOSE"), "Purpose").nouns


def test_what_is_done_to_something_is_not_what_it_does() -> None:
    assert BOOK.concept_of("HAS_REVIEWED") == BOOK.concept_of("REVIEWED") == "reviewed"
    assert BOOK.concept_of("IS_REVIEWED") is None
    assert BOOK.concept_of("IS_LOCATED_IN") == BOOK.concept_of("LOCATED_IN")


@pytest.mark.parametrize(
    ("end", "asks", "not_asked"),
    [
        ("Project", "what is {} assigned to", "who is {} assigned to"),
        ("Employee", "who is {} assigned to", "what is {} assigned to"),
    ],
)
def test_questions_ask_for_the_sort_of_thing_at_the_end(
    end: str, asks: str, not_asked: str
) -> None:
    phrases = BOOK.phrases_of(Step("ASSIGNED_TO"), end)
    assert asks in phrases.asks
    assert not_asked not in phrases.asks


def test_a_concept_of_two_verbs_says_neither() -> None:
    one = Phrasebook.of_schema(make_schema(("Person", "Toy"), "FUNDED"))
    both = Phrasebook.of_schema(make_schema(("Person", "Toy"), "FUNDED", "SPONSORED"))
    assert "what does {} put money into" in one.phrases_of(Step("FUNDED"), "Toy").asks
    assert "what does {} put money into" not in both.phrases_of(Step("FUNDED"), "Toy").asks


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
    assert BOOK.concept_of(name) == concept
    assert ask in BOOK.phrases_of(Step(name)).asks


def test_a_noun_is_no_verb() -> None:
    assert BOOK.concept_of("HAS_BLOCK") is None
    assert BOOK.concept_of("BLOCKS") == "blocks"


def test_nobody_asks_when_an_account_is() -> None:
    asks = BOOK.phrases_of(Step("OPENED"), "Account").asks
    assert not any(ask.startswith("when") for ask in asks)


def test_what_may_be_said_of_several_relations_is_said_of_none() -> None:
    one = Phrasebook.of_schema(make_schema(("Person", "Toy"), "BORROWED"))
    assert "{n} that nobody borrowed" in one.phrases_of(Step("BORROWED", True)).none
    assert "idle {n}" in BOOK.phrases_of(Step("WORKS_ON")).none
    firm, person = LabelKind("Firm", 9, "name"), LabelKind("Person", 9, "name")
    employs = RelationshipKind("EMPLOYS", "Firm", "Person", 9)
    works = RelationshipKind("WORKS_FOR", "Person", "Firm", 9)
    assert "{n} without staff" in BOOK.phrases_of(Step("EMPLOYS")).none
    two = Phrasebook.of_schema(Schema((firm, person), (employs, works), 18, 18, "both"))
    assert "{n} without staff" not in two.phrases_of(Step("EMPLOYS")).none
    status = (PropertyKind("status", "STRING", values=("idle", "busy")),)
    labels = (LabelKind("Person", 9, "name", status), LabelKind("Toy", 9, "name"))
    kinds = (RelationshipKind("WORKS_ON", "Person", "Toy", 9),)
    told = Phrasebook.of_schema(Schema(labels, kinds, 9, 9, "status"))
    assert told.phrases_of(Step("WORKS_ON")).none == (
        "{n} with nothing to work on",
        "{n} who work on nothing",
    )


def test_a_name_of_another_relation_is_said_of_none_but_that() -> None:
    calls = Phrasebook.of_schema(make_schema(("Call", "Phone"), "CALLED", "CALLER"))
    assert "caller" in calls.phrases_of(Step("CALLER")).nouns
    assert "caller" not in calls.phrases_of(Step("CALLED", True)).nouns
    assert "what was made from {}" in calls.phrases_of(Step("CALLER", True)).asks


@pytest.mark.parametrize(
    "words", ["reports to", "depends on", "follows", "succeeded", "has part", "parent of", "parent"]
)
def test_most_relations_go_one_way(words: str) -> None:
    assert list_one_way_relations([words]) == {words}


@pytest.mark.parametrize(
    "words", ["married to", "works with", "borders", "connects to", "sibling of", "has spouse"]
)
def test_mutual_relations_do_not(words: str) -> None:
    assert not list_one_way_relations([words])
