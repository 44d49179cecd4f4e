"""A noun that names a relation is said by the query, or its answer is held back."""

from __future__ import annotations

import pytest

from trellis.automata.cypher.bound_values import number_values
from trellis.automata.cypher.language import CypherLanguage
from trellis.domain.cypher import CypherQuery
from trellis.domain.decoding import Sentence
from trellis.domain.links import Link, Mention, StoredValue
from trellis.domain.schema import LabelKind, PropertyKind, RelationshipKind, Schema
from trellis.steps.align.queries.rewritten.complete_relations import complete_relations
from trellis.steps.align.queries.said_operators import (
    explain_unsaid_by_query,
    keep_queries_with_operators,
)
from trellis.steps.align.unsaid_relations import find_unsaid_relations
from trellis.steps.describe.queries.read_meaning import read_meaning
from trellis.steps.link.vocabulary.schema_vocabulary import read_schema_vocabulary

NAME = (PropertyKind("name", "STRING"),)
LABELS = ("City", "Country", "River", "Club")
SCHEMA = Schema(
    tuple(LabelKind(label, 9, "name", NAME) for label in LABELS),
    (
        RelationshipKind("HAS_CAPITAL", "Country", "City", 9),
        RelationshipKind("LIES_ON", "City", "River", 9),
        RelationshipKind("BASED_IN", "Club", "City", 9),
        RelationshipKind("BORDERS", "Country", "Country", 9),
    ),
    36,
    36,
    "towns",
)
DANUBE = StoredValue("River", "name", "Danube")
LANGUAGE = CypherLanguage(SCHEMA, number_values([DANUBE]))
CITIES = "MATCH (c:City)-[:LIES_ON]->(r:River WHERE r.name = $v0) RETURN DISTINCT c"
BASED = "MATCH (c:City)<-[:BASED_IN]-(k:Club) RETURN DISTINCT c"
RIVERS = "MATCH (r:River WHERE r.name = $v0) RETURN DISTINCT r"
CAPITALS = "MATCH (c:City)<-[:HAS_CAPITAL]-(o:Country) RETURN DISTINCT c"


def link(question: str) -> list[Mention]:
    at = question.find("Danube")
    mention = Mention(at, at + 6, "Danube", (Link(DANUBE, 1.0, "exact-case"),))
    return [mention] if at >= 0 else []


def complete(question: str, *queries: str) -> list[str]:
    sentences = [
        Sentence("", (), (CypherQuery(each, {"v0": "Danube"}),), 0.0, 1) for each in queries
    ]
    whole = complete_relations(question, link(question), sentences, LANGUAGE)
    return [each.values[0].text for each in whole]


@pytest.mark.parametrize(
    "question", ["Which capitals lie on the Danube?", "How many capital cities lie on the Danube?"]
)
def test_a_query_is_completed_by_what_the_noun_says(question: str) -> None:
    [query] = complete(question, CITIES)
    meaning = read_meaning(CypherQuery(query, {"v0": "Danube"}))
    assert meaning is not None
    types = [edge.type for edge in meaning.graph.edges]
    assert sorted(types) == ["HAS_CAPITAL", "LIES_ON"]
    assert [scope.kind for scope in meaning.graph.scopes] == ["some"]


@pytest.mark.parametrize(
    ("question", "query"),
    [
        ("Which cities lie on the Danube?", CITIES),  # names no relation
        ("Which capitals are there?", CAPITALS),  # has it
        ("Which capitals are there?", BASED),  # nobody spoke of clubs
        ("Which capitals has the Danube?", RIVERS),  # has no city
    ],
)
def test_other_queries_stay_as_they_are(question: str, query: str) -> None:
    assert complete(question, query) == [query]


@pytest.mark.parametrize(
    ("question", "query", "is_held_back"),
    [
        ("Which capitals has the Danube?", RIVERS, True),
        ("Which capitals are there?", CAPITALS, False),
        ("Which cities lie on the Danube?", CITIES, False),
    ],
)
def test_what_leaves_the_noun_out_is_held_back(
    question: str, query: str, is_held_back: bool
) -> None:
    asked = CypherQuery(query, {"v0": "Danube"})
    reason = explain_unsaid_by_query(
        question, link(question), read_meaning(asked), "cities", SCHEMA
    )
    assert ("“capitals”" in reason) is is_held_back
    kept = keep_queries_with_operators(
        question, link(question), [Sentence("", (), (asked,), 0.0, 1)], SCHEMA
    )
    assert bool(kept) is not is_held_back


@pytest.mark.parametrize(
    ("question", "relations", "values", "unsaid"),
    [
        ("Which rivers have a capital on them?", {"LIES_ON"}, (), ["capital"]),
        ("Which rivers have a capital on them?", {"HAS_CAPITAL"}, (), []),
        ("Who plays for Capital United?", {"LIES_ON"}, ("Capital United",), []),
        ("Which countries border it?", {"LIES_ON"}, (), []),  # a verb
    ],
)
def test_nouns_that_an_answer_does_not_rest_on(
    question: str, relations: set[str], values: tuple[str, ...], unsaid: list[str]
) -> None:
    words = read_schema_vocabulary(SCHEMA)
    assert find_unsaid_relations(question, (), relations, values, words) == unsaid


def test_where_no_label_says_what_a_node_is_no_noun_has_to_be_said() -> None:
    triples = Schema(
        (LabelKind("Entity", 9, "name", NAME),),
        (RelationshipKind("has_genre", "Entity", "Entity", 9),),
        9,
        9,
        "triples",
    )
    words = read_schema_vocabulary(triples)
    assert find_unsaid_relations("Which genre is it?", (), (), (), words) == []
