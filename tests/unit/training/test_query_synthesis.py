"""Questions made from a schema: what they ask is in it, and their values stand in them."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from small_schemas import build_schema
from trellis.automata.cypher.bound_values import number_values
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.options import RenderingOptions
from trellis.automata.cypher.state import CypherState
from trellis.domain.links import StoredValue
from trellis.training.examples import Example
from trellis.training.synthesis.query_questions import synthesize_query_examples
from trellis.training.tasks.cypher_examples import list_offered_segments, list_query_segments

RELATIONS = ("Person LIVES_IN City", "Person KNOWS Person")
TYPES = ("lives in", "knows")
SCHEMA = build_schema({"Person": "name age:INTEGER", "City": "name"}, *RELATIONS)


@pytest.fixture(scope="module")
def made() -> tuple[Example, ...]:
    return synthesize_query_examples(SCHEMA, RenderingOptions(), 300, 0)


def test_equal_seeds_make_equal_questions_and_others_others() -> None:
    one, same, other = (
        synthesize_query_examples(SCHEMA, RenderingOptions(), 50, seed) for seed in (1, 1, 2)
    )
    assert (one == same, one == other, len(one)) == (True, False, 50)


def test_sentences_are_segments_of_the_language_and_say_what_the_question_says(
    made: tuple[Example, ...],
) -> None:
    sayable = set(list_query_segments(CypherLanguage(SCHEMA, (), RenderingOptions())))
    for example in made:
        # a name that is said again is told apart by a number
        plain = {re.sub(r"(person|city) \d$", r"\1", segment) for segment in example.segments}
        assert plain <= sayable
        names = set(re.findall(r"\bv\d+\b", example.prompt.question))
        assert names <= {segment.strip() for segment in example.segments}


def walk_language(language: CypherLanguage, walks: int, seed: int) -> Iterator[CypherState]:
    """The states on random ways through the language."""
    dice = random.Random(seed)
    for _ in range(walks):
        state = language.start()
        for _ in range(14):
            yield state
            texts = language.moves(state).texts
            if not texts:
                break
            behind = language.follow(state, dice.randrange(len(texts)))
            assert behind
            state = behind


@pytest.mark.slow
def test_nearly_all_that_the_language_offers_is_among_the_offered_segments() -> None:
    language = CypherLanguage(SCHEMA, number_values([StoredValue("Person", "name", "Ann")]))
    offered = set(list_offered_segments(SCHEMA, RenderingOptions()))
    found = {
        text for state in walk_language(language, 200, 9) for text in language.moves(state).texts
    }
    assert {" count all person", " average person age", " age is known"} <= offered
    assert len(found - offered) < 0.02 * len(found)


def test_a_schema_of_nothing_offers_little() -> None:
    assert len(list_offered_segments(build_schema(""), RenderingOptions())) < 5


ALL_TYPES = "name s:STRING i:INTEGER f:FLOAT b:BOOLEAN d:DATE l:LIST<STRING> age:INTEGER"


@pytest.mark.parametrize("seed", range(4))
def test_all_comparisons_that_the_language_offers_are_among_the_segments(seed: int) -> None:
    """What is not, is no choice to a lesson: `is known` was never taught where no question asked
    for what `is missing`."""
    schema = build_schema({"Person": ALL_TYPES, "City": "name"}, *RELATIONS)
    stored = [StoredValue("Person", "name", "Ann"), StoredValue("", "", 4, "INTEGER")]
    language = CypherLanguage(schema, number_values(stored), RenderingOptions())
    sayable = set(list_query_segments(language))
    missing = {
        move.text
        for state in walk_language(language, 60, seed)
        for move in language.list_typed_moves(state)
        if move.kind in ("filter", "limit") and move.text not in sayable
    }
    assert missing == set()


def test_all_lengths_and_forms_come(made: tuple[Example, ...]) -> None:
    assert {example.segments[0] for example in made} == {" list", " show", " count"}
    relations = {sum("lives in" in s or "knows" in s for s in e.segments) for e in made}
    assert relations == {0, 1, 2, 3, 4}


@pytest.mark.slow
@pytest.mark.parametrize("apart", [False, True])
def test_hops_apart_never_share_a_clause_with_another_of_their_type(apart: bool) -> None:
    made = synthesize_query_examples(SCHEMA, RenderingOptions(), 300, 0, apart=apart)
    clauses = [said.split(" and ") for e in made if (said := "".join(e.segments))]
    most = max(clause.count(type) for each in clauses for clause in each for type in TYPES)
    assert (most == 1) == apart


def test_values_are_said_with_all_that_their_text_was_linked_to() -> None:
    rivals = {("City", "name"): [(("City", "name"), ("Person", "name"))]}
    made = synthesize_query_examples(SCHEMA, RenderingOptions(), 100, 0, rivals)
    assert any("(city name, person name)" in example.prompt.question for example in made)


def test_a_schema_without_properties_or_relationships_makes_what_it_can() -> None:
    assert synthesize_query_examples(build_schema({"A": ""}), RenderingOptions(), 10, 0) == ()
