"""The cost of the procedures inside Neo4j, on a graph made for it in an empty database."""

from __future__ import annotations

from statistics import median

from bench.figure import Figure, time_awaitable
from trellis.graph.database.connection import GraphConnection
from trellis.graph.neo4j_graph import Neo4jGraph

_HUB = """
CREATE (hub:Hub {name: 'hub'}) WITH hub
UNWIND range(1, $degree) AS i CREATE (hub)-[:HUB_OF]->(:Near {name: 'near ' + i, row: i})
"""
_FAR = "UNWIND range(1, $degree) AS i CREATE (:Far {name: 'far ' + i, row: i})"
_INDEX = "CREATE RANGE INDEX far_row IF NOT EXISTS FOR (n:Far) ON (n.row)"
_FAN = """
MATCH (near:Near) WHERE near.row % 10 = $part
UNWIND range(1, $fan) AS j
MATCH (far:Far {row: 1 + (7 * near.row + j) % $degree}) CREATE (near)-[:LEADS_TO]->(far)
"""


async def measure_procedures(
    connection: GraphConnection, degree: int = 10_000, fan: int = 10
) -> list[Figure]:
    """The time of a hub's neighbourhood, two hops; the hub is written into `connection`'s graph."""
    await connection.run_write(_HUB, degree=degree)
    await connection.run_write(_FAR, degree=degree)
    await connection.run_command(_INDEX)
    await connection.run_command("CALL db.awaitIndexes(60)")
    for part in range(10):
        await connection.run_write(_FAN, degree=degree, fan=fan, part=part)
    graph = Neo4jGraph(connection)
    [hub] = await connection.read_rows("MATCH (h:Hub) RETURN elementId(h) AS id")
    seconds, edges = [], 0
    for _ in range(30):
        neighbourhood, taken = await time_awaitable(
            graph.neighbourhood([hub["id"]], 2, edge_budget=1_000_000, names=False)
        )
        seconds.append(taken)
        edges = neighbourhood.edges
    return [
        Figure(
            f"neighbourhood procedure, hub of {degree:,}, 2 hops, {edges:,} entries, over Bolt",
            f"median {1000 * median(seconds):.0f} ms, best {1000 * min(seconds):.0f} ms",
            "1.1 s",
            f"{1.1 / median(seconds):.0f}",
        )
    ]
