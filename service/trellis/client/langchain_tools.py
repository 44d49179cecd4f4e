"""A LangChain retriever and a tool over a running service. Needs the extra `langchain`."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
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
from trellis.wire.cells import write_cell
from trellis.wire.tables import AnswerTable, cut_text

T = TypeVar("T")

_URL = "http://127.0.0.1:8000"


class TrellisRetriever(BaseRetriever):
    """Facts of the graph as documents: those that an answer stands on, then those around the
    question's names, up to `k`. None where the answer is that nothing can be said.

        TrellisRetriever(url="http://127.0.0.1:8000", k=5).invoke("Who founded Acme?")

    A document's metadata says which answers a fact shows, and the row of what a table says of an
    answer. Raises the errors of the service.
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
            if reply.abstained:
                return []
            documents = list_own_documents(reply)[:most]
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


def list_own_documents(reply: ReplyBody) -> list[Document]:
    """What the answer says and stands on: the rows of a table, then facts that show an answer, then
    further facts."""
    answers = {
        number: [answer.name for answer in reply.answers if number in answer.paths]
        for number in range(len(reply.paths))
    }
    shown = {"confidence": reply.confidence, "reading": reply.reading}
    shared = {"source": f"answer {reply.id}", **shown}
    facts = [
        Document(page_content=reply.paths[number], metadata={**shared, "answers": names})
        for number, names in sorted(answers.items(), key=lambda item: not item[1])
    ]
    return [*_list_rows(reply, shared), *facts]


def _list_rows(reply: ReplyBody, shared: dict[str, Any]) -> Iterator[Document]:
    """The rows of a table, each as `country: Guyana; population: 820000`."""
    table = AnswerTable.of(reply)
    for row in table.rows if table else ():
        cells = dict(zip(reply.columns or (), row, strict=True))
        text = "; ".join(f"{name}: {cut_text(write_cell(cell))}" for name, cell in cells.items())
        answers = [cut_text(write_cell(row[0]))]
        yield Document(page_content=text, metadata={**shared, "answers": answers, "row": cells})


def _run_in_thread(work: Coroutine[Any, Any, T]) -> T:
    """The result of work, also where an event loop runs already."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()
