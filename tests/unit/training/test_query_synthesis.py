"""Questions made from a schema: what they ask is in it, and their values stand in them."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from trellis.automata.cypher.bound_values import number_values
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.options import RenderingOptions
from trellis.automata.cypher.state import CypherState
from trellis.domain.links import StoredValue
from trellis.domain.schema import LabelKind, PropertyKind, RelationshipKind, Schema
from trellis.training.synthesis.query_questions import synthesize_query_examples
from trellis.training.tasks.cypher_examples import list_offered_segments, list_query_segments

PERSON = LabelKind(
    "Person", 9, "name", (PropertyKind("name", "STRING"), PropertyKind("age", "INTEGER"))
)
CITY = LabelKind("City", 3, "name", (PropertyKind("name", "STRING"),))
LIVES = RelationshipKind("LIVES_IN", "Person", "City", 9)
KNOWS = RelationshipKind("KNOWS", "Person", "Person", 5)
TYPES = ("lives in", "knows")
SCHEMA = Schema((PERSON, CITY), (LIVES, KNOWS), 12, 14, "f")


def test_equal_seeds_make_equal_questions_and_others_others() -> None:
    one, same, other = (
        synthesize_query_examples(SCHEMA, RenderingOptions(), 50, seed) for seed in (1, 1, 2)
    )
    assert (one == same, one == other, len(one)) == (True, False, 50)


def test_sentences_are_segments_of_the_language_and_say_what_the_question_says() -> None:
    sayable = set(list_query_segments(CypherLanguage(SCHEMA, (), RenderingOptions())))
    for example in synthesize_query_examples(SCHEMA, RenderingOptions(), 200, 0):
        # a name that is said again is told apart by a number
        plain = {re.sub(r"(person|city) \d$", r"\1", segment) for segment in example.segments}
        assert plain <= sayable
        said = {segment.strip() for segment in example.segments} & set(
            _names(example.prompt.question)
        )
        assert sorted(said) == sorted(_names(example.prompt.question))


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
    assert len(list_offered_segments(Schema((), (), 0, 0, ""), RenderingOptions())) < 5


TYPES_OF_VALUES = ("STRING", "INTEGER", "FLOAT", "BOOLEAN", "DATE", "LIST<STRING>")


@pytest.mark.parametrize("seed", range(4))
def test_all_comparisons_that_the_language_offers_are_among_the_segments(seed: int) -> None:
    """What is not, is no choice to a lesson: `is known` was never taught where no question asked
    for what `is missing`."""
    own = tuple(PropertyKind(f"p{i}", type_) for i, type_ in enumerate(TYPES_OF_VALUES))
    person = LabelKind("Person", 9, "name", (*PERSON.properties, *own))
    schema = Schema((person, CITY), (LIVES, KNOWS), 12, 14, "f")
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


def test_all_lengths_and_forms_come() -> None:
    made = synthesize_query_examples(SCHEMA, RenderingOptions(), 300, 0)
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
    bare = Schema((LabelKind("A", 1, None),), (), 1, 0, "f")
    assert synthesize_query_examples(bare, RenderingOptions(), 10, 0) == ()


def _names(prompt: str) -> list[str]:
    return list(dict.fromkeys(re.findall(r"\bv\d+\b", prompt)))
