"""How many items a list has, and answers that are nothing but what the question names."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from trellis.automata.cypher.bound_values import number_values
from trellis.automata.cypher.canonical import follow_moves
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.reading.queries import find_canonical_moves
from trellis.domain.cypher import CypherQuery
from trellis.domain.decoding import Sentence
from trellis.domain.graph import Node
from trellis.domain.links import Link, Mention, StoredValue
from trellis.domain.schema import LabelKind, PropertyKind, RelationshipKind, Schema
from trellis.steps.align.answer_types.asked_one import FoundAnswers
from trellis.steps.align.queries.held_back import explain_held_back, explain_named_again
from trellis.steps.align.queries.rewritten.counted_items import count_items, count_nodes_once
from trellis.steps.describe.queries.read_meaning import read_meaning

NAME = PropertyKind("name", "STRING")
PLANTS = Schema(
    (
        LabelKind(
            "Plant",
            9,
            "name",
            (NAME, PropertyKind("habitats", "LIST<STRING>"), PropertyKind("height", "INTEGER")),
        ),
        LabelKind("Gardener", 9, "name", (NAME,)),
    ),
    (RelationshipKind("PLANTED", "Gardener", "Plant", 9),),
    18,
    9,
    "plants",
)
FERN = StoredValue("Plant", "name", "Fern")


def write_sentence(query: str) -> tuple[Sentence, CypherLanguage]:
    language = CypherLanguage(PLANTS, number_values((FERN,)))
    state = follow_moves(language, find_canonical_moves(language, query))
    return Sentence(state.text, (), language.values(state), -1.0, 1), language


@pytest.mark.parametrize(
    ("question", "returned", "asked"),
    [
        ("How many habitats does Fern have?", "p.habitats", "size(x0.`habitats`)"),
        ("How many habitats does Fern have?", "DISTINCT p.habitats", "size(x0.`habitats`)"),
        ("Which habitats does Fern have?", "p.habitats", "x0.`habitats`"),
        ("How many are there?", "count(DISTINCT p)", "count(DISTINCT x0)"),
        ("How many metres does Fern have?", "p.height", "x0.`height`"),
    ],
)
def test_the_items_of_a_list_are_counted(question: str, returned: str, asked: str) -> None:
    sentence, language = write_sentence(f"MATCH (p:Plant {{name: 'Fern'}}) RETURN {returned}")
    [counted] = count_items(question, [sentence], language)
    [query] = counted.values
    assert query.text.endswith(f"RETURN {asked}")
    assert (counted.text, counted.score) == (sentence.text, sentence.score)


@pytest.mark.parametrize(
    ("question", "count"),
    [
        ("Which gardener planted the most plants?", "count(DISTINCT x1)"),
        ("Which gardener planted plants most often?", "count(x1)"),
    ],
)
def test_who_has_the_most_is_told_by_nodes(question: str, count: str) -> None:
    query = "MATCH (g:Gardener)-[:PLANTED]->(p:Plant) WITH g, count(p) AS n RETURN g ORDER BY n"
    sentence, language = write_sentence(f"{query} DESC LIMIT 1")
    [counted] = count_nodes_once(question, [sentence], language)
    assert count in counted.values[0].text


@pytest.mark.parametrize(
    ("query", "answers", "named", "is_held"),
    [
        (
            "(p:Plant)<-[:PLANTED]-(g)-[:PLANTED]->(q:Plant WHERE q.name = 'Fern')",
            ["Fern"],
            ["Fern"],
            True,
        ),
        ("(p:Plant)<-[:PLANTED]-(g)-[:PLANTED]->(q:Plant)", ["Fern", "Moss"], ["Fern"], False),
        ("(p:Plant)<-[:PLANTED]-(g)-[:PLANTED]->(q:Plant)", ["Fern"], ["Fern", "Moss"], False),
        ("(p:Plant)", ["Fern"], ["Fern"], False),
        ("(p:Plant)<-[:PLANTED]-(g:Gardener)", [], ["Fern"], False),
        ("(p:Plant)<-[:PLANTED]-(g:Gardener WHERE g.name = 'Fern')", ["Fern"], ["Fern"], False),
    ],
)
def test_what_is_named_is_no_answer_by_way_of_others(
    query: str, answers: Sequence[str], named: Sequence[str], is_held: bool
) -> None:
    mentions = [
        Mention(0, 4, name, (Link(StoredValue("Plant", "name", name), 1.0, "exact"),))
        for name in named
    ]
    nodes = [Node(f"4:{at}", name, ("Plant",)) for at, name in enumerate(answers)]
    meaning = read_meaning(CypherQuery(f"MATCH {query} RETURN p"))
    assert bool(explain_named_again(mentions, meaning, nodes, "plants")) is is_held


@pytest.mark.parametrize(("key", "is_held"), [("at", True), ("height", False)])
def test_no_place_comes_before_another(key: str, is_held: bool) -> None:
    kinds = (PropertyKind("at", "POINT"), PropertyKind("height", "INTEGER"))
    towers = Schema((LabelKind("Tower", 9, None, kinds),), (), 9, 0, "towers")
    meaning = read_meaning(CypherQuery(f"MATCH (t:Tower) RETURN t ORDER BY t.{key} LIMIT 1"))
    reason = explain_held_back("nearest tower", (), meaning, towers, FoundAnswers(1, "a tower"))
    assert bool(reason) is is_held
