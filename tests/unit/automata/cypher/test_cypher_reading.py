"""Cypher in many styles comes to one sentence; what cannot be said is refused with its place."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given

from bench.made.cypher_sentences import make_random_sentence
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.reading.queries import (
    find_canonical_moves,
    find_linked_literals,
    read_query,
)
from trellis.automata.cypher.sentences.canonical import follow_moves, spell_query
from trellis.automata.cypher.words.bound_values import NamedValue, number_values
from trellis.domain.errors import CypherReadError
from trellis.domain.graphs.links import StoredValue
from unit.automata.cypher.cinema import CINEMA, cinema
from unit.automata.cypher.pairs import read_pairs
from unit.automata.cypher.schemas import SchemaWorld, schema_worlds
from unit.automata.laws import seeds
from unit.automata.test_laws import law

SAID = read_pairs("""
MATCH (f:Film) RETURN f
    list film
match (f:Film) return distinct f.title
    show distinct film title
MATCH (p:Person {name: "Ann"})-[:ACTED_IN]->(f:Film) RETURN f.title
    show film title acted in person name v0
MATCH (f:`Film`)<-[r:ACTED_IN]-(p) WHERE p.name = 'Ann' RETURN f.title AS t;
    show film title acted in person name v0
MATCH (p)-[:ACTED_IN]-(f) WHERE 'Ann' = p.name AND (f.year >= 1990) RETURN count(*)
    count all person name v0 acted in film year >= v1
MATCH (f:Film WHERE f.released < date('1990-05-01')) RETURN COUNT(DISTINCT f)
    count film released < v2
MATCH (a:Person)-[:KNOWS]-(b:Person) RETURN a
    list person knows person
MATCH (a:Person)-[:KNOWS]->(b:Person) RETURN a
    list person knows -> person
MATCH (a:Person)-[:KNOWS]->(b:Person) RETURN b
    list person knows <- person
MATCH (f:Film) RETURN f ORDER BY f.year DESC LIMIT 1
    list film highest year
MATCH (f:Film) RETURN f.title ORDER BY f.year LIMIT 3
    show film title lowest 3 year
MATCH (f:Film) RETURN avg(f.year), max(f.title)
    average film year maximum film title
MATCH (c:Country)<-[:MADE_IN]-(f:Film) RETURN c.name, count(f) AS n ORDER BY n DESC LIMIT 1
    show country name made in film count all film highest count all film
MATCH (p:Person)-[:ACTED_IN]->(f:Film) RETURN p ORDER BY f.year ASC
    list person acted in film ascending film year
MATCH (f:Film) RETURN f LIMIT 5
    list film limit 5
MATCH (f:Film)-[:MADE_IN]->(c:Country) MATCH (f)<-[:ACTED_IN]-(p:Person) RETURN f
    list film acted in person and film made in country
MATCH (f:Film)<-[:ACTED_IN]-(a:Person), (f)<-[:ACTED_IN]-(b:Person) RETURN f
    list film acted in person another film acted in person
MATCH (f:Film)<-[:ACTED_IN]-(a:Person) MATCH (f)<-[:ACTED_IN]-(b:Person) RETURN f
    list film acted in person and film acted in person
MATCH (a:Person)-[:KNOWS]-(b:Person) MATCH (b)-[:KNOWS]-(c:Person) RETURN a
    list person knows person and person 2 knows person
MATCH (p:Person)-[:LIKES]->(x) RETURN x
    list any likes <- person
