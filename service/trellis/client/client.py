"""The client: one method for each resource, typed results, Trellis errors."""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Any, Self, TypeVar
from urllib.parse import quote

import httpx
from pydantic import TypeAdapter, ValidationError

from trellis.client.sending import Sender, read_events
from trellis.domain.errors import UnreachableError
from trellis.domain.graphs.schema import Schema
from trellis.domain.replies.question import check_question
from trellis.wire.asked import BudgetBody, TurnBody
from trellis.wire.bodies import MentionBody, MethodBody, ReplyBody
from trellis.wire.claims import ClaimBody
from trellis.wire.cypher import ExplanationBody, RowsBody
from trellis.wire.events import (
    AnswerEvent,
    CandidatesEvent,
    ChainEvent,
    EvidenceEvent,
    LinksEvent,
    OpinionEvent,
    PlaceEvent,
    QuestionEvent,
)
from trellis.wire.kept_answers import AnswerPageBody, FeedbackReceiptBody
from trellis.wire.patterns import PatternMatchesBody, PatternRequest
from trellis.wire.problems import Problem, rebuild_error
from trellis.wire.retrieval import MentionsBody, RetrievalBody
from trellis.wire.traces import TraceRequest, TracesBody

T = TypeVar("T")

_EVENTS: Mapping[str, type[QuestionEvent]] = {
    "place": PlaceEvent,
    "links": LinksEvent,
    "candidates": CandidatesEvent,
    "chain": ChainEvent,
    "evidence": EvidenceEvent,
    "opinion": OpinionEvent,
}


