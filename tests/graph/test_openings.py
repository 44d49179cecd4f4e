"""Questions to begin with, of a real Neo4j: each names a node that has such a relationship."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from real_neo4j import emptied
from trellis.app.openings import list_openings
from trellis.app.trellis_app import TrellisApp
from trellis.graph.connection import GraphConnection
from trellis.graph.indexing import index_graph
from trellis.settings import Settings
from trellis.wiring import assemble_app

ODD = """
CREATE (a:`Odd ``label`` 😀` {name: 'Ada "the first"'})-[:`KNOWS `` OF`]->(b {name: 'nobody'}),
       (b)-[:OWES]->(:Bank {name: "O'Brien & sons"}),
       (:Bank)-[:OWNS]->(:Vault {name: 'vault 1'}),
       (:Bank {name: 'two\\nlines'})-[:HIDES]->(:Vault {name: 'vault 2'})
"""


@pytest.fixture
async def trellis_app(graph_settings: Settings, tmp_path: Path) -> AsyncIterator[TrellisApp]:
    store = f"sqlite+aiosqlite:///{tmp_path}/answers.db"
    settings = graph_settings.model_copy(update={"store_url": store})
    async with assemble_app(settings) as opened:
        yield opened


async def test_each_example_names_a_node_that_has_what_it_asks_for(
    police: GraphConnection, trellis_app: TrellisApp
) -> None:
    openings = await list_openings(trellis_app)
    kinds = (await trellis_app.graph.schema()).relationships
    told = {(it.start_label, it.type, it.end_label) for it in openings.kinds}
    nameless = ("O`dd", "IS`T", "Blank")
    assert {*told, nameless} == {(kind.start_label, kind.type, kind.end_label) for kind in kinds}
    for example in openings.kinds:
        rows = await police.read_rows(
            f"MATCH (n:`{example.start_label}`)-[:`{example.type}`]->(:`{example.end_label}`) "
            "WHERE $question CONTAINS n._trellis_name RETURN count(*) AS n",
            question=example.question,
        )
        assert rows[0]["n"], example
    assert openings.starters


async def test_odd_names_are_asked_about_and_nameless_nodes_are_not(
    connection: GraphConnection, trellis_app: TrellisApp
) -> None:
    await (await emptied(connection)).run_write(ODD)
    await index_graph(connection)
    openings = await list_openings(trellis_app)
    questions = {example.type: example.question for example in openings.kinds}
    assert 'Ada "the first"' in questions["KNOWS ` OF"]
    assert "nobody" in questions["OWES"]
    assert not {"OWNS", "HIDES"} & questions.keys()
