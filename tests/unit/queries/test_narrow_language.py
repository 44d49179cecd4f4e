"""Where no query gives what a question asks for, queries are written in the language of those that
do."""

from __future__ import annotations

import math
from random import Random

import pytest

from bench.made.cypher_sentences import make_random_sentence
from trellis.automata.cypher.items import FirstItem
from trellis.automata.cypher.language import CypherLanguage
from trellis.domain.cypher import CypherQuery
from trellis.domain.decoding import Sentence
from trellis.domain.schema import LabelKind, PropertyKind, RelationshipKind, Schema
from trellis.steps.align.queries.narrow_language import join_narrowed, narrow_to_asked

SCHEMA = Schema(
    (
        LabelKind("Place", 9, "name", (PropertyKind("name", "STRING"),)),
        LabelKind(
            "Officer",
            9,
            "surname",
            tuple(PropertyKind(name, "STRING") for name in ("surname", "rank")),
        ),
    ),
    (RelationshipKind("WORKS_AT", "Officer", "Place", 9),),
    18,
    9,
    "officers at places",
)
LANGUAGE = CypherLanguage(SCHEMA)
PLACES = "MATCH (x:Place) RETURN DISTINCT x"
OFFICERS = "MATCH (x:Officer) RETURN DISTINCT x"


def say(query: str, chance: float = 1.0) -> Sentence:
    return Sentence(query, (), (CypherQuery(query, {}),), math.log(chance), 1)


@pytest.mark.parametrize(
    ("question", "written", "first"),
    [
        ("What quantity of places is there?", PLACES, {"count", "count all"}),
        ("How much places are there?", PLACES, {"count", "count all"}),
        ("Which officers are there?", PLACES, {"list", "show", "list distinct"}),
        ("Of all we have: which officers are idle?", PLACES, {"list", "show", "list distinct"}),
        ("What ranks are there?", OFFICERS, {"show", "show distinct"}),
        ("Which officers are there?", OFFICERS, None),
        ("What is there?", PLACES, None),
        ("Which dragons are there?", PLACES, None),
    ],
)
def test_what_is_asked_for_is_written(question: str, written: str, first: set[str] | None) -> None:
    narrowed = narrow_to_asked(question, (), [say(written)], LANGUAGE)
    assert (narrowed is None) == (first is None)
    if narrowed and first:
        assert first <= {text.strip() for text in narrowed.moves(narrowed.start()).texts}


def test_a_hardly_believed_query_that_answers_is_too_little() -> None:
    question = "Which officers are there?"
    assert narrow_to_asked(question, (), [say(PLACES, 0.995), say(OFFICERS, 0.005)], LANGUAGE)
    assert not narrow_to_asked(question, (), [say(PLACES, 0.9), say(OFFICERS, 0.1)], LANGUAGE)


def test_every_sentence_begins_with_one_of_the_first_items() -> None:
    items = [FirstItem("count", "Place"), FirstItem("show", "Officer", "rank")]
    language = CypherLanguage(SCHEMA, first_items=items)
    seen = set()
    for seed in range(200):
        _, state = make_random_sentence(language, Random(seed))
        item = language.query(state).items[0]
        seen.add((item.form.word, item.key))
    assert seen == {("count", ""), ("show", "rank")}


def test_no_item_that_the_schema_lacks_can_be_said() -> None:
    assert CypherLanguage(SCHEMA, first_items=[FirstItem("list", "Dragon")]).is_empty()


def test_the_two_languages_share_the_probability() -> None:
    joined = join_narrowed([say(PLACES, 0.75), say(OFFICERS, 0.25)], [say(OFFICERS)])
    assert [each.text for each in joined] == [PLACES, OFFICERS]
    assert math.fsum(math.exp(each.score) for each in joined) <= 1
    assert joined[1].score > joined[0].score
