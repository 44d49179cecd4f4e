"""The client: one method for each resource, typed results, Trellis errors."""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Any, Self, TypeVar
from urllib.parse import quote

import httpx
from pydantic import TypeAdapter, ValidationError

from trellis.client.sending import Sender
from trellis.client.streams import messages
from trellis.domain.errors import UnreachableError
from trellis.domain.question import readable
from trellis.domain.schema import Schema
from trellis.wire.asked import BudgetBody
from trellis.wire.bodies import (
    Answered,
    KeptPage,
    Linked,
    MentionBody,
    MethodBody,
    Noted,
    Retrieved,
)
from trellis.wire.cypher import Explained, Ran
from trellis.wire.events import Answer, Candidates, Evidence, Links, Told
from trellis.wire.problems import Problem, rebuilt

T = TypeVar("T")

_TOLD: Mapping[str, type[Told]] = {
    "links": Links,
    "candidates": Candidates,
    "evidence": Evidence,
}


class Client:
    """Asks a running service.

        async with Client("http://127.0.0.1:8000") as client:
            answer = await client.ask("What is the capital of France?")

    A failure raises the `TrellisError` that the service raised, or UnreachableError where there is
    no service. A service that is busy (429) or not ready (503) is asked again, up to `attempts`
    times in all, after the time that it names. `timeout`: seconds to wait for a sign of it.
    """

    def __init__(
        self,
        url: str,
        *,
        timeout: float = 120.0,
        attempts: int = 4,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._sender = Sender(url, timeout, attempts, transport)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close all connections."""
        await self._sender.close()

    async def ask(
        self,
        question: str,
        *,
        method: str | None = None,
        topics: Sequence[str] | None = None,
        limit: int | None = None,
        budget: BudgetBody | None = None,
    ) -> Answered:
        """The answer to a question, with its evidence."""
        spend = budget and budget.model_dump(exclude_none=True)
        asked = _body(question, topics, method=method, limit=limit, budget=spend)
        return await self._post("/v1/questions", asked, Answered)

    async def stream(
        self,
        question: str,
        *,
        method: str | None = None,
        topics: Sequence[str] | None = None,
        limit: int | None = None,
        budget: BudgetBody | None = None,
    ) -> AsyncGenerator[Told]:
        """The events of a question while it is answered; the answer comes last.

        Closing the stream cancels the question.
        """
        spend = budget and budget.model_dump(exclude_none=True)
        asked = _body(question, topics, method=method, limit=limit, budget=spend)
        headers = {"Accept": "text/event-stream"}
        request = self._sender.request("POST", "/v1/questions", asked, headers)
        async with self._sender.streamed(request) as texts:
            async for name, data in messages(texts):
                if name == "done":
                    return
                if name == "error":
                    raise rebuilt(self._read(Problem, data))
                if name == "answer":
                    yield Answer(answer=self._read(Answered, data))
                elif name in _TOLD:
                    yield self._read(_TOLD[name], data)
        raise UnreachableError(f"{self._sender.url} broke off its answer", "ask again")

    async def links(self, text: str) -> list[MentionBody]:
        """The mentions in a text, with the nodes that each may stand for."""
        return (await self._post("/v1/links", _body(text, None), Linked)).mentions

    async def paths(
        self,
        question: str,
        *,
        topics: Sequence[str] | None = None,
        hops: int = 2,
        limit: int = 100,
    ) -> Retrieved:
        """The paths of the graph that start at a question's mentions."""
        asked = _body(question, topics, hops=hops, limit=limit)
        return await self._post("/v1/retrieve/paths", asked, Retrieved)

    async def explain(self, query: str, params: Mapping[str, Any] | None = None) -> Explained:
        """Whether a Cypher query may run, and its plan; QuerySyntaxError if it does not parse."""
        return await self._post("/v1/cypher/explain", _asked(query, params), Explained)

    async def cypher(self, query: str, params: Mapping[str, Any] | None = None) -> Ran:
        """The rows of a Cypher query; RefusedQueryError where it may not run."""
        return await self._post("/v1/cypher/run", _asked(query, params), Ran)

    async def schema(self) -> Schema:
        """Labels, relationship types and properties of the live graph."""
        return await self._get("/v1/schema", Schema)

    async def methods(self) -> list[MethodBody]:
        """All methods, the default first."""
        return await self._get("/v1/methods", list[MethodBody])

    async def answers(self, limit: int = 20, before: int | None = None) -> KeptPage:
        """Answers that are kept, latest first; `before`: the `next` of the page before."""
        query = {"limit": limit} if before is None else {"limit": limit, "before": before}
        return await self._get("/v1/answers", KeptPage, query)

    async def answer(self, id: str = "latest") -> Answered:
        """One kept answer, as it was given; NotKeptError where none has that id."""
        return await self._get(f"/v1/answers/{quote(id, safe='')}", Answered)

    async def feedback(
        self, id: str, right: bool, *, expected: Sequence[str] = (), comment: str = ""
    ) -> Noted:
        """Say whether an answer is right."""
        body = {"right": right, "expected": list(expected), "comment": comment}
        return await self._post(f"/v1/answers/{quote(id, safe='')}/feedback", body, Noted)

    async def health(self) -> bool:
        """True where questions can be answered; NotReadyError says what is missing."""
        await self._get("/readyz", dict[str, bool | list[str]])
        return True

    async def _get(self, path: str, kind: type[T], query: Mapping[str, Any] | None = None) -> T:
        return self._read(kind, await self._sender.sent("GET", path, query=query))

    async def _post(self, path: str, body: Mapping[str, Any], kind: type[T]) -> T:
        return self._read(kind, await self._sender.sent("POST", path, body))

    def _read(self, kind: type[T], text: str | bytes) -> T:
        """A JSON body as its type; UnreachableError where it does not fit."""
        try:
            return TypeAdapter(kind).validate_json(text)
        except ValidationError as error:
            raise UnreachableError(
                f"what answers at {self._sender.url} is no Trellis service that we know",
                "check the address, and that both are of one version",
            ) from error


def _body(question: str, topics: Sequence[str] | None, **more: Any) -> dict[str, Any]:
    """The body of a question, without unset fields; the service checks its length."""
    given = [readable(topic, sys.maxsize) for topic in topics] if topics else None
    fields = {"question": readable(question, sys.maxsize), "topics": given, **more}
    return {name: value for name, value in fields.items() if value is not None}


def _asked(query: str, params: Mapping[str, Any] | None) -> dict[str, Any]:
    return {"query": query, "params": dict(params or {})}


def _kept(id: str) -> str:
    return f"/v1/answers/{quote(id, safe='')}"
