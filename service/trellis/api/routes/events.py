"""The server-sent events of a question, sent while it is answered."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing

from fastapi import Request
from sse_starlette import JSONServerSentEvent

from trellis.access.audit import note_error
from trellis.api.description.problem_examples import build_unexpected_problem
from trellis.api.graph_paths import get_asked_path
from trellis.app.events import stream_question
from trellis.domain.errors import TrellisError
from trellis.domain.replies.events import Watch
from trellis.http.disconnects import wait_unless_client_leaves
from trellis.logs import get_request_id, log
from trellis.wire.bodies import ReplyBody
from trellis.wire.events import AnswerEvent, QuestionEvent
from trellis.wire.problems import Problem, describe_error

START_SECONDS = 2.0
"""How long a stream waits for something to tell before it begins: an error has a status till then.
It is less than clients and proxies wait for a first byte."""


async def start_events(
    request: Request, answer: Callable[[Watch], Awaitable[ReplyBody]]
) -> AsyncIterator[JSONServerSentEvent]:
    """The pipeline's events as they come, then `answer` and `done`, or `error`.

    This returns when there is a first event, or after `START_SECONDS`; what fails before that is
    raised here, so that it is told by the status. The question ends when the listener goes away.
    """
    events = stream_question(answer)
    first = asyncio.ensure_future(anext(events))
    await wait_unless_client_leaves(request, first, START_SECONDS)
    return _stream_events(first, events, get_asked_path(request.scope))


async def _stream_events(
    first: asyncio.Future[QuestionEvent], rest: AsyncGenerator[QuestionEvent], path: str
) -> AsyncIterator[JSONServerSentEvent]:
    """`path`: of the request, as problems name it."""
    try:
        async with aclosing(rest):
            yield _encode_event(await first)
            async for event in rest:
                yield _encode_event(event)
        yield JSONServerSentEvent({}, event="done")
    except TrellisError as error:
        note_error(error)
        yield _encode_error(describe_error(error, path, get_request_id()))
    except Exception as error:
        note_error(error)
        log.error("unhandled", path=path, exc_info=error)
        yield _encode_error(build_unexpected_problem(path, get_request_id()))


def _encode_event(event: QuestionEvent) -> JSONServerSentEvent:
    if isinstance(event, AnswerEvent):
        body = event.answer.model_dump(mode="json", exclude_none=True)
        return JSONServerSentEvent(body, event="answer")
    return JSONServerSentEvent(
        event.model_dump(exclude={"name"}, exclude_none=True), event=event.name
    )


def _encode_error(body: Problem) -> JSONServerSentEvent:
    return JSONServerSentEvent(body.write_members(), event="error")
