"""A real Neo4j for the tests that need one: started once, emptied before each."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from hypothesis import settings
from xdist.scheduler import LoadFileScheduling

from real_neo4j import GraphFiller, emptied, running_neo4j, skip_without_neo4j
from trellis.graph.database.connection import GraphConnection
from trellis.settings import Settings

settings.register_profile("trellis", deadline=None)  # no test may fail because a machine is busy
settings.load_profile("trellis")

SHARING = ("tests/engine", "tests/page")  # folders that start a server for all of their tests


class ServerScheduling(LoadFileScheduling):
    """Has one process run the tests of a file, and those of a folder that shares a server.

    A worker or a demo takes gigabytes: two of each are more than a small machine has.
    """

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        folder = file.rpartition("/")[0]
        return folder if folder in SHARING else file


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ServerScheduling:
    return ServerScheduling(config, log)


@pytest.fixture(scope="session")
def neo4j_uri(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Bolt address of a Neo4j of this test run, with the plugin and without a password."""
    folder = tmp_path_factory.mktemp("neo4j")
    skip_without_neo4j(folder)
    with running_neo4j(folder) as uri:
        yield uri


@pytest.fixture(scope="session")
def graph_settings(neo4j_uri: str) -> Settings:
    return Settings(neo4j_uri=neo4j_uri, _env_file=None)


@pytest.fixture(scope="session")
async def connection(graph_settings: Settings) -> AsyncIterator[GraphConnection]:
    async with GraphConnection(graph_settings) as opened:
        yield opened


@pytest.fixture
async def clean_graph(connection: GraphConnection) -> GraphConnection:
    """A connection to a database without nodes."""
    return await emptied(connection)


@pytest.fixture(scope="session")
def fill(connection: GraphConnection) -> GraphFiller:
    """Fills the database with what a query creates."""
    return GraphFiller(connection)
