"""The cost of the gate for a query, on a small graph made for it in an empty database."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from statistics import median

from trellis.domain.cypher import CypherQuery
from trellis.evaluation.benchmark.figure import Figure, timed_async
from trellis.graph.connection import GraphConnection
from trellis.graph.gate import Limits, Neo4jQueries

_MADE = """
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


async def figures(
    connection: GraphConnection, count: int = 1_000, repeats: int = 200
) -> list[Figure]:
    """Medians over `repeats` runs; a small graph is written into `connection`'s database."""
    await connection.write(_MADE, count=count)
    await connection.command(_INDEX)
    await connection.command("CALL db.awaitIndexes(60)")
    queries = Neo4jQueries(connection, Limits())
    known = CypherQuery(_QUERY % "book", _PARAMS)

    def new(number: int) -> CypherQuery:
        return CypherQuery(_QUERY % f"b{number}", _PARAMS)

    async def plain(_: int) -> None:
        await connection.read(known.text, name=_PARAMS["name"])

    cold, plan = await _measured(
        repeats,
        lambda i: queries.explain(new(i)),
        lambda i: connection.explained(new(2 * repeats + i).text, _PARAMS),
    )
    [warm] = await _measured(repeats, lambda _: queries.explain(known))
    through, beside = await _measured(repeats, lambda _: queries.run(known), plain)
    return [
        _figure("gate, verdict on a new query (EXPLAIN, planning and all)", cold),
        _figure("… of which Neo4j's own EXPLAIN", plan),
        _figure("gate, verdict on a known query", warm),
        _figure("a known query through the gate", through),
        _figure("… the same query without the gate", beside),
    ]


async def _measured(repeats: int, *works: Callable[[int], Awaitable[object]]) -> list[list[float]]:
    """Seconds of `repeats` runs of each work, run in turns; the first runs are not counted."""
    seconds: list[list[float]] = [[] for _ in works]
    for number in range(_UNCOUNTED + repeats):
        for work, taken in zip(works, seconds, strict=True):
            taken.append((await timed_async(work(number)))[1])
    return [taken[_UNCOUNTED:] for taken in seconds]


def _figure(what: str, seconds: list[float]) -> Figure:
    worst = sorted(seconds)[int(0.95 * len(seconds))]
    return Figure(what, f"median {1000 * median(seconds):.2f} ms, p95 {1000 * worst:.2f} ms")
