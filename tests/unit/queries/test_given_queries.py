"""A question with the words of one that was given is answered by the query of that."""

from __future__ import annotations

import math

import pytest

from trellis.automata.cypher.bound_values import number_values
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.reading.queries import find_canonical_moves
from trellis.domain.decoding import Sentence
from trellis.domain.links import Link, Mention, StoredValue
from trellis.domain.schema import LabelKind, PropertyKind, RelationshipKind, Schema
from trellis.steps.align.queries.given_queries import collect_given, prefer_given, read_words
from trellis.steps.retrieve.queries.query_prompt import mask_values

NAME = (PropertyKind("name", "STRING"),)
SCHEMA = Schema(
    (LabelKind("City", 9, "name", NAME), LabelKind("River", 9, "name", NAME)),
    (RelationshipKind("LIES_ON", "City", "River", 9),),
    *(18, 9, "towns"),
)
ANY = "MATCH (c:City)-[:LIES_ON]->(r:River) RETURN c"
NAMED = "MATCH (c:City)-[:LIES_ON]->(r:River WHERE r.name = '{}') RETURN c"
COUNTED = "MATCH (c:City)-[:LIES_ON]->(r:River WHERE r.name = '{}') RETURN count(c)"


def make_language(river: str) -> CypherLanguage:
    return CypherLanguage(SCHEMA, number_values([StoredValue("River", "name", river)]))


def mask(question: str, river: str) -> str:
    at = question.find(river)
    stored = StoredValue("River", "name", river)
    return mask_values(
        question, [Mention(at, at + len(river), river, (Link(stored, 1.0, "exact"),))]
    )


def give(question: str, river: str, query: str) -> tuple[str, tuple[str, ...]]:
    moves = find_canonical_moves(make_language(river), query.format(river))
    return mask(question, river), tuple(moves)


GIVEN = collect_given(
    [
        give("What lies by the Danube?", "Danube", NAMED),
        give("what lies by the Rhine", "Rhine", NAMED),
        give("What lies by the Elbe!", "Elbe", COUNTED),
        give("How many by the Danube?", "Danube", COUNTED),
        give("How many by the Rhine?", "Rhine", NAMED),
    ]
)


def test_the_words_alone_are_kept_and_contradictions_are_not() -> None:
    assert [row[0] for row in GIVEN] == ["what lies by the v0"]
    assert read_words("Top v1 (number: 5) by v0 (river name, city name)?") == "top v1 by v0"
    rows = ("Top v1 (number: 5) by v0 (river name)", (" list", " river", " first 5"))
    assert collect_given([rows]) == ()
    many = [(f"{'a' * each}", ("x",)) for each in range(1, 9)]
    assert len(collect_given([*many, many[3]], 2)) == 2
    assert collect_given([*many, many[3]], 2)[0][0] == "aaaa"


@pytest.mark.parametrize(
    ("question", "is_known"),
    [("What lies by the Oder?", True), ("What lies near the Oder?", False)],
)
def test_the_query_that_was_given_is_preferred(question: str, *, is_known: bool) -> None:
    language = make_language("Oder")
    other = Sentence("list city lies on river", (), (), math.log(0.8), 3)
    sentences = prefer_given(mask(question, "Oder"), [other], language, GIVEN)
    if not is_known:
        assert sentences == [other]
        return
    given, rest = sentences
    assert (given.text, rest.text) == ("list city lies on river name v0", other.text)
    assert given.values[0].params == {"v0": "Oder"}
    assert math.exp(given.score) == pytest.approx(0.72)
    assert math.exp(rest.score) == pytest.approx(0.08)
    again = prefer_given(mask(question, "Oder"), sentences, language, GIVEN)
    assert math.fsum(math.exp(each.score) for each in again) == pytest.approx(0.8)


def test_a_query_that_the_language_does_not_have_is_none() -> None:
    language = CypherLanguage(SCHEMA, number_values([StoredValue("City", "name", "Oder")]))
    other = Sentence("list city", (), (), 0.0, 1)
    masked = mask("What lies by the Oder?", "Oder")
    assert prefer_given(masked, [other], language, GIVEN) == [other]
