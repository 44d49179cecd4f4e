"""The cost of the gate for a query, on a small graph made for it in an empty database."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from statistics import median

from bench.figure import Figure, time_awaitable
from trellis.domain.structures.cypher import CypherQuery
from trellis.graph.database.connection import GraphConnection
from trellis.graph.gate import Limits, Neo4jQueries

_FILL = """
UNWIND range(1, $count) AS i CREATE (a:Author {name: 'author ' + i})
WITH a, i UNWIND range(1, 5) AS j CREATE (a)-[:WROTE]->(:Book {name: 'book ' + i + '-' + j})
"""
_INDEX = "CREATE RANGE INDEX author_name IF NOT EXISTS FOR (n:Author) ON (n.name)"
_QUERY = """
MATCH (a:Author {name: $name})-[:WROTE]->(b:Book) WHERE b.name STARTS WITH 'book'
RETURN b.name AS %s ORDER BY b.name LIMIT 10
"""
_UNCOUNTED = 20
_PARAMS = {"name": "author 7"}


async def measure_gate(
    connection: GraphConnection, count: int = 1_000, repeats: int = 200
) -> list[Figure]:
    """Medians over `repeats` runs; a small graph is written into `connection`'s database."""
    await connection.run_write(_FILL, count=count)
    await connection.run_command(_INDEX)
    await connection.run_command("CALL db.awaitIndexes(60)")
    queries = Neo4jQueries(connection, Limits())
    known = CypherQuery(_QUERY % "book", _PARAMS)

    def write_new_query(number: int) -> CypherQuery:
        return CypherQuery(_QUERY % f"b{number}", _PARAMS)

    async def run_plain(_: int) -> None:
        await connection.read_rows(known.text, name=_PARAMS["name"])

    cold, plan = await _time_in_turns(
        repeats,
        lambda i: queries.explain(write_new_query(i)),
        lambda i: connection.explain_query(write_new_query(2 * repeats + i).text, _PARAMS),
    )
    [warm] = await _time_in_turns(repeats, lambda _: queries.explain(known))
    through, beside = await _time_in_turns(repeats, lambda _: queries.run(known), run_plain)
    return [
        _build_figure("gate, verdict on a new query (EXPLAIN, planning and all)", cold),
        _build_figure("… of which Neo4j's own EXPLAIN", plan),
        _build_figure("gate, verdict on a known query", warm),
        _build_figure("a known query through the gate", through),
        _build_figure("… the same query without the gate", beside),
    ]


async def _time_in_turns(
    repeats: int, *works: Callable[[int], Awaitable[object]]
) -> list[list[float]]:
    """Seconds of `repeats` runs of each work, run in turns; the first runs are not counted."""
    seconds: list[list[float]] = [[] for _ in works]
    for number in range(_UNCOUNTED + repeats):
        for work, taken in zip(works, seconds, strict=True):
            taken.append((await time_awaitable(work(number)))[1])
    return [taken[_UNCOUNTED:] for taken in seconds]


def _build_figure(name: str, seconds: list[float]) -> Figure:
    worst = sorted(seconds)[int(0.95 * len(seconds))]
    return Figure(name, f"median {1000 * median(seconds):.2f} ms, p95 {1000 * worst:.2f} ms")
