"""Days, instants in several zones, times of day and lengths of time, compared in a real Neo4j."""

from __future__ import annotations

import pytest

from trellis.automata.cypher.bound_values import number_values
from trellis.automata.cypher.canonical import follow_moves, spell_query
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.reading.queries import find_canonical_moves, read_query
from trellis.automata.cypher.rendering import render_query
from trellis.domain.links import StoredValue
from trellis.graph.connection import GraphConnection
from trellis.graph.gate import Limits, Neo4jQueries
from trellis.graph.indexing import index_graph
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.steps.describe.queries.read_meaning import read_meaning

FERRIES = """
CREATE (:Ferry {name: 'Elva', leaves: datetime('2024-06-01T22:00:00-04:00'),
                takes: duration('PT45M'), boards: time('09:30:00+02:00')}),
       (:Ferry {name: 'Fife', leaves: datetime('2024-06-02T02:00:00Z'),
                takes: duration('PT2H'), boards: time('11:00:00-05:00')}),
       (:Ferry {name: 'Gyda', leaves: datetime('2024-06-02T09:00:00+09:00'),
                takes: duration('P1DT1H'), boards: time('23:15:00+02:00')})
"""
_OTHERS = "MATCH (f:Ferry) MATCH (g:Ferry WHERE g.name = 'Fife') WHERE"


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("MATCH (f:Ferry) WHERE f.leaves = datetime('2024-06-02') RETURN f.name", "Fife Gyda"),
        ("MATCH (f:Ferry) WHERE f.leaves < datetime('2024-06-02') RETURN f.name", "Elva"),
        ("MATCH (f:Ferry) WHERE f.takes > duration('PT2H') RETURN f.name", "Gyda"),
        ("MATCH (f:Ferry) WHERE f.takes <= duration('PT2H') RETURN f.name", "Elva Fife"),
        ("MATCH (f:Ferry) WHERE f.takes = duration('PT2H') RETURN f.name", "Fife"),
        ("MATCH (f:Ferry) WHERE f.boards < time('11:00') RETURN f.name", "Elva"),
        ("MATCH (f:Ferry) WHERE f.boards = time('11:00') RETURN f.name", "Fife"),
        (f"{_OTHERS} f.leaves < g.leaves RETURN f.name", "Gyda"),
        (f"{_OTHERS} f.leaves = g.leaves RETURN f.name", "Elva Fife"),
        (f"{_OTHERS} f.takes > g.takes RETURN f.name", "Gyda"),
        ("MATCH (f:Ferry) RETURN f.name ORDER BY f.takes DESC LIMIT 1", "Gyda"),
    ],
)
async def test_times_are_compared_as_people_do(
    clean_graph: GraphConnection, query: str, found: str
) -> None:
    await clean_graph.run_write(FERRIES)
    await index_graph(clean_graph)
    values = [
        StoredValue("", "", value, type_)
        for value, type_ in (
            ("2024-06-02", "ZONED DATETIME"),
            ("PT2H", "DURATION"),
            ("11:00", "ZONED TIME"),
        )
    ]
    values.append(StoredValue("Ferry", "name", "Fife"))
    language = CypherLanguage(await Neo4jGraph(clean_graph).schema(), number_values(values))
    moves = find_canonical_moves(language, query)
    state = follow_moves(language, moves)
    [rendered, *_] = language.values(state)
    rows = await Neo4jQueries(clean_graph, Limits()).run(rendered)
    assert sorted(row[0] for row in rows.rows) == found.split()
    again = read_query(language, rendered.text, rendered.params)
    assert spell_query(language, again) == moves
    meaning = read_meaning(rendered)
    assert meaning is not None
    if not any(each.reference for each in meaning.graph.iterate_filters()):
        [explaining] = render_query(meaning.graph, meaning.values)  # as what explains answers does
        assert (await Neo4jQueries(clean_graph, Limits()).run(explaining)).rows == rows.rows
