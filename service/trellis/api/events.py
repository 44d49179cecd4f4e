"""The server-sent events of a question, sent while it is answered."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing

from sse_starlette import JSONServerSentEvent

from trellis.access.audit import note_error
from trellis.api.problems import build_unexpected_problem
from trellis.domain.errors import TrellisError
from trellis.domain.events import Watch
from trellis.house.events import stream_question
from trellis.logs import get_request_id, log
from trellis.wire.bodies import ReplyBody
from trellis.wire.events import AnswerEvent, QuestionEvent
from trellis.wire.problems import Problem, describe_error


async def stream_events(
    answer: Callable[[Watch], Awaitable[ReplyBody]], path: str
) -> AsyncIterator[JSONServerSentEvent]:
    """The pipeline's events as they come, then `answer` and `done`, or `error`.

    `path`: of the request, as problems name it.

    The question ends when the listener goes away.
    """
    try:
        async with aclosing(stream_question(answer)) as event_stream:
            async for event in event_stream:
                yield _encode_event(event)
        yield JSONServerSentEvent({}, event="done")
    except TrellisError as error:
        note_error(error)
        yield _encode_error(describe_error(error, path, get_request_id()))
    except Exception as error:
        note_error(error)
        log.error("unhandled", path=path, exc_info=error)
        yield _encode_error(build_unexpected_problem(path))


def _encode_event(event: QuestionEvent) -> JSONServerSentEvent:
    if isinstance(event, AnswerEvent):
        body = event.answer.model_dump(mode="json", exclude_none=True)
        return JSONServerSentEvent(body, event="answer")
    return JSONServerSentEvent(
        event.model_dump(exclude={"name"}, exclude_none=True), event=event.name
    )


def _encode_error(body: Problem) -> JSONServerSentEvent:
    return JSONServerSentEvent(body.write_members(), event="error")
