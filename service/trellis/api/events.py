"""A question as server-sent events, told while it is answered."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

from sse_starlette import JSONServerSentEvent

from trellis.api.bodies import Answered, CandidateBody, MentionBody
from trellis.api.problems import log, problem, unexpected
from trellis.domain.errors import TrellisError
from trellis.domain.events import Event, Watch
from trellis.steps.reason import told

ADDRESS = "/v1/questions"


async def events(
    answer: Callable[[Watch], Awaitable[Answered]],
) -> AsyncIterator[JSONServerSentEvent]:
    """The pipeline's events as they come, then `answer` and `done`, or `error`.

    Ends the question where the listener goes away.
    """
    queue: asyncio.Queue[JSONServerSentEvent | None] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def watch(event: Event) -> None:
        loop.call_soon_threadsafe(queue.put_nowait, _sent(event))

    task = asyncio.ensure_future(answer(watch))
    task.add_done_callback(lambda _: queue.put_nowait(None))
    try:
        while (event := await queue.get()) is not None:
            yield event
        body = (await task).model_dump(mode="json", exclude_none=True)
        yield JSONServerSentEvent(body, event="answer")
        yield JSONServerSentEvent({}, event="done")
    except TrellisError as error:
        yield JSONServerSentEvent(problem(error, ADDRESS).model_dump(), event="error")
    except Exception as error:
        log.error("unhandled error in a stream", exc_info=error)
        yield JSONServerSentEvent(unexpected(ADDRESS).model_dump(), event="error")
    finally:
        task.cancel()


def _sent(event: Event) -> JSONServerSentEvent:
    """A step's outcome; mentions and candidates as in the answer, evidence as paths to read."""
    bodies: list[object]
    if event.name == "links":
        bodies = [MentionBody.of(mention).model_dump() for mention in event.data]
    elif event.name == "candidates":
        bodies = [CandidateBody.of(tried).model_dump() for tried in event.data]
    else:
        bodies = [told(walk) for walk in event.data]
    return JSONServerSentEvent({event.name: bodies}, event=event.name)
