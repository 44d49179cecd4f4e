"""The LangChain retriever and tool: LangChain's own standard tests, and what they give."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langchain_core.tools import ToolException
from langchain_tests.integration_tests import RetrieversIntegrationTests, ToolsIntegrationTests
from langchain_tests.unit_tests import ToolsUnitTests

from memory_app import MemoryGraph, app_of, listening
from trellis.client.langchain_tools import TrellisRetriever, TrellisTool
from trellis.domain.errors import QuestionError, UnreachableError

QUESTION = "What is the capital of France?"


@pytest.fixture(scope="module", autouse=True)
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A service in a thread of its own: the standard tests hold theirs."""
    thread = _Service(tmp_path_factory.mktemp("store"))
    with thread as url:
        Standard.url = url
        yield url


class _Service:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._ready = threading.Event()
        self._url = ""
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()))

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        async with listening(app_of(self._folder, MemoryGraph())) as self._url:
            self._ready.set()
            await self._stop.wait()

    def __enter__(self) -> str:
        self._thread.start()
        assert self._ready.wait(60)
        return self._url

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(60)


class Standard:
    """What the standard tests are told of the service."""

    url = ""

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return {"url": Standard.url}

    @property
    def tool_constructor_params(self) -> dict[str, Any]:
        return {"url": Standard.url}

    @property
    def tool_invoke_params_example(self) -> dict[str, Any]:
        return {"question": QUESTION}


class TestRetriever(Standard, RetrieversIntegrationTests):
    @property
    def retriever_constructor(self) -> type[TrellisRetriever]:
        return TrellisRetriever

    @property
    def retriever_query_example(self) -> str:
        return QUESTION


class TestTool(Standard, ToolsIntegrationTests):
    @property
    def tool_constructor(self) -> type[TrellisTool]:
        return TrellisTool


class TestToolAlone(Standard, ToolsUnitTests):
    @property
    def tool_constructor(self) -> type[TrellisTool]:
        return TrellisTool


async def test_the_facts_of_the_answer_come_first(service: str) -> None:
    first, second, third = await TrellisRetriever(url=service, k=3).ainvoke(QUESTION)
    assert first.page_content == "France -HAS_CAPITAL-> Paris"
    assert first.metadata["answers"] == ["Paris"]
    assert first.metadata["reading"] == "the capital of France"
    assert {second.page_content, third.page_content} == {
        "France -BORDERS-> Germany",
        "France -SPEAKS-> French",
    }
    assert second.metadata == {"source": service, "answers": []}


async def test_what_is_not_answered_has_no_documents(service: str) -> None:
    assert await TrellisRetriever(url=service).ainvoke("Как зовут столицу Атлантиды?") == []


async def test_the_tool_gives_the_answer_and_the_whole_of_it(service: str) -> None:
    call = {"name": "ask_graph", "args": {"question": QUESTION}, "id": "1", "type": "tool_call"}
    message = await TrellisTool(url=service).ainvoke(call)
    assert message.content.startswith("Paris [1]\n\n[1] France -HAS_CAPITAL-> Paris")
    assert message.artifact["evidence"] == [["France", "HAS_CAPITAL", "Paris"]]
    history = [{"question": QUESTION, "answers": ["Paris"]}]
    asked = {"question": "And of Germany?", "history": history}
    assert (await TrellisTool(url=service).ainvoke(asked)).startswith("Berlin [1]")


async def test_what_goes_wrong_is_told(service: str) -> None:
    with pytest.raises(ToolException, match="the question is empty"):
        await TrellisTool(url=service).ainvoke({"question": " "})
    with pytest.raises(QuestionError):
        await TrellisRetriever(url=service).ainvoke(" ")
    with pytest.raises(UnreachableError):
        TrellisRetriever(url="http://127.0.0.1:9").invoke(QUESTION)
