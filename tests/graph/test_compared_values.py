"""Values of queries in a real Neo4j: orders, times and moments, and what a query's rows do not say
of the values that they depend on."""

from __future__ import annotations

from datetime import date

import pytest

from question_forms import make_form
from real_neo4j import GraphFiller
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.meaning.rendering import render_query
from trellis.automata.cypher.reading.queries import find_canonical_moves, read_query
from trellis.automata.cypher.sentences.canonical import follow_moves, spell_query
from trellis.automata.cypher.words.bound_values import number_values
from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.links import StoredValue
from trellis.domain.models.decoding import Sentence
from trellis.domain.replies.reply import Answer, Judgement
from trellis.domain.structures.cypher import CypherQuery
from trellis.graph.gate import Limits, Neo4jQueries
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.steps.align.queries.held_in_time import hold_in_time
from trellis.steps.conclude.queries.check_values import (
    drop_excluded_answers,
    find_ties,
    find_unknown_values,
)
from trellis.steps.describe.queries.read_meaning import read_meaning
from trellis.steps.ground.queries.run_queries import QueryRun

RIVERS = """
CREATE (:River {name: 'Rhine', `length km`: 1230}), (:River {name: 'Elbe', `length km`: 1094}),
       (:River {name: 'Oder', `length km`: 840}), (:River {name: 'Warta', `length km`: 840}),
       (:River {name: 'Po'})
"""

LONGER_THAN = (
    "MATCH (x0:River WHERE x0.name = $v0), (x1:River WHERE x1.`length km` > x0.`length km`)\n"
    "RETURN x1"
)
IS_LONGER = (
    "MATCH (x0:River WHERE x0.name = $v0), (x1:River WHERE x1.name = $v1)\n"
    "RETURN x0.`length km` > x1.`length km`"
)
LONGER_OF_TWO = (
    "MATCH (x0:River WHERE x0.name = $v0 OR x0.name = $v1)\n"
    "RETURN x0\nORDER BY x0.`length km` DESC\nLIMIT 1"
)
HOW_LONG = "MATCH (x0:River WHERE x0.name = $v0)\nRETURN x0.`length km`"
IS_LONG = "MATCH (x0:River WHERE x0.name = $v0)\nRETURN x0.`length km` > 1000"
WHICH_ARE_LONG = "MATCH (x0:River WHERE x0.`length km` > 1000)\nRETURN x0"
IN_ORDER = "MATCH (x0:River WHERE x0.`length km` IS NOT NULL)\nRETURN x0\nORDER BY x0.`length km`"


@pytest.fixture
async def queries(fill: GraphFiller) -> Neo4jQueries:
    return Neo4jQueries(await fill(RIVERS, is_indexed=False), Limits())


@pytest.mark.parametrize(
    ("text", "names", "unknown"),
    [
        (LONGER_THAN, ("Po",), ["Po"]),
        (LONGER_THAN, ("Elbe",), []),
        (IS_LONGER, ("Po", "Elbe"), ["Po"]),
        (IS_LONGER, ("Elbe", "Po"), ["Po"]),
        (IS_LONGER, ("Elbe", "Rhine"), []),
        (LONGER_OF_TWO, ("Rhine", "Po"), ["Po"]),
        (LONGER_OF_TWO, ("Rhine", "Elbe"), []),
        (HOW_LONG, ("Po",), ["Po"]),
        (HOW_LONG, ("Rhine",), []),
        (IS_LONG, ("Po",), ["Po"]),
        (IS_LONG, ("Rhine",), []),
        (HOW_LONG, ("Acheron",), []),  # there is no such node: another matter
        (WHICH_ARE_LONG, (), []),
        (f"{IN_ORDER}\nLIMIT 1", (), []),
        ("CALL db.labels()", (), []),
    ],
)
async def test_a_value_that_a_query_depends_on_is_known_or_told(
    queries: Neo4jQueries, text: str, names: tuple[str, ...], unknown: list[str]
) -> None:
    params = {f"v{number}": name for number, name in enumerate(names)}
    meaning = read_meaning(CypherQuery(text, params))
    told = " and ".join(f"no length km is known for {name}" for name in unknown)
    assert await find_unknown_values(queries, meaning) == told


