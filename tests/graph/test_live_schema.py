"""What the schema says of a graph that is looked at whole, and of one that is sampled; and that it
is given away only when what questions read of it was built, in a thread."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bench.database import schemas
from bench.made.wide_graph import WideGraph
from trellis.domain.graphs.schema import PropertyKind, Schema
from trellis.graph.cached_graph import CachedGraph
from trellis.graph.database.connection import GraphConnection
from trellis.graph.neighbourhoods.trie_files import TrieFiles
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.graph.schema.live import read_live_schema
from trellis.graph.schema.sampling import Extent
from trellis.settings import Settings
from trellis.steps.link.vocabulary.schema_vocabulary import SchemaVocabulary
from trellis.wiring.assemble import build_graph

_OFFICE = """
UNWIND range(1, 400) AS i
CREATE (p:Person {code: 'p' + i, rank: ['low', 'high'][i % 2], born: date('1990-01-01'),
                  score: i / 2.0, tags: ['a', 'b'], about: $long}),
       (c:Case {number: i, state: ['open', 'shut', 'lost'][i % 3]}),
       (p)-[:WORKS_ON {since: 2000 + i % 4}]->(c)
WITH p, c, i WHERE i <= 40
CREATE (d:Deputy:Person {code: 'd' + i}), (d)-[:WORKS_ON]->(c), (p)-[:REPORTS_TO]->(d),
       (c)-[:`odd ``type`]->({nameless: true})
