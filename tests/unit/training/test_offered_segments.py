"""Nearly all that the language of queries may say is among the segments that lessons list."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from small_schemas import build_schema
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.options import RenderingOptions
from trellis.automata.cypher.state import CypherState
from trellis.automata.cypher.words.bound_values import number_values
from trellis.domain.graphs.links import StoredValue
from trellis.training.tasks.cypher_examples import list_offered_segments, list_query_segments

RELATIONS = ("Person LIVES_IN City", "Person KNOWS Person")
SCHEMA = build_schema({"Person": "name age:INTEGER", "City": "name"}, *RELATIONS)


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