@pytest.mark.parametrize(
    ("text", "note"),
    [
        (
            f"{IN_ORDER}\nLIMIT 1",
            "more than 1 share the place: the next one has the same length km, 840",
        ),
        (f"{IN_ORDER}\nLIMIT 2", ""),  # the third is longer
        (f"{IN_ORDER} DESC\nLIMIT 1", ""),
        (
            f"{IN_ORDER} DESC\nLIMIT 3",
            "more than 3 share the place: the next one has the same length km, 840",
        ),
        (f"{IN_ORDER}\nSKIP 1\nLIMIT 1", ""),
        (f"{IN_ORDER}\nLIMIT 4", ""),  # there is no fifth
        (f"{IN_ORDER}\nLIMIT 9", ""),
        (IN_ORDER, ""),
        (WHICH_ARE_LONG, ""),
        ("MATCH (x0:River) RETURN x0.name", ""),
    ],
)
async def test_those_that_share_the_last_place_are_told(
    queries: Neo4jQueries, text: str, note: str
) -> None:
    query = CypherQuery(text)
    run = QueryRun("", 0.0, query, await queries.run(query))
    meaning = read_meaning(query)
    assert meaning
    assert await find_ties(queries, run, meaning) == note


async def test_a_query_without_rows_has_no_ties(queries: Neo4jQueries) -> None:
    query = CypherQuery(f"{IN_ORDER}\nLIMIT 1")
    refused = QueryRun("", 0.0, query, problem="refused")
    assert await find_ties(queries, refused, read_meaning(query)) == ""


def test_what_is_denied_a_relationship_to_itself_is_no_answer() -> None:
    text = (
        "MATCH (x0:Country)\nWHERE NOT EXISTS {\n"
        "  MATCH (x0)-[:BORDERS]->(x1:Country WHERE x1.name = $v0)\n}\nRETURN x0"
    )
    meaning = read_meaning(CypherQuery(text, {"v0": "Brazil"}))
    assert meaning
    answers = tuple(Answer(Node(name, name), 0.9) for name in ("Brazil", "Chile"))
    left = drop_excluded_answers(Judgement(answers, 0.9), meaning)
    assert [answer.node.name for answer in left.answers] == ["Chile"]
    assert left.notes == ("Brazil, which the question excludes, is among the rows but no answer",)
    alone = drop_excluded_answers(Judgement(answers[:1], 0.9), meaning)
    assert (alone.answers, alone.claims_none) == ((), True)
    assert drop_excluded_answers(Judgement(answers[1:], 0.9), meaning).notes == ()
    assert drop_excluded_answers(Judgement(answers, 0.9), None).answers == answers


FALLS = """
CREATE (a:Region {name: 'North'}), (b:Region {name: 'South'}), (c:Region {name: 'Far'}),
  (:Falls {name: 'Veil', height: 979})-[:IN]->(a), (:Falls {name: 'Roar'})-[:IN]->(a),
  (:Falls {name: 'Step', height: 12})-[:IN]->(b), (:Falls {name: 'Hush'})-[:IN]->(c)
"""


