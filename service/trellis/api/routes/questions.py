"""`POST /v1/questions`: answers a question in one response or as a stream of events."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Header, Request, Response
from fastapi.responses import JSONResponse
from sse_starlette import EventSourceResponse

from trellis.access.audit import note_query, note_rows
from trellis.access.callers import Caller
from trellis.api.deps import AppDep, CallerDep, GraphRuntime, RuntimeDep
from trellis.api.description import examples
from trellis.api.middleware.problems import document_errors
from trellis.api.routes.csv_rows import respond_with_csv
from trellis.api.routes.events import start_events
from trellis.app.follow_ups import answer_in_conversation, read_conversation
from trellis.app.trellis_app import TrellisApp
from trellis.domain.errors import InputError, StoreError
from trellis.domain.limits.budget import limit_time
from trellis.domain.limits.many_rows import work_through_rows
from trellis.domain.replies.conversation import Turn, check_history
from trellis.domain.replies.events import Event, Watch, ignore_event
from trellis.domain.replies.reply import Reply
from trellis.http.disconnects import run_unless_client_leaves
from trellis.http.media_types import choose_media_type
from trellis.logs import log
from trellis.logs import set_private_texts as private
from trellis.methods.registry import AUTO
from trellis.wire.asked import QuestionRequest
from trellis.wire.bodies import ReplyBody
from trellis.wire.csv_text import MEDIA_TYPE as CSV

router = APIRouter(prefix="/v1", tags=["questions"])

_EVENTS = "text/event-stream"
_OFFERED = ("application/json", _EVENTS, CSV)


@router.post(
    "/questions",
    response_model=ReplyBody,
    operation_id="ask_question",
    summary="Answer a question from the graph",
    responses={
        **document_errors(400, 404, 406, 409, 413, 415, 422, 429, 502, 503, 504),
        200: examples.ANSWERED_OR_EVENTS,
    },
)
async def ask(
    asked: QuestionRequest,
    request: Request,
    trellis_app: AppDep,
    runtime: RuntimeDep,
    caller: CallerDep,
    accept: Annotated[str, Header(include_in_schema=False)] = "",
) -> Response:
    """Answers with their evidence. With `Accept: text/event-stream` it comes as events: `place`
    while it waits for its turn, `links`, `candidates`, `evidence`, `opinion`, `answer` and `done`,
    or `error`; with `Accept: text/csv` its rows come as CSV."""
    media_type = choose_media_type(accept, _OFFERED)
    check_history([turn.as_turn() for turn in asked.history or ()])
    private(asked.question, *(asked.topics or ()), *_list_history_texts(asked))
    note_query(asked.question)

    async def answer_and_count(watch: Watch = ignore_event) -> ReplyBody:
        with count_failures(runtime, trellis_app, asked.method):
            return await answer_question(asked, trellis_app, runtime, caller, watch)

    if media_type == _EVENTS:
        trellis_app.make_question(asked.question, asked.topics, asked.limit)
        runtime.turns.check_capacity()
        return EventSourceResponse(await start_events(request, answer_and_count))
    body = await run_unless_client_leaves(request, answer_and_count())
    if media_type == CSV:
        return respond_with_csv(body)
    return await work_through_rows(_count_rows(body), _respond_with_json, body)


def _respond_with_json(body: ReplyBody) -> Response:
    return JSONResponse(body.model_dump(mode="json", exclude_none=True))


def _count_rows(reply: Reply | ReplyBody) -> int:
    return len(reply.answers) + len(reply.evidence)


async def answer_question(
    asked: QuestionRequest,
    trellis_app: TrellisApp,
    runtime: GraphRuntime,
    caller: Caller,
    watch: Watch = ignore_event,
) -> ReplyBody:
    """Answer the question within its budget, which includes waiting, and keep the answer."""
    question = trellis_app.make_question(asked.question, asked.topics, asked.limit)
    turns = await _read_turns(asked, trellis_app, caller)
    budget = trellis_app.make_budget(**asked.budget.model_dump() if asked.budget else {})
    asked_at, began = datetime.now(UTC), time.perf_counter()

    def tell_place(place: int) -> None:
        watch(Event("place", place))

    async with limit_time(budget.seconds), runtime.turns.acquire(tell_place):
        reply = await answer_in_conversation(
            trellis_app, question, turns, asked.method, watch, budget
        )
    seconds = time.perf_counter() - began
    runtime.metrics.count_answer(reply, seconds)
    runtime.trace_reply(reply)
    log.info(
        "question",
        method=reply.method,
        answers=len(reply.answers),
        confidence=round(reply.confidence, 3),
        ms={step.name: round(step.seconds * 1000, 1) for step in reply.steps},
    )
    note_rows(len(reply.answers))
    body, kept = await work_through_rows(
        _count_rows(reply), _write_body, reply, asked.conversation, asked_at
    )
    try:
        await trellis_app.store.save_answer(
            *(body.id, reply.question, reply.method, seconds, kept, caller.id),
            conversation=asked.conversation,
            asked_at=asked_at,
        )
    except StoreError as error:  # the answer goes out all the same
        return body.model_copy(update={"notes": [*body.notes, f"not kept: {error.problem}"]})
    return body


async def _read_turns(
    asked: QuestionRequest, trellis_app: TrellisApp, caller: Caller
) -> list[Turn]:
    """The earlier turns: those that the request brings, or those that are kept."""
    if asked.conversation and not asked.history:
        return await read_conversation(trellis_app, asked.conversation, caller.id)
    turns = [turn.as_turn() for turn in asked.history or ()]
    for turn in turns:
        trellis_app.make_question(turn.question, list(turn.topics))
    return turns


def _list_history_texts(asked: QuestionRequest) -> list[str]:
    """The texts of earlier turns, which no log may hold."""
    turns = asked.history or ()
    names = [name for turn in turns for name in (*(turn.answers or ()), *(turn.topics or ()))]
    return [*(turn.question for turn in turns), *names]


@contextmanager
def count_failures(
    runtime: GraphRuntime, trellis_app: TrellisApp, named: str | None
) -> Iterator[None]:
    """Count and log the end of a question that is not answered; `named`: the method that was."""
    known = named == AUTO or named in trellis_app.methods
    method = named if named and known else "unknown" if named else "default"
    try:
        yield
    except asyncio.CancelledError:
        runtime.metrics.count_failure(method, "left")
        log.info("question", method=method, outcome="left")
        raise
    except Exception as error:
        outcome = type(error).__name__
        runtime.metrics.count_failure(method, outcome)
        # an InputError quotes the question, which no log may hold
        why = {} if isinstance(error, InputError) else {"problem": str(error)}
        log.warning("question", method=method, outcome=outcome, **why)
        raise


def _write_body(
    reply: Reply, conversation: str | None, asked_at: datetime
) -> tuple[ReplyBody, dict[str, Any]]:
    """A reply as a body under a new id, and as it is kept."""
    body = ReplyBody.of(str(uuid.uuid4()), reply)
    body = body.model_copy(update={"conversation": conversation, "asked_at": asked_at})
    return body, body.model_dump(mode="json", exclude_none=True)
