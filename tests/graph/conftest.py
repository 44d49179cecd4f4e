"""What tests over a real Neo4j share."""

from __future__ import annotations

import pytest

from graph.police import POLICE
from trellis.graph.connection import GraphConnection
from trellis.graph.indexing import index_graph


@pytest.fixture
async def police(clean_graph: GraphConnection) -> GraphConnection:
    await clean_graph.run_write(POLICE)
    await index_graph(clean_graph)
    return clean_graph
