"""What the columns of a query's rows are called."""

from __future__ import annotations

from dataclasses import replace

import pytest

from trellis.automata.cypher.words.indexed_schema import IndexedSchema
from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.schema import LabelKind, RelationshipKind, Schema
from trellis.domain.replies.reply import Answer
from trellis.domain.structures.cypher import CypherQuery, Rows
from trellis.steps.conclude.answer_table import build_answer_table
from trellis.steps.describe.queries.columns import name_columns
from trellis.steps.describe.queries.read_meaning import read_meaning
from unit.automata.cypher.cinema import kinds

ATLAS = IndexedSchema(
    Schema(
        (
            LabelKind("City", 9, "name", kinds(name="STRING", population="INTEGER")),
            LabelKind("Continent", 6, "name", kinds(name="STRING")),
            LabelKind(
                "Country",
                9,
                "name",
                kinds(name="STRING", area_km2="FLOAT", population="INTEGER", founded="DATE"),
            ),
            LabelKind("River", 9, "name", kinds(name="STRING", length_km="INTEGER")),
        ),
        (
            RelationshipKind("BORDERS", "Country", "Country", 9),
            RelationshipKind("FLOWS_THROUGH", "River", "Country", 9),
            RelationshipKind("HAS_CAPITAL", "Country", "City", 9),
            RelationshipKind("IN_CONTINENT", "Country", "Continent", 9),
        ),
        nodes=51,
        edges=63,
        fingerprint="atlas",
        relationship_properties={"HAS_CAPITAL": kinds(since="INTEGER")},
    )
)
OF_COUNTRIES = "MATCH (c:Country)-[:IN_CONTINENT]->(k:Continent {name: 'Africa'})"
OF_CAPITALS = "MATCH (c:Country)-[h:HAS_CAPITAL]->(t:City)"


@pytest.mark.parametrize(
    ("query", "named"),
    [
        (f"{OF_COUNTRIES} RETURN DISTINCT c, c.population", ["country", "population"]),
        (f"{OF_COUNTRIES} RETURN c.name, c.area_km2", ["country", "area (km²)"]),
        (f"{OF_COUNTRIES} RETURN c, c.name", ["country", "name"]),
        (f"{OF_COUNTRIES} RETURN c.founded.year", ["year of founded"]),
        (f"{OF_COUNTRIES} RETURN count(c)", ["number of countries"]),
        (
            "MATCH (k:Continent)<-[:IN_CONTINENT]-(c:Country) "
            "RETURN k, count(DISTINCT c), avg(c.population), max(c.area_km2), sum(c.population)",
            [
                "continent",
                "number of countries",
                "average population",
                "highest area (km²)",
                "total population",
            ],
        ),
        (
            f"{OF_CAPITALS} RETURN c, t, c.population, t.population",
            ["country", "city", "country population", "city population"],
        ),
        (f"{OF_CAPITALS} RETURN t, h.since", ["city", "since"]),
        (
            "MATCH (c:Country)-[:BORDERS]->(d:Country) RETURN c, d",
            ["country 1", "country 2"],
        ),
        (
            "MATCH (c:Country)-[:BORDERS]->(d:Country {name: 'Peru'}) RETURN c, c.population",
            ["country", "population"],
        ),
        ("MATCH (r:River) RETURN r.name, collect(r.length_km)", ["river", "length (km)"]),
        ("MATCH (n) RETURN n", ["thing"]),
    ],
)
def test_columns_are_called_by_what_they_hold(query: str, named: list[str]) -> None:
    meaning = read_meaning(CypherQuery(query))
    assert meaning, query
    assert list(name_columns(meaning.graph, ATLAS)) == named


def table(query: str, rows: list[tuple[object, ...]], *answers: Node) -> Rows:
    meaning = read_meaning(CypherQuery(query))
    given = Rows(("x0", "x0.`population`")[: len(rows[0])], rows)
    return build_answer_table(given, meaning, ATLAS, [Answer(node, 1.0) for node in answers])


KENYA, CHAD, MALI = (Node(f"id {name}", name, ("Country",)) for name in ("Kenya", "Chad", "Mali"))
ROWS: list[tuple[object, ...]] = [(CHAD, 3), (MALI, 1), (KENYA, 2)]
UNORDERED = f"{OF_COUNTRIES} RETURN c, c.population"


def test_rows_come_in_the_order_of_the_answers_and_no_others_with_them() -> None:
    assert table(UNORDERED, ROWS, KENYA, CHAD).rows == [(KENYA, 2), (CHAD, 3)]


def test_rows_that_a_query_orders_stay_in_its_order() -> None:
    ordered = f"{UNORDERED} ORDER BY c.population DESC"
    assert table(ordered, ROWS, MALI, KENYA, CHAD).rows == ROWS


def test_what_several_nodes_are_ordered_by_is_shown() -> None:
    largest = "MATCH (c:Country) RETURN c ORDER BY c.area_km2 DESC LIMIT 2"
    nodes = [replace(node, properties={"area_km2": n}) for n, node in enumerate((CHAD, MALI))]
    shown = table(largest, [(node,) for node in nodes], *nodes)
    assert (shown.columns, shown.rows) == (
        ("country", "area (km²)"),
        [(nodes[0], 0), (nodes[1], 1)],
    )
    assert table(largest, [(nodes[0],)], nodes[0]).rows == [(nodes[0],)]
    said = "MATCH (c:Country) RETURN c, c.area_km2 ORDER BY c.area_km2 DESC LIMIT 2"
    assert table(said, [(node, 1) for node in nodes], *nodes).rows == [(n, 1) for n in nodes]
    counted = "MATCH (c:Country)-[:BORDERS]->(d:Country) RETURN c ORDER BY count(d) LIMIT 2"
    assert table(counted, [(node,) for node in nodes], *nodes).rows == [(n,) for n in nodes]


def test_a_row_of_several_answers_stays_where_one_of_them_is_given() -> None:
    lists: list[tuple[object, ...]] = [([CHAD, MALI], 1), ([KENYA], 2), (None, 3)]
    assert table(UNORDERED, lists, MALI).rows == [([CHAD, MALI], 1), (None, 3)]


def test_columns_of_a_query_that_cannot_be_read_stay() -> None:
    given = table("CALL db.labels()", ROWS, KENYA)
    assert (given.columns, given.rows) == (("x0", "x0.`population`"), [(KENYA, 2)])
