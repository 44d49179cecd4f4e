"""What a sentence of the language means in Cypher, and what it says of odd and empty schemas."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.options import NARROW
from trellis.automata.cypher.sentences.canonical import follow_moves
from trellis.automata.cypher.state import CypherState
from trellis.automata.cypher.words.bound_values import NamedValue, number_values
from trellis.automata.cypher.words.wording import (
    ARROWS,
    KEYWORDS,
    OPERATORS,
    Wording,
    split_name,
    write_comparison,
)
from trellis.automata.reader import Departure, Reader, SentenceReading
from trellis.automata.tokens.automaton import TokenAutomaton
from trellis.domain.graphs.links import StoredValue
from trellis.domain.graphs.schema import LabelKind, PropertyKind, RelationshipKind, Schema
from unit.automata.cypher.cinema import CINEMA, cinema
from unit.automata.cypher.schemas import SchemaWorld, schema_worlds
from unit.automata.kinds import vocabulary
from unit.automata.test_laws import law

MEANT = {
    "list film": "MATCH (x0:`Film`)\nRETURN x0",
    "count film year >= v1": "MATCH (x0:`Film` WHERE x0.`year` >= $v1)\nRETURN count(DISTINCT x0)",
    "show distinct person born knows -> person name v0": (
        "MATCH (x0:`Person`)-[:`KNOWS`]->(x1:`Person` WHERE x1.`name` = $v0)\n"
        "RETURN DISTINCT x0.`born`"
    ),
    "list film highest 3 year acted in person name v0 born < v4": None,
    "list film highest 3 year acted in person born < v4 and film made in country": (
        "MATCH (x0:`Film`)<-[:`ACTED_IN`]-(x1:`Person` WHERE x1.`born` < $v4)\n"
        "MATCH (x0)-[:`MADE_IN`]->(x2:`Country`)\n"
        "RETURN x0\nORDER BY x0.`year` IS NULL, x0.`year` DESC\nLIMIT 3"
    ),
    "show country name made in film count film highest count film": (
        "MATCH (x0:`Country`)<-[:`MADE_IN`]-(x1:`Film`)\n"
        "RETURN x0.`name`, count(DISTINCT x1)\nORDER BY count(DISTINCT x1) DESC\nLIMIT 1"
    ),
    "list film acted in person another film acted in person": (
        "MATCH (x0:`Film`)<-[:`ACTED_IN`]-(x1:`Person`), (x0)<-[:`ACTED_IN`]-(x2:`Person`)\n"
        "RETURN x0"
    ),
    "count film released v2": (
        "MATCH (x0:`Film` WHERE x0.`released` = date($v2))\nRETURN count(DISTINCT x0)"
    ),
    "sum film title": None,
    "list film knows person": None,
    "list person year v1": None,
}


@pytest.mark.parametrize("text", MEANT)
def test_a_text_means_its_query_or_leaves_the_language(text: str) -> None:
    reading = Reader(cinema()).read_text(f" {text}")
    if MEANT[text] is None:
        assert isinstance(reading, Departure)
        assert reading.alternatives
    else:
        assert isinstance(reading, SentenceReading)
        assert [query.text for query in reading.values] == [MEANT[text]]


def test_only_values_that_are_said_are_parameters() -> None:
    language = cinema()
    state = follow_moves(language, (" count", " film", " year", " v1"))
    assert [query.params for query in language.values(state)] == [{"v1": 1990}]


def test_a_departure_names_what_could_have_been_said() -> None:
    reading = Reader(cinema()).read_text(" list film acted by person")
    assert isinstance(reading, Departure)
    assert reading.accepted == "list film acted "
    assert reading.alternatives[0] == " acted in"


@law
@given(schema_worlds())
def test_no_two_names_at_one_place_are_said_alike(world: SchemaWorld) -> None:
    wording = Wording(world.schema)
    names = [write_comparison(w, o) for w in wording.properties.values() for o in OPERATORS]
    names += [w + arrow for w in wording.types.values() for arrow in ARROWS.values()]
    assert len(set(names)) == len(names)
    assert KEYWORDS.isdisjoint(names)
    assert len(set(wording.labels.values())) == len(wording.labels)


@pytest.mark.parametrize(
    ("name", "said_as"),
    [("KNOWS_PHONE", "knows phone"), ("phoneNo", "phone no"), ("a b", "a b"), ("_", "")],
)
def test_names_are_said_by_their_words(name: str, said_as: str) -> None:
    assert split_name(name) == said_as


NOTHING = Schema((), (), 0, 0, "nothing")
UNLABELLED = Schema((), (RelationshipKind("R", "", "", 1),), 2, 1, "unlabelled")
BARE = Schema((LabelKind("Thing", 3, None),), (), 3, 0, "bare")


def test_an_empty_graph_has_no_sentence() -> None:
    language = CypherLanguage(NOTHING)
    assert language.is_empty()
    automaton = TokenAutomaton(language, vocabulary("bytes-500"))
    assert not len(automaton.allowed_tokens(automaton.start()))


def test_without_a_linked_value_there_are_sentences() -> None:
    assert not CypherLanguage(CINEMA).is_empty()


def test_labels_without_properties_can_be_listed_and_counted() -> None:
    language = CypherLanguage(BARE, (), NARROW)
    firsts = list(language.moves(language.start()).texts)
    assert firsts == [" list", " list distinct", " count", " count all"]
    (query,) = language.values(follow_moves(language, (" count", " thing")))
    assert query.text == "MATCH (x0:`Thing`)\nRETURN count(DISTINCT x0)"


def test_nodes_without_labels_are_any() -> None:
    language = CypherLanguage(UNLABELLED)
    (query,) = language.values(follow_moves(language, (" list", " any", " r ->", " any")))
    assert query.text == "MATCH (x0)-[:`R`]->(x1)\nRETURN x0"


def test_a_name_can_break_out_of_nothing() -> None:
    """Backticks, unicode escapes and whole clauses in names stay names."""
    bad = "x`) DETACH DELETE n //\\u0060"
    schema = Schema((LabelKind(bad, 1, None, (PropertyKind(bad, "STRING"),)),), (), 1, 0, "bad")
    language = CypherLanguage(schema, [NamedValue(bad, StoredValue(bad, bad, bad))])
    quoted = "`x``) DETACH DELETE n //\\u005cu0060`"
    state = language.start()
    for _ in range(4):
        state = _first(language, state)
    (query,) = language.values(state)
    assert query.text == f"MATCH (x0:{quoted} WHERE x0.{quoted} = $v0)\nRETURN x0"
    assert query.params == {"v0": bad}


def _first(language: CypherLanguage, state: CypherState) -> CypherState:
    """The state behind the first move that is no order."""
    choices = enumerate(language.list_typed_moves(state))
    move = next(index for index, choice in choices if choice.kind != "order")
    following = language.follow(state, move)
    assert following is not None
    return following


def test_a_pattern_has_as_many_nodes_as_it_may() -> None:
    language = CypherLanguage(CINEMA, number_values(()), replace(NARROW, nodes=2))
    state = follow_moves(language, (" list", " film", " acted in", " person"))
    assert len(state.query.nodes) == 2
    assert " made in" not in language.moves(state).texts


def test_a_move_carries_its_kind() -> None:
    """Also where a name is the grammar's own word, or several kinds could say the same."""
    moves = (" list", " film", " highest 3", " year", " acted in", " person", " name", " v0")
    moves = (*moves, " and", " film", " made in", " country")
    state = follow_moves(cinema(), moves)
    assert tuple(move.text for move in state.moves) == moves
    assert [move.kind for move in state.moves] == [
        *("form", "label", "order", "property", "relationship", "label", "filter", "value"),
        *("branch", "node", "relationship", "label"),
    ]


def test_a_state_is_printed_with_what_was_said_and_what_is_open() -> None:
    language = cinema()
    state = follow_moves(language, (" list", " film", " highest", " year", " acted in", " person"))
    name = next(
        i for i, choice in enumerate(language.list_typed_moves(state)) if choice.text == " name"
    )
    assert str(language.follow(state, name)).splitlines() == [
        "said: list | film | highest | year | acted in | person | name",
        "node: film (:Film)",
        "node: person (:Person)",
        "edge: film [ACTED_IN in, clause 0] person",
        "item: list film",
        "order: show film year descending",
        "rows: 1",
        "open: to go on with",
        "  value: v0",
    ]
    assert repr(state) == "State(' list film highest year acted in person')"
    assert str(language.start()).splitlines()[:2] == ["said: (nothing)", "open: to go on with"]
    assert "open: the sentence may end, or go on with" in str(state)
