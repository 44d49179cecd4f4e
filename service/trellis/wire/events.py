"""Events of a question while it is answered: `links`, `chain` where a model reasons by triples,
`candidates`, `evidence`, `opinion` where methods are chosen among, then `answer`."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import BaseModel, Field

from trellis.domain.chains import TripleChain
from trellis.wire.bodies import CandidateBody, MentionBody, OpinionBody, ReplyBody
from trellis.wire.evidence import TripleBody


class LinksEvent(BaseModel):
    """What the question's names, or values, may stand for."""

    name: Literal["links"] = "links"
    links: list[MentionBody]


class ChainEvent(BaseModel):
    """The best chain of triples so far, sent each time when it has changed; a later one may differ
    in earlier triples too."""

    name: Literal["chain"] = "chain"
    triples: list[TripleBody] = Field(
        description="Head, relation and tail, as they stand in the graph; `X1` is whatever the "
        "first triple reaches, where nodes are not named."
    )
    has_ended: bool = Field(description="Whether the chain has come to an answer.")

    @classmethod
    def of(cls, chain: TripleChain) -> Self:
        triples = [(each.head, each.relation, each.tail) for each in chain.triples]
        return cls(triples=triples, has_ended=chain.has_ended)


class CandidatesEvent(BaseModel):
    """What the model wrote, and how many nodes or rows each sentence came to."""

    name: Literal["candidates"] = "candidates"
    candidates: list[CandidateBody]


class EvidenceEvent(BaseModel):
    """All facts that the answer is chosen from, to read."""

    name: Literal["evidence"] = "evidence"
    evidence: list[str]


class OpinionEvent(BaseModel):
    """What one of several methods came to; the other events tell the steps of the first one."""

    name: Literal["opinion"] = "opinion"
    opinion: OpinionBody


class AnswerEvent(BaseModel):
    """The answer itself, which ends the question."""

    name: Literal["answer"] = "answer"
    answer: ReplyBody


QuestionEvent = (
    LinksEvent | ChainEvent | CandidatesEvent | EvidenceEvent | OpinionEvent | AnswerEvent
)
