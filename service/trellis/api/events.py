"""The server-sent events of a question, sent while it is answered."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing

from sse_starlette import JSONServerSentEvent

from trellis.api.problems import unexpected
from trellis.domain.errors import TrellisError
from trellis.domain.events import Watch
from trellis.logs import log, request_id
from trellis.wire.bodies import Answered
from trellis.wire.events import Answer, Told, told_while
from trellis.wire.problems import Problem, problem

ADDRESS = "/v1/questions"


async def events(
    answer: Callable[[Watch], Awaitable[Answered]],
) -> AsyncIterator[JSONServerSentEvent]:
    """The pipeline's events as they come, then `answer` and `done`, or `error`.

    The question ends when the listener goes away.
    """
    try:
        async with aclosing(told_while(answer)) as telling:
            async for told in telling:
                yield _sent(told)
        yield JSONServerSentEvent({}, event="done")
    except TrellisError as error:
        yield _failed(problem(error, ADDRESS, request_id()))
    except Exception as error:
        log.error("unhandled", path=ADDRESS, exc_info=error)
        yield _failed(unexpected(ADDRESS))


def _sent(told: Told) -> JSONServerSentEvent:
    if isinstance(told, Answer):
        whole = told.answer.model_dump(mode="json", exclude_none=True)
        return JSONServerSentEvent(whole, event="answer")
    return JSONServerSentEvent(
        told.model_dump(exclude={"name"}, exclude_none=True), event=told.name
    )


def _failed(what: Problem) -> JSONServerSentEvent:
    return JSONServerSentEvent(what.model_dump(), event="error")