class Client:
    """Asks a running service.

        async with Client("http://127.0.0.1:8000") as client:
            answer = await client.ask("What is the capital of France?")

    A failure raises the `TrellisError` that the service raised, or UnreachableError where there is
    no service. A service that is busy (429) or not ready (503) is asked again, up to `attempts`
    times in all, after the time that it names. `timeout`: seconds to wait for a sign of it. `key`:
    sent with each request; empty: none. `graph`: the one to ask; None: the service's default.
    """

    def __init__(
        self,
        url: str,
        *,
        timeout: float = 120.0,
        attempts: int = 4,
        key: str = "",
        graph: str | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._sender = Sender(url, timeout, attempts, key, graph, transport)

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
        history: Sequence[TurnBody] = (),
        conversation: str | None = None,
    ) -> ReplyBody:
        """The answer to a question, with its evidence.

        A follow-up may refer to the earlier questions of `history`, or to those that were asked
        under the same `conversation`, an id of your own.
        """
        named = {"method": method, "limit": limit, "conversation": conversation}
        asked = _build_question_body(question, topics, budget, history, **named)
        return await self._post("/v1/questions", asked, ReplyBody)

    async def verify(self, claim: str) -> ClaimBody:
        """The verdict on a claim, with the facts for or against it."""
        return await self._post("/v1/claims", {"claim": claim}, ClaimBody)

    async def stream(
        self,
        question: str,
        *,
        method: str | None = None,
        topics: Sequence[str] | None = None,
        limit: int | None = None,
        budget: BudgetBody | None = None,
        history: Sequence[TurnBody] = (),
        conversation: str | None = None,
    ) -> AsyncGenerator[QuestionEvent]:
        """The events of a question while it is answered; the answer comes last.

        Closing the stream cancels the question.
        """
        named = {"method": method, "limit": limit, "conversation": conversation}
        asked = _build_question_body(question, topics, budget, history, **named)
        headers = {"Accept": "text/event-stream"}
        request = self._sender.build_request("POST", "/v1/questions", asked, headers)
        async with self._sender.stream_response(request) as texts:
            async for name, data in read_events(texts):
                if name == "done":
                    return
                if name == "error":
                    raise rebuild_error(self._parse_body(Problem, data))
                if name == "answer":
                    yield AnswerEvent(answer=self._parse_body(ReplyBody, data))
                elif name in _EVENTS:
                    yield self._parse_body(_EVENTS[name], data)
        raise UnreachableError(f"{self._sender.url} broke off its answer", "ask again")

    async def link_names(self, text: str) -> list[MentionBody]:
        """The mentions in a text, with the nodes that each may stand for."""
        found = await self._post("/v1/links", _build_question_body(text), MentionsBody)
        return found.mentions

    async def find_paths(
        self,
        question: str,
        *,
        topics: Sequence[str] | None = None,
        hops: int = 2,
        limit: int = 100,
    ) -> RetrievalBody:
        """The paths of the graph that start at a question's mentions."""
        asked = _build_question_body(question, topics, hops=hops, limit=limit)
        return await self._post("/v1/retrieve/paths", asked, RetrievalBody)

    async def search_patterns(self, asked: PatternRequest) -> PatternMatchesBody:
        """The subgraphs nearest to a pattern; PatternError where it cannot be searched for."""
        return await self._post("/v1/retrieve/patterns", asked.model_dump(), PatternMatchesBody)

    async def search_traces(self, asked: TraceRequest) -> TracesBody:
        """The traces of a schema graph; PatternError where it cannot be traced."""
        return await self._post("/v1/retrieve/traces", asked.model_dump(), TracesBody)

    async def explain_query(
        self, query: str, params: Mapping[str, Any] | None = None
    ) -> ExplanationBody:
        """Whether a Cypher query may run, and its plan; QuerySyntaxError if it does not parse."""
        return await self._post(
            "/v1/cypher/explain", _build_cypher_body(query, params), ExplanationBody
        )

    async def run_query(self, query: str, params: Mapping[str, Any] | None = None) -> RowsBody:
        """The rows of a Cypher query; RefusedQueryError where it may not run."""
        return await self._post("/v1/cypher/run", _build_cypher_body(query, params), RowsBody)

    async def read_schema(self) -> Schema:
        """Labels, relationship types and properties of the live graph."""
        return await self._get("/v1/schema", Schema)

    async def list_methods(self) -> list[MethodBody]:
        """All methods, the default first."""
        return await self._get("/v1/methods", list[MethodBody])

    async def list_answers(
        self,
        limit: int = 20,
        before: int | None = None,
        *,
        query: str = "",
        conversation: str | None = None,
    ) -> AnswerPageBody:
        """Answers that are kept, latest first; `before`: the `next` of the page before.

        `query`: only those whose question holds each of these words. `conversation`: only its own.
        """
        given = {"limit": limit, "before": before, "query": query, "conversation": conversation}
        asked = {name: value for name, value in given.items() if value not in (None, "")}
        return await self._get("/v1/answers", AnswerPageBody, asked)

    async def answer(self, id: str = "latest") -> ReplyBody:
        """One kept answer, as it was given; NotKeptError where none has that id."""
        return await self._get(_answer_path(id), ReplyBody)

    async def delete_answer(self, id: str) -> None:
        """Delete a kept answer with the feedback on it; NotKeptError where none has that id."""
        await self._sender.send_request("DELETE", _answer_path(id))

    async def delete_conversation(self, id: str) -> None:
        """Delete all answers of a conversation; NotKeptError where none are kept."""
        await self._sender.send_request("DELETE", f"/v1/conversations/{quote(id, safe='')}")

    async def delete_answers(self) -> None:
        """Delete all answers that were given to this client's key."""
        await self._sender.send_request("DELETE", "/v1/answers")

    async def send_feedback(
        self, id: str, right: bool, *, expected: Sequence[str] = (), comment: str = ""
    ) -> FeedbackReceiptBody:
        """Say whether an answer is right."""
        body = {"right": right, "expected": list(expected), "comment": comment}
        return await self._post(f"{_answer_path(id)}/feedback", body, FeedbackReceiptBody)

    async def check_health(self) -> bool:
        """True where questions can be answered; NotReadyError says what is missing."""
        await self._get("/readyz", dict[str, bool | list[str]])
        return True

    async def _get(self, path: str, kind: type[T], query: Mapping[str, Any] | None = None) -> T:
        return self._parse_body(kind, await self._sender.send_request("GET", path, query=query))

    async def _post(self, path: str, body: Mapping[str, Any], kind: type[T]) -> T:
        return self._parse_body(kind, await self._sender.send_request("POST", path, body))

    def _parse_body(self, kind: type[T], text: str | bytes) -> T:
        """A JSON body as its type; UnreachableError where it does not fit."""
        try:
            return TypeAdapter(kind).validate_json(text)
        except ValidationError as error:
            raise UnreachableError(
                f"what answers at {self._sender.url} is no Trellis service that we know",
                "check the address, and that both are of one version",
            ) from error


def _build_question_body(
    question: str,
    topics: Sequence[str] | None = None,
    budget: BudgetBody | None = None,
    history: Sequence[TurnBody] = (),
    **more: Any,
) -> dict[str, Any]:
    """The body of a question, without unset fields; the service checks its length."""
    given = [check_question(topic, sys.maxsize) for topic in topics] if topics else None
    fields = {
        "question": check_question(question, sys.maxsize),
        "topics": given,
        "budget": budget and budget.model_dump(exclude_none=True),
        "history": [turn.model_dump(exclude_none=True) for turn in history] or None,
        **more,
    }
    return {name: value for name, value in fields.items() if value is not None}


def _build_cypher_body(query: str, params: Mapping[str, Any] | None) -> dict[str, Any]:
    return {"query": query, "params": dict(params or {})}


def _answer_path(id: str) -> str:
    return f"/v1/answers/{quote(id, safe='')}"
