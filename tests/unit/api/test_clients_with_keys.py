"""OpenAI's clients, agents and conversations where keys are asked for and graphs are several."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import openai
import pytest

from memory_app import MemoryGraph
from unit.api.asking import QUESTION, ask
from unit.api.test_graphs import NOVEL, WORLD, two_graphs
from unit.api.test_key_access import Door, guarded


def open_openai(client: httpx.AsyncClient, key: str, root: str = "/v1") -> openai.AsyncOpenAI:
    address = f"http://trellis{root}"
    return openai.AsyncOpenAI(base_url=address, api_key=key, max_retries=0, http_client=client)


async def complete(client: httpx.AsyncClient, key: str, root: str = "/v1") -> str:
    messages: Any = [{"role": "user", "content": QUESTION}]
    asked = open_openai(client, key, root).chat.completions.create(
        model="trellis", messages=messages
    )
    return (await asked).choices[0].message.content or ""


async def call_tool(
    client: httpx.AsyncClient, headers: dict[str, str], root: str = "", **arguments: Any
) -> httpx.Response:
    """One call of a tool; the endpoint keeps no sessions, so that it needs nothing before."""
    accept = {"accept": "application/json, text/event-stream", **headers}
    params = {"name": arguments.pop("tool", "ask"), "arguments": arguments}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    return await client.post(f"{root}/mcp", json=message, headers=accept)


def read_key(headers: dict[str, str]) -> str:
    return headers["Authorization"].removeprefix("Bearer ")


async def test_openais_clients_send_a_key(tmp_path: Path) -> None:
    async with guarded(tmp_path) as door:
        assert (await complete(door.client, read_key(await door.key("ask")))).startswith("Paris")
        with pytest.raises(openai.AuthenticationError) as refused:
            await complete(door.client, "trl_none_none")
        assert refused.value.body["type"] == "authentication_error"
        with pytest.raises(openai.PermissionDeniedError, match="ask") as lacking:
            await complete(door.client, read_key(await door.key("retrieve")))
        assert lacking.value.body["type"] == "permission_error"


@pytest.mark.slow
async def test_a_tool_may_do_what_the_key_of_its_caller_may(tmp_path: Path) -> None:
    async with guarded(tmp_path, mcp_cypher=True) as door:
        assert (await call_tool(door.client, {}, question=QUESTION)).status_code == 401
        asking, looking = await door.key("ask"), await door.key("retrieve")
        told = (await call_tool(door.client, asking, question=QUESTION)).json()["result"]
        assert told["structuredContent"]["answers"] == ["Paris"]
        refused = await call_tool(door.client, looking, question=QUESTION)
        assert refused.json()["result"]["isError"]
        assert "ask" in refused.json()["result"]["content"][0]["text"]
        queried = await call_tool(door.client, asking, tool="run_cypher", query="RETURN 1")
        assert "cypher" in queried.json()["result"]["content"][0]["text"]
        found = await call_tool(door.client, looking, tool="find_entities", text="France")
        assert found.json()["result"]["structuredContent"]["entities"][0]["name"] == "France"


async def ask_within(door: Door, headers: dict[str, str], question: str) -> dict[str, Any]:
    return await ask(door.client, question, headers=headers, conversation="mine")


async def test_a_conversation_is_its_askers_alone(tmp_path: Path) -> None:
    async with guarded(tmp_path) as door:
        one, other = await door.key("ask"), await door.key("ask")
        await ask_within(door, one, QUESTION)
        assert "asked" not in await ask_within(door, other, "And of Germany?")
        told = await ask_within(door, one, "And of Germany?")
        assert told["asked"] == "What is the capital of Germany?"


@pytest.mark.slow
async def test_each_graph_has_its_own_models_tools_and_conversations(tmp_path: Path) -> None:
    world, novel = MemoryGraph(WORLD), MemoryGraph(NOVEL)
    async with two_graphs(tmp_path, world, novel) as (client, _):
        assert (await complete(client, "none")).startswith("Paris")
        assert (await complete(client, "none", "/v1/graphs/novel")).startswith("Versailles")
        with pytest.raises(openai.NotFoundError):
            await complete(client, "none", "/v1/graphs/nowhere")
        for root, name in (("", "Paris"), ("/v1/graphs/novel", "Versailles")):
            told = (await call_tool(client, {}, root, question=QUESTION)).json()["result"]
            assert told["structuredContent"]["answers"] == [name]
        await ask(client, conversation="mine")
        elsewhere = await ask(client, "And of Oz?", "/v1/graphs/novel", conversation="mine")
        assert "asked" not in elsewhere
