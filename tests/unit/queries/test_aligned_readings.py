"""Queries are as likely as their readings align with the question."""

from __future__ import annotations

import math

import pytest

from memory_graph import TrigramEmbedder
from trellis.automata.cypher.words.indexed_schema import index_schema
from trellis.domain.graphs.schema import LabelKind, PropertyKind, RelationshipKind, Schema
from trellis.domain.models.decoding import Sentence
from trellis.domain.structures.cypher import CypherQuery
from trellis.steps.align.queries.aligned_readings import weigh_by_reading

NAMED = PropertyKind("name", "STRING")
KNOWN = index_schema(
    Schema(
        (
            LabelKind("City", 9, "name", (NAMED, PropertyKind("population", "INTEGER"))),
            LabelKind("Club", 9, "name", (NAMED, PropertyKind("founded", "INTEGER"))),
        ),
        (RelationshipKind("BASED_IN", "Club", "City", 9),),
        *(18, 9, "league"),
    )
)
CLUBS = "MATCH (x0:`Club`)-[:`BASED_IN`]->(x1:`City` WHERE x1.`name` = $v0)\nRETURN DISTINCT x0"
PEOPLE = "MATCH (x0:`City` WHERE x0.`name` = $v0)\nRETURN x0.`population` AS population"
UNREAD = "CALL db.labels()"


def say(text: str, chance: float) -> Sentence:
    query = CypherQuery(text, {"v0": "Tarn"} if "$v0" in text else {})
    return Sentence(text, (), (query,), math.log(chance), 1)


async def test_what_the_question_says_is_likelier_than_what_the_model_thought_so() -> None:
    written = [say(PEOPLE, 0.5), say(CLUBS, 0.4)]
    weighed = await weigh_by_reading(
        "which clubs are based in v0 (city name)", written, KNOWN, TrigramEmbedder()
    )
    assert [each.text for each in weighed.sentences] == [CLUBS, PEOPLE]
    assert sum(math.exp(each.score) for each in weighed.sentences) <= 0.9 + 1e-9


async def test_what_cannot_be_read_is_as_likely_as_the_worst_reading() -> None:
    written = [say(UNREAD, 0.4), say(CLUBS, 0.4), say(PEOPLE, 0.2)]
    weighed = await weigh_by_reading(
        "which clubs are based in v0 (city name)", written, KNOWN, TrigramEmbedder()
    )
    by_text = {each.text: each.score for each in weighed.sentences}
    assert by_text[UNREAD] - by_text[PEOPLE] == pytest.approx(math.log(2))
    assert weighed.alignments.keys() == {CLUBS, PEOPLE}
