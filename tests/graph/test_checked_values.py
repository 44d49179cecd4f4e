"""What a query's rows do not say of the values that they depend on, over a few rivers."""

from __future__ import annotations

import pytest

from real_neo4j import GraphFiller
from trellis.domain.cypher import CypherQuery
from trellis.domain.graph import Node
from trellis.domain.reply import Answer, Judgement
from trellis.graph.gate import Limits, Neo4jQueries
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
