"""What made questions need to know of a graph: what names are linked to, and what runs back."""

from __future__ import annotations

from pathlib import Path

import pytest

from graph.trained import training_means
from real_neo4j import GraphFiller
from trellis.graph.connection import GraphConnection
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.steps.retrieve.queries.settings import CypherSettings
from trellis.training.tasks.name_kinds import find_name_kinds, find_symmetric_types

ATLAS = """
CREATE (chad:Country {name: 'Chad'}), (congo:Country {name: 'Congo'}),
       (mali:Country {name: 'Mali'}), (river:River {name: 'Congo'}), (niger:River {name: 'Niger'}),
       (chad)-[:BORDERS]->(congo), (congo)-[:BORDERS]->(chad),
       (chad)-[:`LIES``BY`]->(mali), (mali)-[:`LIES``BY`]->(chad),
       (chad)-[:HELPS]->(mali), (mali)-[:HELPS]->(chad), (mali)-[:HELPS]->(congo),
       (chad)-[:LEFT]->(congo),
       (niger)-[:CROSSES]->(mali), (mali)-[:CROSSES]->(niger)
"""


@pytest.fixture
async def atlas(fill: GraphFiller) -> GraphConnection:
    return await fill(ATLAS)


async def test_a_type_is_symmetric_where_each_relationship_has_one_that_runs_back(
    atlas: GraphConnection, tmp_path: Path
) -> None:
    means = training_means(atlas, tmp_path / "model")
    schema = await Neo4jGraph(atlas).schema()
    assert await find_symmetric_types(means, schema) == {"BORDERS", "LIES`BY"}


async def test_a_name_that_two_labels_share_is_linked_to_both(
    atlas: GraphConnection, tmp_path: Path
) -> None:
    means = training_means(atlas, tmp_path / "model")
    schema, settings = await Neo4jGraph(atlas).schema(), CypherSettings(is_wide=True)
    kinds = await find_name_kinds(means, schema, settings)
    country, river = ("Country", "name"), ("River", "name")
    assert sorted(map(sorted, kinds[river])) == [[country, river], [river]]
    assert sorted(map(sorted, kinds[country])) == [[country], [country], [country, river]]
