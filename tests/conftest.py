"""A real Neo4j for the tests that need one: started once, emptied before each."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
from hypothesis import settings

from real_neo4j import emptied, running_neo4j, skip_without_neo4j
from trellis.graph.connection import GraphConnection
from trellis.settings import Settings

settings.register_profile("trellis", deadline=None)  # no test may fail because a machine is busy
settings.load_profile("trellis")

TOGETHER = ("engine", "page")  # folders that start a server for all of their tests


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The tests of a file run in one process, as do those of a folder that shares a server.

    A worker or a demo takes gigabytes: two at once, kept to the end, are more than a small
    machine has.
    """
    for item in items:
        folder = item.path.parent.name
        group = folder if folder in TOGETHER else str(item.path)
        item.add_marker(pytest.mark.xdist_group(group))


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
