"""Events of a question while it is answered: `links`, `candidates`, `evidence`, then `answer`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Literal

from pydantic import BaseModel

from trellis.domain.events import Event, Watch
from trellis.wire.bodies import Answered, CandidateBody, MentionBody


class Links(BaseModel):
    """What the question's names, or values, may stand for."""

    name: Literal["links"] = "links"
    links: list[MentionBody]


class Candidates(BaseModel):
    """What the model wrote, and how many nodes or rows each sentence came to."""

    name: Literal["candidates"] = "candidates"
    candidates: list[CandidateBody]


class Evidence(BaseModel):
    """All facts that the answer is chosen from, to read."""

    name: Literal["evidence"] = "evidence"
    evidence: list[str]


class Answer(BaseModel):
    """The answer itself, which ends the question."""

    name: Literal["answer"] = "answer"
    answer: Answered


Told = Links | Candidates | Evidence | Answer


async def told_while(answer: Callable[[Watch], Awaitable[Answered]]) -> AsyncGenerator[Told]:
    """The events of a question as they happen; the answer comes last.

    Raises what `answer` raises. Closing the generator cancels the question.
    """
    queue: asyncio.Queue[Told | None] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def watch(event: Event) -> None:
        loop.call_soon_threadsafe(queue.put_nowait, _body(event))

    task = asyncio.ensure_future(answer(watch))
    task.add_done_callback(lambda _: queue.put_nowait(None))
    try:
        while (event := await queue.get()) is not None:
            yield event
        yield Answer(answer=await task)
    finally:
        task.cancel()


def _body(event: Event) -> Told:
    """The body of a step's event; mentions and candidates are as in the answer."""
    if event.name == "links":
        return Links(links=[MentionBody.of(mention) for mention in event.data])
    if event.name == "candidates":
        return Candidates(candidates=[CandidateBody.of(tried) for tried in event.data])
    return Evidence(evidence=[fact.text for fact in event.data])
