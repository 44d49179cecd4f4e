"""The made graph of many kinds is what it says it is, and is measured."""

from __future__ import annotations

from bench import schemas
from bench.made.wide_graph import WideGraph
from trellis.graph.connection import GraphConnection
from trellis.graph.neo4j_graph import Neo4jGraph


async def test_it_has_as_many_kinds_as_asked_for(clean_graph: GraphConnection) -> None:
    size = WideGraph(nodes=200, edges=600, labels=4, types=20)
    figures = await schemas.measure_wide_graph(clean_graph, size)
    schema = await Neo4jGraph(clean_graph).schema()
    for number in range(size.labels):
        await clean_graph.run_command(f"DROP INDEX row_{number}")
    assert (schema.nodes, schema.edges, len(schema.labels)) == (200, 600, 4)
    assert len({kind.type for kind in schema.relationships}) == 20
    assert len(schema.relationships) == 22
    assert [one.name for one in figures] == [
        "schema, 200 nodes, 20 types",
        "procedures, 200 nodes, 20 types, 2 hops",
        "plain Cypher, 200 nodes, 20 types, 2 hops",
    ]
