"""What held at a moment, in a real Neo4j: with an end, without one, and without a beginning."""

from __future__ import annotations

from datetime import date

import pytest

from question_forms import make_form
from trellis.automata.cypher.canonical import follow_moves
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.reading.queries import find_canonical_moves
from trellis.domain.decoding import Sentence
from trellis.graph.connection import GraphConnection
from trellis.graph.gate import Limits, Neo4jQueries
from trellis.graph.indexing import index_graph
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.steps.align.queries.held_in_time import hold_in_time

LIGHTS = """
CREATE (s:Light {name: 'Skarv'}),
  (:Keeper {name: 'Oda'})-[:KEEPS {since: date('1990-02-01'), until: date('2004-06-30')}]->(s),
  (:Keeper {name: 'Per'})-[:KEEPS {since: date('2004-07-01')}]->(s),
  (:Keeper {name: 'Una'})-[:KEEPS {until: date('1990-01-31')}]->(s)
"""


@pytest.mark.parametrize(
    ("question", "keepers"),
    [
        ("Who keeps it now?", {"Per"}),
        ("Who kept it in 2004?", {"Oda", "Per"}),
        ("Who kept it in 1950?", {"Una"}),
        ("Who kept it on 30 June 2004?", {"Oda"}),
        ("Who has kept it?", {"Oda", "Per", "Una"}),
    ],
)
async def test_only_what_held_then_is_found(
    clean_graph: GraphConnection, question: str, keepers: set[str]
) -> None:
    await clean_graph.run_write(LIGHTS)
    await index_graph(clean_graph)
    language = CypherLanguage(await Neo4jGraph(clean_graph).schema(), ())
    moves = find_canonical_moves(language, "MATCH (k:Keeper)-[:KEEPS]->(:Light) RETURN k.name")
    state = follow_moves(language, moves)
    sentence = Sentence(state.text, (), language.values(state), 0.0, 1)
    form = make_form(question, (), language.known.schema)
    [held] = hold_in_time(form, [sentence], language, date(2026, 3, 5))
    rows = await Neo4jQueries(clean_graph, Limits()).run(held.values[0])
    assert {row[0] for row in rows.rows} == keepers
