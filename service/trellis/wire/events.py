"""Events of a question while it is answered: `links`, `candidates`, `evidence`, then `answer`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Literal

from pydantic import BaseModel

from trellis.domain.events import Event, Watch
from trellis.wire.bodies import CandidateBody, MentionBody, ReplyBody


class LinksEvent(BaseModel):
    """What the question's names, or values, may stand for."""

    name: Literal["links"] = "links"
    links: list[MentionBody]


class CandidatesEvent(BaseModel):
    """What the model wrote, and how many nodes or rows each sentence came to."""

    name: Literal["candidates"] = "candidates"
    candidates: list[CandidateBody]


class EvidenceEvent(BaseModel):
    """All facts that the answer is chosen from, to read."""

    name: Literal["evidence"] = "evidence"
    evidence: list[str]


class AnswerEvent(BaseModel):
    """The answer itself, which ends the question."""

    name: Literal["answer"] = "answer"
    answer: ReplyBody


QuestionEvent = LinksEvent | CandidatesEvent | EvidenceEvent | AnswerEvent


async def stream_events(
    answer: Callable[[Watch], Awaitable[ReplyBody]],
) -> AsyncGenerator[QuestionEvent]:
    """The events of a question as they happen; the answer comes last.

    Raises what `answer` raises. Closing the generator cancels the question.
    """
    queue: asyncio.Queue[QuestionEvent | None] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def queue_event(event: Event) -> None:
        loop.call_soon_threadsafe(queue.put_nowait, _convert_event(event))

    task = asyncio.ensure_future(answer(queue_event))
    task.add_done_callback(lambda _: queue.put_nowait(None))
    try:
        while (event := await queue.get()) is not None:
            yield event
        yield AnswerEvent(answer=await task)
    finally:
        task.cancel()


def _convert_event(event: Event) -> QuestionEvent:
    """The body of a step's event; mentions and candidates are as in the answer."""
    if event.name == "links":
        return LinksEvent(links=[MentionBody.of(mention) for mention in event.data])
    if event.name == "candidates":
        return CandidatesEvent(candidates=[CandidateBody.of(tried) for tried in event.data])
    return EvidenceEvent(evidence=[fact.text for fact in event.data])