"""
_RARE = "CREATE (:Rare {only: 'one'})-[:RARELY {how: 'so'}]->(:Rare)"
SAMPLED = {"NODE": Extent(0, 300), "RELATIONSHIP": Extent(0, 200)}
WHOLE = {"NODE": Extent(10_000, 10), "RELATIONSHIP": Extent(10_000, 10)}


@pytest.fixture
async def office(clean_graph: GraphConnection) -> AsyncIterator[GraphConnection]:
    await clean_graph.run_write(_OFFICE, long="very long " * 50)
    await clean_graph.run_write(_RARE)
    unique = "CREATE CONSTRAINT office_code FOR (p:Person) REQUIRE p.code IS UNIQUE"
    await clean_graph.run_command(unique)
    await clean_graph.run_command("CREATE INDEX office_state FOR (c:Case) ON (c.state)")
    await clean_graph.run_command("CALL db.awaitIndexes(60)")
    yield clean_graph
    await clean_graph.run_command("DROP CONSTRAINT office_code")
    await clean_graph.run_command("DROP INDEX office_state")


def found(schema: Schema, label: str, name: str) -> PropertyKind:
    kind = schema.label(label)
    one = kind.property(name) if kind else None
    assert one, f"{label}.{name}"
    return one


async def test_a_small_graph_is_known_to_the_last_node(office: GraphConnection) -> None:
    schema = await read_live_schema(office, extents=WHOLE)
    assert [(kind.label, kind.count) for kind in schema.labels] == [
        ("Case", 400),
        ("Deputy", 40),
        ("Person", 440),
        ("Rare", 2),
    ]
    assert {(r.type, r.start_label, r.end_label): r.count for r in schema.relationships} == {
        ("RARELY", "Rare", "Rare"): 1,
        ("REPORTS_TO", "Person", "Deputy"): 40,
        ("REPORTS_TO", "Person", "Person"): 40,
        ("WORKS_ON", "Deputy", "Case"): 40,
        ("WORKS_ON", "Person", "Case"): 440,
        ("odd `type", "Case", ""): 40,
    }
    assert not schema.estimated
    assert found(schema, "Person", "rank").values == ("high", "low")
    assert found(schema, "Person", "rank").share == pytest.approx(400 / 440, abs=0.001)
    assert found(schema, "Rare", "only").share == 0.5
    code = found(schema, "Person", "code")
    assert (code.unique, code.indexed, code.values) == (True, True, ())
    assert len(code.examples) == 5
    for name, type_, values in (
        ("born", "DATE", ("1990-01-01",)),
        ("score", "FLOAT", None),
        ("tags", "LIST<STRING>", ()),
        ("about", "STRING", ()),
    ):
        assert found(schema, "Person", name).type == type_
        assert values is None or found(schema, "Person", name).values == values
    [since] = schema.relationship_properties["WORKS_ON"]
    assert (since.name, since.type, since.values) == ("since", "INTEGER", (2000, 2001, 2002, 2003))
    assert "REPORTS_TO" not in schema.relationship_properties


async def test_a_large_graph_is_sampled_and_nothing_named_is_missed(
    office: GraphConnection,
) -> None:
    whole = await read_live_schema(office, extents=WHOLE)
    schema = await read_live_schema(office, extents=SAMPLED)
    assert [(kind.label, kind.count) for kind in schema.labels] == [
        (kind.label, kind.count) for kind in whole.labels
    ]
    assert schema.estimated
    assert [(r.type, r.start_label, r.end_label) for r in schema.relationships] == [
        (r.type, r.start_label, r.end_label) for r in whole.relationships
    ]
    assert found(schema, "Rare", "only").type == "STRING"
    assert schema.relationship_properties.keys() == whole.relationship_properties.keys()
    assert schema.fingerprint == whole.fingerprint


async def test_few_values_of_a_sample_are_all_only_where_an_index_says_so(
    office: GraphConnection,
) -> None:
    schema = await read_live_schema(office, extents=SAMPLED)
    assert found(schema, "Case", "state").values == ("lost", "open", "shut")
    rank = found(schema, "Person", "rank")
    assert (rank.values, sorted(rank.examples)) == ((), ["high", "low"])


async def test_listed_values_are_all_or_none(office: GraphConnection) -> None:
    more = "UNWIND range(401, 1500) AS i CREATE (:Case {number: i, state: 'open'})"
    await office.run_write(more)
    await office.run_write("MATCH (c:Case {number: 1499}) SET c.state = 'never seen'")
    for drawn in (5, 50, 500, 2000):
        few = {"NODE": Extent(0, drawn), "RELATIONSHIP": Extent(0, drawn)}
        values = found(await read_live_schema(office, extents=few), "Case", "state").values
        assert values in ((), ("lost", "never seen", "open", "shut"))


async def test_types_whose_ends_are_settled_are_counted_exactly(
    clean_graph: GraphConnection,
) -> None:
    await clean_graph.run_write(
        "UNWIND range(1, 60) AS i CREATE (:A)-[:TO]->(:B), (:C)-[:TO]->(:B), (:A)-[:AT]->(:C)"
    )
    schema = await read_live_schema(clean_graph, extents=SAMPLED)
    assert {(r.type, r.start_label, r.end_label): r.count for r in schema.relationships} == {
        ("AT", "A", "C"): 60,
        ("TO", "A", "B"): 60,
        ("TO", "C", "B"): 60,
    }
    assert not schema.estimated


async def test_the_fingerprint_notices_names_types_and_pairs_not_counts(
    clean_graph: GraphConnection,
) -> None:
    await clean_graph.run_write("CREATE (:A {x: 1})-[:TO]->(:B {y: 'a'})")
    prints = [(await read_live_schema(clean_graph)).fingerprint]
    await clean_graph.run_write("CREATE (:A {x: 2})-[:TO]->(:B {y: 'b'})")
    assert (await read_live_schema(clean_graph)).fingerprint == prints[0]
    for change in (
        "MATCH (a:A), (b:B) WITH a, b LIMIT 1 CREATE (b)-[:TO]->(a)",
        "MATCH (a:A) SET a.z = true",
        "MATCH (b:B) SET b.y = 1.5",
        "CREATE (:C)",
    ):
        await clean_graph.run_write(change)
        prints.append((await read_live_schema(clean_graph)).fingerprint)
    assert len(set(prints)) == 5


async def test_an_empty_graph_has_an_empty_schema(clean_graph: GraphConnection) -> None:
    schema = await read_live_schema(clean_graph)
    assert (schema.labels, schema.relationships, schema.nodes, schema.edges) == ((), (), 0, 0)


async def test_odd_values_are_no_examples(clean_graph: GraphConnection) -> None:
    await clean_graph.run_write(
        "CREATE (:Odd {x: 0.0 / 0.0, y: 1.0 / 0.0, z: 1, w: duration('P1D'), v: 1.5}),"
        " (:Odd {x: 1.0, y: 2.0, z: 'one', w: duration('P2D'), v: 2.5})"
    )
    schema = await read_live_schema(clean_graph)
    assert [found(schema, "Odd", name).values for name in "xyz"] == [(), (), ()]
    assert found(schema, "Odd", "x").examples == (1.0,)
    assert found(schema, "Odd", "w").values == ("P1D", "P2D")
    assert found(schema, "Odd", "v").values == (1.5, 2.5)


TOWN = "CREATE (:Person {name: 'Ada'})-[:OWES_A_QUOKKA_TO]->(:Person {name: 'Ben'})"


@pytest.mark.slow
async def test_a_schema_is_prepared_once_and_off_the_event_loop(
    clean_graph: GraphConnection, tmp_path: Path
) -> None:
    prepared: list[Schema] = []
    threads: set[int] = set()

    def prepare(schema: Schema) -> None:
        prepared.append(schema)
        threads.add(threading.get_ident())

    await clean_graph.run_write(TOWN)
    graph = CachedGraph(clean_graph, None, TrieFiles(tmp_path), prepare_schema=prepare)
    given = await asyncio.gather(*(graph.schema() for _ in range(8)))
    assert prepared == given[:1]
    assert threading.get_ident() not in threads


@pytest.mark.slow
async def test_the_graph_of_a_service_builds_the_schema_vocabulary(
    clean_graph: GraphConnection, tmp_path: Path
) -> None:
    await clean_graph.run_write(TOWN)
    settings = Settings(neo4j_uri=clean_graph.uri, cache=tmp_path, _env_file=None)
    schema = await build_graph(clean_graph, settings).schema()
    assert schema.uncounted.has_derived(SchemaVocabulary)


async def test_the_made_graph_of_many_kinds_is_what_it_says_and_is_measured(
    clean_graph: GraphConnection,
) -> None:
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
