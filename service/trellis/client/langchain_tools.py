"""A LangChain retriever and a tool over a running service. Needs the extra `langchain`."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal, TypeVar

from langchain_core.callbacks import (
    AsyncCallbackManagerForRetrieverRun,
    CallbackManagerForRetrieverRun,
)
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.tools import ArgsSchema, BaseTool, ToolException
from pydantic import BaseModel, Field, SecretStr

from trellis.client.client import Client
from trellis.domain.errors import TrellisError
from trellis.wire.answer_text import write_answer_text
from trellis.wire.asked import TurnBody
from trellis.wire.bodies import ReplyBody

T = TypeVar("T")

_URL = "http://127.0.0.1:8000"


class TrellisRetriever(BaseRetriever):
    """Facts of the graph as documents: those that an answer stands on, then those around the
    question's names, up to `k`.

        TrellisRetriever(url="http://127.0.0.1:8000", k=5).invoke("Who founded Acme?")

    A document's metadata says which answers a fact shows. Raises the errors of the service.
    """

    url: str = _URL
    k: int = Field(10, ge=1, le=1_000)
    method: str | None = None
    hops: int = Field(1, ge=1, le=4)
    key: SecretStr = SecretStr("")
    graph: str | None = None

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,  # noqa: ARG002 (LangChain gives it)
        k: int | None = None,
    ) -> list[Document]:
        return _run_in_thread(self._find_documents(query, k))

    async def _aget_relevant_documents(
        self,
        query: str,
        *,
        run_manager: AsyncCallbackManagerForRetrieverRun,  # noqa: ARG002 (LangChain gives it)
        k: int | None = None,
    ) -> list[Document]:
        return await self._find_documents(query, k)

    async def _find_documents(self, query: str, k: int | None) -> list[Document]:
        most, key = k or self.k, self.key.get_secret_value()
        async with Client(self.url, key=key, graph=self.graph) as client:
            reply = await client.ask(query, method=self.method)
            documents = _list_evidence(reply)[:most]
            if len(documents) < most:
                around = await client.find_paths(query, hops=self.hops, limit=most)
                known = {document.page_content for document in documents}
                documents += [
                    Document(page_content=path.text, metadata={"source": self.url, "answers": []})
                    for path in around.paths
                    if path.text not in known
                ]
        return documents[:most]


class TrellisQuestion(BaseModel):
    """What the tool is asked."""

    question: str = Field(description="One question in plain English.")
    history: list[TurnBody] | None = Field(
        None, description="Earlier questions that it refers to, the oldest first."
    )


class TrellisTool(BaseTool):
    """Answers a question from the graph, its facts as footnotes; the artifact is the whole answer.

    What goes wrong is a ToolException.
    """

    name: str = "ask_graph"
    description: str = (
        "Answer a question from a graph, with the facts that the answer stands on. It abstains "
        "where the graph does not tell."
    )
    args_schema: ArgsSchema | None = TrellisQuestion
    response_format: Literal["content", "content_and_artifact"] = "content_and_artifact"
    url: str = _URL
    method: str | None = None
    key: SecretStr = SecretStr("")
    graph: str | None = None

    def _run(
        self, question: str, history: list[TurnBody] | None = None
    ) -> tuple[str, dict[str, Any]]:
        return _run_in_thread(self._ask(question, history))

    async def _arun(
        self, question: str, history: list[TurnBody] | None = None
    ) -> tuple[str, dict[str, Any]]:
        return await self._ask(question, history)

    async def _ask(
        self, question: str, history: list[TurnBody] | None
    ) -> tuple[str, dict[str, Any]]:
        try:
            async with Client(
                self.url, key=self.key.get_secret_value(), graph=self.graph
            ) as client:
                reply = await client.ask(question, method=self.method, history=history or ())
        except TrellisError as error:
            raise ToolException(str(error)) from error
        return write_answer_text(reply), reply.model_dump(mode="json", exclude_none=True)


def _list_evidence(reply: ReplyBody) -> list[Document]:
    """The facts that an answer stands on."""
    return [
        Document(
            page_content=path,
            metadata={
                "source": f"answer {reply.id}",
                "answers": [answer.name for answer in reply.answers if number in answer.paths],
                "confidence": reply.confidence,
                "reading": reply.reading,
            },
        )
        for number, path in enumerate(reply.paths)
    ]


def _run_in_thread(work: Coroutine[Any, Any, T]) -> T:
    """The result of work, also where an event loop runs already."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()