@pytest.mark.parametrize(
    ("asked", "first"),
    [
        ("MATCH (f:Falls) RETURN f.name ORDER BY f.height DESC LIMIT 1", "Veil"),
        ("MATCH (f:Falls) RETURN f.name ORDER BY f.height LIMIT 1", "Step"),
        ("MATCH (f:Falls) RETURN f.name ORDER BY f.height DESC, f.name DESC LIMIT 3", "Veil"),
        ("MATCH (f:Falls) RETURN DISTINCT f.height ORDER BY f.height DESC LIMIT 1", "979"),
        (
            "MATCH (f:Falls) WITH f ORDER BY f.height DESC LIMIT 1 "
            "MATCH (f)-[:IN]->(r) RETURN r.name",
            "North",
        ),
        (
            "MATCH (f:Falls)-[:IN]->(r) RETURN r.name, avg(f.height) ORDER BY avg(f.height) DESC",
            "North",
        ),
        (
            "MATCH (f:Falls)-[:IN]->(r) RETURN r.name, max(f.height) AS m ORDER BY m DESC LIMIT 1",
            "North",
        ),
        (
            "MATCH (f:Falls WHERE f.height IS NOT NULL) RETURN f.name ORDER BY f.height DESC",
            "Veil",
        ),
    ],
)
async def test_what_is_not_known_comes_last(fill: GraphFiller, asked: str, first: str) -> None:
    """To Neo4j, null is greater than all values."""
    meaning = read_meaning(CypherQuery(asked))
    assert meaning
    [query] = render_query(meaning.graph, meaning.values)
    queries = Neo4jQueries(await fill(FALLS), Limits())
    assert str((await queries.run(query)).rows[0][0]) == first
    assert read_meaning(query) == meaning


FERRIES = """
CREATE (:Ferry {name: 'Elva', leaves: datetime('2024-06-01T22:00:00-04:00'),
                takes: duration('PT45M'), boards: time('09:30:00+02:00')}),
       (:Ferry {name: 'Fife', leaves: datetime('2024-06-02T02:00:00Z'),
                takes: duration('PT2H'), boards: time('11:00:00-05:00')}),
       (:Ferry {name: 'Gyda', leaves: datetime('2024-06-02T09:00:00+09:00'),
                takes: duration('P1DT1H'), boards: time('23:15:00+02:00')})
"""
LINKED = (
    StoredValue("", "", "2024-06-02", "ZONED DATETIME"),
    StoredValue("", "", "PT2H", "DURATION"),
    StoredValue("", "", "11:00", "ZONED TIME"),
    StoredValue("Ferry", "name", "Fife"),
)
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
async def test_times_are_compared_as_people_do(fill: GraphFiller, query: str, found: str) -> None:
    """Days, instants in several zones, times of day and lengths of time."""
    ferries = await fill(FERRIES)
    queries = Neo4jQueries(ferries, Limits())
    language = CypherLanguage(await Neo4jGraph(ferries).schema(), number_values(LINKED))
    moves = find_canonical_moves(language, query)
    state = follow_moves(language, moves)
    [rendered, *_] = language.values(state)
    rows = await queries.run(rendered)
    assert sorted(row[0] for row in rows.rows) == found.split()
    again = read_query(language, rendered.text, rendered.params)
    assert spell_query(language, again) == moves
    meaning = read_meaning(rendered)
    assert meaning is not None
    if not any(each.reference for each in meaning.graph.iterate_filters()):
        [explaining] = render_query(meaning.graph, meaning.values)  # as what explains answers does
        assert (await queries.run(explaining)).rows == rows.rows


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
    fill: GraphFiller, question: str, keepers: set[str]
) -> None:
    """With an end, without one, and without a beginning."""
    lights = await fill(LIGHTS)
    language = CypherLanguage(await Neo4jGraph(lights).schema(), ())
    moves = find_canonical_moves(language, "MATCH (k:Keeper)-[:KEEPS]->(:Light) RETURN k.name")
    state = follow_moves(language, moves)
    sentence = Sentence(state.text, (), language.values(state), 0.0, 1)
    form = make_form(question, (), language.known.schema)
    [held] = hold_in_time(form, [sentence], language, date(2026, 3, 5))
    rows = await Neo4jQueries(lights, Limits()).run(held.values[0])
    assert {row[0] for row in rows.rows} == keepers
