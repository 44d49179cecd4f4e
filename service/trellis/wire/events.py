"""Events of a question while it is answered: `place` while it waits for its turn, `links`, `chain`
where a model reasons by triples, `candidates`, `evidence`, `opinion` where methods are chosen
among, then `answer`."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import BaseModel, Field

from trellis.domain.structures.chains import TripleChain
from trellis.wire.bodies import CandidateBody, MentionBody, OpinionBody, ReplyBody
from trellis.wire.evidence import TripleBody


class PlaceEvent(BaseModel):
    """Where a question stands that waits for its turn, sent each time when that has changed."""

    name: Literal["place"] = "place"
    place: int = Field(description="1: the next.")
    words: str = Field(description="The same in words, such as `third in line`.")

    @classmethod
    def of(cls, place: int) -> Self:
        return cls(place=place, words=f"{_write_ordinal(place)} in line")


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
    PlaceEvent
    | LinksEvent
    | ChainEvent
    | CandidatesEvent
    | EvidenceEvent
    | OpinionEvent
    | AnswerEvent
)

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


def _write_ordinal(place: int) -> str:
    """`third`, `12th`, `21st`."""
    if place <= len(_ORDINALS):
        return _ORDINALS[place - 1]
    is_teen = place // 10 % 10 == 1
    ending = "th" if is_teen else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{ending}"
