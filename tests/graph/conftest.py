"""What tests over a real Neo4j share."""

from __future__ import annotations

import pytest

from graph.police import POLICE
from real_neo4j import GraphFiller
from trellis.graph.database.connection import GraphConnection


@pytest.fixture
async def police(fill: GraphFiller) -> GraphConnection:
    return await fill(POLICE)
