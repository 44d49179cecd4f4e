"""The events of a question while it is answered, as the service sends them."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable

from trellis.domain.replies.events import Event, Watch
from trellis.http.events import SendEvent, stream_work
from trellis.wire.bodies import CandidateBody, MentionBody, OpinionBody, ReplyBody
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


def stream_question(
    answer: Callable[[Watch], Awaitable[ReplyBody]],
) -> AsyncGenerator[QuestionEvent]:
    """The events of a question as they happen; the answer comes last.

    Raises what `answer` raises. Closing the generator cancels the question.
    """

    async def answer_watched(send_event: SendEvent[QuestionEvent]) -> QuestionEvent:
        return AnswerEvent(answer=await answer(lambda event: send_event(_convert_event(event))))

    return stream_work(answer_watched)


def _convert_event(event: Event) -> QuestionEvent:
    """The body of a step's event; mentions and candidates are as in the answer."""
    if event.name == "place":
        return PlaceEvent.of(event.data)
    if event.name == "links":
        return LinksEvent(links=[MentionBody.of(mention) for mention in event.data])
    if event.name == "chain":
        return ChainEvent.of(event.data)
    if event.name == "candidates":
        return CandidatesEvent(candidates=[CandidateBody.of(tried) for tried in event.data])
    if event.name == "opinion":
        return OpinionEvent(opinion=OpinionBody.of(event.data))
    return EvidenceEvent(evidence=[fact.text for fact in event.data])
