"""What languages over one schema share, and that none says what only another one can."""

from __future__ import annotations

from dataclasses import replace

from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.options import NARROW
from trellis.automata.cypher.sentences.canonical import follow_moves
from trellis.automata.cypher.words.bound_values import number_values
from trellis.automata.cypher.words.indexed_schema import index_schema
from trellis.domain.graphs.links import StoredValue
from unit.automata.cypher.shop import SHOP, VALUES

KNOWN_AGE, SOLD = " age is known", " sold"


def list_filters(language: CypherLanguage, label: str) -> set[str]:
    """The filters that stand behind the first node of a label."""
    state = follow_moves(language, (" list", f" {label}"))
    return {move.text for move in language.list_typed_moves(state) if move.kind == "filter"}


def test_languages_share_what_follows_from_a_schema_object() -> None:
    one, other = CypherLanguage(SHOP), CypherLanguage(SHOP, number_values(VALUES))
    assert one.known is other.known is index_schema(SHOP)
    assert index_schema(replace(SHOP)).schema is not one.known.schema


def test_values_of_one_language_are_no_filters_of_another() -> None:
    plain, valued = CypherLanguage(SHOP), CypherLanguage(SHOP, number_values(VALUES))
    before = list_filters(plain, "customer")
    assert " name" in list_filters(valued, "customer")
    assert " name" not in before
    assert list_filters(plain, "customer") == list_filters(CypherLanguage(SHOP), "customer")
    assert before == list_filters(plain, "customer")


def test_a_node_without_linked_values_offers_what_the_schema_gives() -> None:
    linked = CypherLanguage(SHOP, number_values([StoredValue("Customer", "name", "Ann")]))
    plain = CypherLanguage(SHOP)
    assert list_filters(linked, "product") == list_filters(plain, "product")
    assert list_filters(linked, "customer") - list_filters(plain, "customer") >= {" name"}


def test_narrow_languages_do_not_take_the_filters_of_wide_ones() -> None:
    assert KNOWN_AGE in list_filters(CypherLanguage(SHOP), "customer")
    assert not list_filters(CypherLanguage(SHOP, (), NARROW), "customer")


def test_a_literal_is_compared_with_properties_of_its_type_alone() -> None:
    literal = CypherLanguage(SHOP, number_values([StoredValue("", "", 3, "INTEGER")]))
    assert " age" in list_filters(literal, "customer")
    assert SOLD not in list_filters(literal, "product")
