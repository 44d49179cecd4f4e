"""Neo4j that is down, slow, restarted, locked or of another kind."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from real_neo4j import running_neo4j
from real_postgres import find_free_port
from trellis.cli.graphs.neo4j import build_neo4j_command, find_java
from trellis.cli.operation.children import start_command
from trellis.domain.errors import (
    GraphError,
    GraphTimeoutError,
    GraphUnavailableError,
    PluginMissingError,
    ServiceError,
)
from trellis.graph.database.connection import GraphConnection
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.settings import Settings


def settings(uri: str, **more: object) -> Settings:
    return Settings(neo4j_uri=uri, _env_file=None, **more)  # type: ignore[arg-type]


def outcome(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False)


def read_arguments(process_id: int) -> list[str]:
    """The arguments of a process, as everybody on the machine sees them."""
    return Path("/proc", str(process_id), "cmdline").read_text(encoding="utf-8").split("\0")


async def test_a_server_that_is_not_there_is_told_with_its_address() -> None:
    uri = f"bolt://127.0.0.1:{find_free_port()}"
    async with GraphConnection(settings(uri)) as connection:
        with pytest.raises(GraphUnavailableError, match=f"{uri}.*trellis neo4j"):
            await connection.verify_connectivity()


async def test_a_routed_address_and_a_database_by_name_serve_all_reads(neo4j_uri: str) -> None:
    routed = settings(neo4j_uri.replace("bolt://", "neo4j://"), neo4j_database="neo4j")
    async with GraphConnection(routed) as connection:
        await connection.run_write("MERGE (:Routed {name: 'here'})")
        graph = Neo4jGraph(connection)
        assert (await graph.read_status()).plugin
        assert (await graph.schema()).label("Routed")
        assert await connection.read_version()
        await connection.run_write("MATCH (n:Routed) DELETE n")


@pytest.mark.parametrize("scheme", ["bolt+s", "neo4j+s", "bolt+ssc"])
async def test_an_encrypted_address_is_not_spoken_to_in_the_clear(
    neo4j_uri: str, scheme: str
) -> None:
    secure = neo4j_uri.replace("bolt", scheme, 1)
    async with GraphConnection(settings(secure)) as connection:
        with pytest.raises(GraphUnavailableError, match=r"127\.0\.0\.1"):
            await connection.verify_connectivity()


async def test_a_database_that_is_not_there_is_told(neo4j_uri: str) -> None:
    async with GraphConnection(settings(neo4j_uri, neo4j_database="other")) as connection:
        with pytest.raises(GraphError, match="other"):
            await connection.read_rows("RETURN 1")


async def test_an_address_that_is_none_is_told() -> None:
    with pytest.raises(GraphUnavailableError, match="TRELLIS_NEO4J_URI"):
        GraphConnection(settings("nonsense://x"))


async def test_a_slow_query_is_ended_by_the_server(
    neo4j_uri: str, connection: GraphConnection
) -> None:
    slow = "UNWIND range(1, 1000000000) AS i WITH i WHERE i % 7 = 9 RETURN count(i)"
    async with GraphConnection(settings(neo4j_uri, query_timeout=0.5)) as hasty:
        with pytest.raises(GraphTimeoutError, match="TRELLIS_QUERY_TIMEOUT"):
            await hasty.read_rows(slow)
    assert (await connection.read_rows("RETURN 1 AS one"))[0]["one"] == 1


async def test_reads_cannot_write(clean_graph: GraphConnection) -> None:
    with pytest.raises(GraphError, match="read access mode"):
        await clean_graph.read_rows("CREATE (n:X) RETURN n")
    assert (await clean_graph.read_rows("MATCH (n:X) RETURN count(n) AS n"))[0]["n"] == 0


async def test_a_missing_procedure_and_a_broken_query_are_told(
    connection: GraphConnection,
) -> None:
    with pytest.raises(PluginMissingError, match="plugins folder"):
        await connection.read_rows("CALL trellis.no.such()")
    with pytest.raises(GraphError, match="SyntaxError"):
        await connection.read_rows("MATCH (n")


@pytest.mark.slow
async def test_a_restart_is_survived_and_a_password_minded(tmp_path: Path) -> None:
    port = find_free_port()
    uri = f"bolt://127.0.0.1:{port}"
    async with GraphConnection(settings(uri, neo4j_password="correct horse")) as connection:
        with running_neo4j(tmp_path, port, "correct horse") as ready:
            assert ready == uri
            await connection.run_write("CREATE (:Kept)")
            async with GraphConnection(settings(uri, neo4j_password="wrong horse")) as stranger:
                with pytest.raises(GraphUnavailableError, match="TRELLIS_NEO4J_PASSWORD"):
                    await stranger.verify_connectivity()
            locked = await asyncio.to_thread(outcome, build_neo4j_command(tmp_path, 0))
            assert locked.returncode == 1
            assert "in use by another Neo4j" in locked.stderr
        with pytest.raises(GraphUnavailableError):
            await connection.read_rows("MATCH (n:Kept) RETURN n")
        with running_neo4j(tmp_path, port, "correct horse"):
            rows = await connection.read_rows("MATCH (n:Kept) RETURN count(n) AS n")
            assert rows[0]["n"] == 1


@pytest.mark.slow
async def test_a_password_is_not_shown_among_the_arguments_of_the_process(tmp_path: Path) -> None:
    password = "correct horse"
    command = ["neo4j", "--data", str(tmp_path / "data"), "--bolt-port", "0"]
    with start_command(
        [*command, "--quick-start", "--password", password], os.environ, tmp_path
    ) as child:
        uri = child.wait_for_address()
        arguments = read_arguments(child.process.pid)
        assert "--bolt-port" in arguments
        assert not any(password in argument for argument in arguments)
        async with GraphConnection(settings(uri, neo4j_password=password)) as connection:
            assert await connection.read_version()
        async with GraphConnection(settings(uri)) as stranger:
            with pytest.raises(GraphUnavailableError, match="TRELLIS_NEO4J_PASSWORD"):
                await stranger.verify_connectivity()


def test_a_password_that_is_too_short_is_told(tmp_path: Path) -> None:
    command = ["neo4j", "--data", str(tmp_path / "data"), "--password", "short"]
    with (
        start_command(command, os.environ, tmp_path) as child,
        pytest.raises(ServiceError, match="at least 8 characters"),
    ):
        child.wait_for_address()


def test_a_taken_port_is_told(neo4j_uri: str, tmp_path: Path) -> None:
    port = int(neo4j_uri.rpartition(":")[2])
    said = outcome(build_neo4j_command(tmp_path, port))
    assert (said.returncode, said.stdout) == (1, "")
    assert f"port {port} is taken" in said.stderr


@pytest.fixture
def fake_java(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A `java` of version 11 in a JAVA_HOME."""
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text(f"#!{sys.executable}\nprint('openjdk version \"11.0.2\"')\n")
    java.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    return java


def test_java_that_is_old_or_missing_is_told(
    fake_java: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ServiceError, match="Java 11, Neo4j needs 17"):
        find_java()
    fake_java.unlink()
    with pytest.raises(ServiceError, match="no Java in JAVA_HOME"):
        find_java()
    monkeypatch.delenv("JAVA_HOME")
    monkeypatch.setenv("PATH", os.devnull)
    with pytest.raises(ServiceError, match="no Java on the PATH"):
        find_java()


def test_a_jar_that_is_not_built_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TRELLIS_NEO4J_JAR", str(tmp_path / "x.jar"))
    with pytest.raises(ServiceError, match="not built"):
        build_neo4j_command(tmp_path, 0)
