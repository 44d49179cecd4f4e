"""The tools for agents, called by the protocol's own client over both transports."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from memory_app import MemoryGraph, app_of, listening
from trellis.domain.errors import GraphUnavailableError
from trellis_command import TRELLIS, build_environment

TOOLS = ["ask", "find_entities", "get_evidence", "get_schema"]


@pytest.fixture
async def url(tmp_path: Path, graph: MemoryGraph) -> AsyncIterator[str]:
    async with listening(app_of(tmp_path, graph)) as address:
        yield address


@pytest.fixture(params=["http", "stdio"])
async def connect(request: pytest.FixtureRequest, url: str) -> Any:
    """What a client connects to: the service, or a command that calls it."""
    if request.param == "http":
        return lambda: Client(f"{url}/mcp")
    command = StdioServerParameters(
        command=str(TRELLIS), args=["mcp", "--url", url], env=build_environment()
    )
    return lambda: Client(stdio_client(command))


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    return dict(result.structured_content or {})


@pytest.mark.slow
async def test_an_agent_asks_and_looks_around(connect: Any) -> None:
    async with connect() as client:
        assert client.server_info.name == "trellis"
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == TOOLS
        assert all(tool.description and tool.annotations.read_only_hint for tool in tools)
        answer = await call(client, "ask", question="What is the capital of France?")
        assert answer["answers"] == ["Paris"]
        assert answer["evidence"] == [["France", "HAS_CAPITAL", "Paris"]]
        assert answer["text"].startswith("Paris [1]\n\n[1] France -HAS_CAPITAL-> Paris")
        earlier = [{"question": "What is the capital of France?", "answers": ["Paris"]}]
        follow = await call(client, "ask", question="And of Germany?", history=earlier)
        assert follow["asked"] == "What is the capital of Germany?"
        assert follow["answers"] == ["Berlin"]
        found = await call(client, "find_entities", text="France and Germany")
        assert [entity["name"] for entity in found["entities"]] == ["France", "Germany"]
        facts = await call(client, "get_evidence", names=["Germany"])
        assert ["Germany", "HAS_CAPITAL", "Berlin"] in facts["evidence"]
        assert not facts["cut"]
        schema = await call(client, "get_schema")
        assert schema["labels"][0]["label"] == "Thing"
        some = await call(client, "get_schema", kinds=["speaks"])
        assert ([it["type"] for it in some["relationships"]], some["labels"]) == (["SPEAKS"], [])


@pytest.mark.slow
async def test_what_goes_wrong_is_told_to_the_agent(connect: Any, graph: MemoryGraph) -> None:
    async with connect() as client:
        for tool, arguments, said in (
            ("ask", {"question": " "}, "the question is empty"),
            ("ask", {"question": "a\0b"}, "U+0000"),
            ("ask", {}, "question"),
            ("get_evidence", {"names": ["Atlantis"]}, "no node of the graph is called 'Atlantis'"),
            ("get_evidence", {"names": []}, "names"),
            ("get_evidence", {"names": ["France"], "hops": 9}, "hops"),
            ("run_cypher", {"query": "RETURN 1"}, "run_cypher"),
        ):
            result = await client.call_tool(tool, arguments)
            assert result.is_error
            assert said in result.content[0].text
        graph.fails = GraphUnavailableError("the graph is gone", "start it")
        result = await client.call_tool("ask", {"question": "What is the capital of France?"})
        assert result.is_error
        assert "the graph is gone; start it" in result.content[0].text
        graph.fails = None
        assert (await call(client, "ask", question="The capital of France?"))["answers"]


async def test_queries_may_be_allowed(tmp_path: Path, graph: MemoryGraph) -> None:
    async with (
        listening(app_of(tmp_path, graph, mcp_cypher=True)) as url,
        Client(f"{url}/mcp") as client,
    ):
        assert [tool.name for tool in (await client.list_tools()).tools] == [*TOOLS, "run_cypher"]


async def test_the_endpoint_can_be_turned_off(tmp_path: Path, graph: MemoryGraph) -> None:
    async with (
        listening(app_of(tmp_path, graph, mcp=False)) as url,
        httpx.AsyncClient(base_url=url) as http,
    ):
        assert (await http.post("/mcp", json={})).status_code == 404


async def test_pages_of_others_may_not_call(url: str) -> None:
    async with httpx.AsyncClient(base_url=url) as http:
        response = await http.post("/mcp", json={}, headers={"origin": "https://evil.example"})
        assert response.status_code == 403
        assert response.json()["detail"] == "a page of evil.example may not call tools"


@pytest.mark.slow
@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"null", b'{"method": 3}', b"\xff" * 100])
async def test_what_is_no_message_is_refused(url: str, content: bytes) -> None:
    kind = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
    async with httpx.AsyncClient(base_url=url) as http:
        response = await http.post("/mcp", content=content, headers=kind)
        assert 400 <= response.status_code < 500
        response = await http.post("/mcp", content=b"x" * 300_000, headers=kind)
        assert response.status_code == 413
    async with Client(f"{url}/mcp") as client:
        assert (await call(client, "ask", question="The capital of France?"))["answers"]


@pytest.mark.slow
def test_the_protocol_is_not_imported_before_it_is_used() -> None:
    script = "import sys, trellis.api.app, trellis.client; print('mcp' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout == "False\n", done.stderr
