"""Graphs as imports leave them: lists, numbers and flags as texts, one name in two spellings, two
relationships between the same nodes."""

from __future__ import annotations

import pytest

from graph.asking import ask_reader, list_names
from real_neo4j import GraphFiller
from trellis.automata.cypher.rendering import render_query
from trellis.domain.cypher import CypherQuery
from trellis.graph.connection import GraphConnection
from trellis.graph.gate import Limits, Neo4jQueries
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.steps.describe.queries.read_meaning import read_meaning
from trellis.steps.link.values.link_wide import link_wide_values

GARDEN = """
CREATE (f:Plant {name: 'Fern', habitats: ['forest', 'bog'], height: '95', evergreen: 'N'}),
       (p:Plant {name: 'Pine', habitats: ['forest', 'dune', 'heath'], height: '2400.5',
                 evergreen: 'Y'}),
       (r:Plant {name: 'Rush', habitats: ['bog'], height: '110', evergreen: 'Y'}),
       (m:Plant {name: 'Moss', habitats: ['roof'], height: '3', evergreen: 'N'}),
       (a:Gardener {name: 'Ines Wold', age: 30}), (b:Gardener {name: 'Tom Ard', age: 60}),
       (q:Theme {name: 'Quiet corner'}), (c:Theme {name: 'Quiet Corner'}),
       (v:Guide {title: 'Long Hedge, The'}),
       (a)-[:PLANTED {year: 2001}]->(f), (a)-[:PLANTED {year: 2009}]->(f), (b)-[:PLANTED]->(f),
       (f)-[:SUITS]->(q), (r)-[:SUITS]->(c)
"""


@pytest.fixture
async def garden(fill: GraphFiller) -> GraphConnection:
    return await fill(GARDEN)


@pytest.mark.parametrize(
    ("question", "linked"),
    [
        ("Which plants have the habitat bog?", {("habitats", "bog")}),
        ("Who wrote The Long Hedge?", {("title", "Long Hedge, The")}),
        ("What suits a quiet corner?", {("name", "Quiet corner"), ("name", "Quiet Corner")}),
    ],
)
async def test_values_are_linked_however_they_are_stored(
    garden: GraphConnection, question: str, linked: set[tuple[str, str]]
) -> None:
    mentions = await link_wide_values(question, Neo4jGraph(garden), None)
    links = [link.stored for mention in mentions for link in mention.links]
    assert linked <= {(stored.property, str(stored.value)) for stored in links}


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Which plants have the habitat bog?", {"Fern", "Rush"}),
        ("How many plants have the habitat forest?", {"2"}),
        ("Which plant has the greatest height?", {"Pine"}),
        ("Which plants have a height of more than 100?", {"Pine", "Rush"}),
        ("What is the average height of the plants?", {"652.125"}),
        ("Which plants are evergreen?", {"Pine", "Rush"}),
        ("Which plants are not evergreen?", {"Fern", "Moss"}),
        ("Is Fern evergreen?", {"no"}),
    ],
)
async def test_the_reader_asks_for_them_as_if_they_had_types(
    garden: GraphConnection, question: str, answers: set[str]
) -> None:
    reply = await ask_reader(garden, question)
    assert set(list_names(reply)) == answers, reply.reading


@pytest.mark.parametrize(
    ("asked", "value"),
    [
        ("MATCH (g:Gardener)-[:PLANTED]->(p:Plant {name: 'Fern'}) RETURN avg(g.age)", 45),
        ("MATCH (g:Gardener)-[:PLANTED]->(p:Plant {name: 'Fern'}) RETURN sum(g.age)", 90),
        ("MATCH (g:Gardener)-[r:PLANTED]->(:Plant) RETURN max(r.year)", 2009),
        ("MATCH (g:Gardener) RETURN avg(g.age)", 45),
    ],
)
async def test_a_node_that_is_matched_twice_counts_once(
    garden: GraphConnection, asked: str, value: float
) -> None:
    meaning = read_meaning(CypherQuery(asked))
    assert meaning
    [query] = render_query(meaning.graph, meaning.values)
    rows = await Neo4jQueries(garden, Limits()).run(query)
    assert [*rows.rows] == [(value,)]
    assert read_meaning(query) == meaning