""")


@pytest.mark.parametrize("cypher", SAID)
def test_a_query_comes_to_its_one_sentence(cypher: str) -> None:
    assert "".join(find_canonical_moves(cinema(), cypher)) == f" {SAID[cypher]}"


@pytest.mark.parametrize(
    ("cypher", "problem"),
    [
        ("MATCH (f:Film) DELETE f", "'DELETE' at offset 15, where MATCH, WITH or RETURN is"),
        ("MATCH (f:Film RETURN f", "where ')' is read"),
        ("MATCH (f:Flim) RETURN f", "no node with the label 'Flim'"),
        ("MATCH (f:Film)-[:WON]->(p:Person) RETURN f", "no 'WON' (out) leads from 'film'"),
        ("MATCH (f:Film)-[:ACTED_IN]->(p:Person) RETURN f", "no 'ACTED_IN' (out) leads"),
        ("MATCH (f:Film) RETURN f.budget", "no label has a property 'budget'"),
        ("MATCH (f:Film) RETURN f.born", "the language has no ' born'"),
        ("MATCH (p:Person {name: 'Bob'}) RETURN p", "'Bob' is no linked value of Person's name"),
        ("MATCH (p:Person {name: $who}) RETURN p", "where a value is read"),
        (
            "MATCH (a:Person)-[:KNOWS]-(b:Person)-[:KNOWS]-(a) RETURN a",
            "has no ' same'",
        ),
        ("MATCH (a:Person), (b:Film) RETURN a", "the language has no ' besides'"),
        ("MATCH (f:Film) RETURN f LIMIT 7", "the language has no ' limit 7'"),
        ("MATCH (f:Film) RETURN sum(f.title)", "the language has no"),
        ("MATCH (f:Film) RETURN g", "'g' cannot be returned, or ordered by"),
        ("MATCH (f:Film) RETURN upper(f.title)", "upper(…) cannot be returned"),
        (
            "MATCH (p:Person)-[:KNOWS*1..3]-(q:Person) RETURN p",
            "where one relationship of one",
        ),
        ("CALL db.labels()", "a procedure or subquery (CALL), at offset 0"),
        ("MATCH (f:Film) RETURN f ¬", "is no Cypher"),
    ],
)
def test_what_cannot_be_said_is_refused(cypher: str, problem: str) -> None:
    with pytest.raises(CypherReadError) as caught:
        find_canonical_moves(cinema(), cypher)
    assert problem in caught.value.problem


def test_parameters_stand_for_literals() -> None:
    one = find_canonical_moves(cinema(), "MATCH (p:Person {name: $who}) RETURN p", {"who": "Ann"})
    assert one == find_canonical_moves(cinema(), "MATCH (p:Person {name: 'Ann'}) RETURN p")


def test_values_that_are_said_alike_are_all_meant() -> None:
    """Two days that a question may mean, linked under one name."""
    days = [StoredValue("Film", "released", f"199{n}-05-01", "DATE") for n in (0, 1)]
    language = CypherLanguage(CINEMA, [NamedValue("day", day) for day in days])
    for day in days:
        cypher = f"MATCH (f:Film WHERE f.released = date('{day.value}')) RETURN f"
        moves = find_canonical_moves(language, cypher)
        assert "".join(moves) == " list film released day"
    found = language.values(follow_moves(language, moves))
    assert [query.params for query in found] == [{"v0": "1990-05-01"}, {"v1": "1991-05-01"}]
    assert "x0.`released` = date($v0)" in found[0].text


def test_literals_are_linked_to_all_that_they_can_be() -> None:
    found = find_linked_literals(
        CINEMA, 'MATCH (x {name: "Ann"})-[:ACTED_IN]->(f {year: 1990}) RETURN f'
    )
    assert found == (
        StoredValue("Country", "name", "Ann"),
        StoredValue("Person", "name", "Ann"),
        StoredValue("Film", "year", 1990, "INTEGER"),
    )


@pytest.mark.slow
@law
@given(schema_worlds(), seeds)
def test_query_to_sentence_to_query_is_one(world: SchemaWorld, seed: int) -> None:
    """A sentence's Cypher reads as its query, and its canonical sentence is its own."""
    language = world.language()
    if language.is_empty():
        return
    _, state = make_random_sentence(language, Random(seed))
    try:
        moves = spell_query(language, state.query)
    except CypherReadError:
        assert world.options.is_wide  # a few contradictions have no canonical sentence
        return
    canonical = follow_moves(language, moves)
    assert spell_query(language, canonical.query) == moves
    for query in language.values(canonical):
        again = find_canonical_moves(language, query.text, query.params)
        assert len(again) == len(moves)
        assert query in language.values(follow_moves(language, again))


@pytest.mark.slow
@law
@given(schema_worlds(), seeds)
def test_every_value_is_bound_where_it_belongs(world: SchemaWorld, seed: int) -> None:
    language = world.language()
    if language.is_empty():
        return
    _, state = make_random_sentence(language, Random(seed))
    for query in language.values(state):
        graph = read_query(language, query.text, query.params)
        assert len(graph.nodes) == sum(node.same is None for node in state.query.nodes)
        assert len(graph.edges) == sum(bool(edge.type) for edge in state.query.edges)


def test_numbered_values_have_names_of_their_own() -> None:
    values = number_values([StoredValue("Film", "title", "A"), StoredValue("Film", "title", "B")])
    assert [value.name for value in values] == ["v0", "v1"]
