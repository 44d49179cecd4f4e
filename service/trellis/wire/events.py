"""Events of a question while it is answered: `links`, `candidates`, `evidence`, then `answer`."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

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
