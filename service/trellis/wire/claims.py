"""What `/v1/claims` is asked and answers."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field

from trellis.domain.replies.claims import ClaimMention, ClaimReply, ClaimVerdict, Truth
from trellis.steps.claims.describe_form import describe_form
from trellis.wire.asked import Text
from trellis.wire.bodies import StepBody
from trellis.wire.evidence import NodeBody, SubgraphBody, TripleBody, list_triple_names
from trellis.wire.request_bodies import RequestBody

_TRUTHS = {Truth.TRUE: "true", Truth.FALSE: "false", Truth.OPEN: "open"}


class ClaimRequest(RequestBody):
    """A claim to verify."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"claim": "The capital of France is Paris."},
                {"claim": "Germany borders more than three countries."},
            ]
        }
    )

    claim: Text = Field(description="A statement, in plain language.")


class ClaimMentionBody(BaseModel):
    """Characters `[start, end)` of the claim, and the nodes or values that they mean."""

    text: str
    start: int
    end: int
    nodes: list[NodeBody]
    values: list[str] = Field([], description="Values of properties, or the quantity that is said.")

    @classmethod
    def of(cls, mention: ClaimMention) -> ClaimMentionBody:
        values = [str(each.value) for each in mention.values]
        if mention.bound:
            values.append(mention.bound.quantity)
        return cls(
            text=mention.text,
            start=mention.start,
            end=mention.end,
            nodes=list(map(NodeBody.of_node, mention.nodes)),
            values=list(dict.fromkeys(values)),
        )


class ClaimCandidateBody(BaseModel):
    """One way to read the claim."""

    reading: str
    probability: float
    truth: str = Field(description="`true`, `false`, or `open`: the graph decides neither.")


class ClaimBody(BaseModel):
    """The verdict on a claim, with the facts for or against it."""

    id: str = Field(description="A new one for each request; `/v1/answers/{id}` keeps it.")
    asked_at: datetime | None = Field(None, description="When it was asked, in UTC.")
    claim: str
    verdict: ClaimVerdict
    confidence: float = Field(description="How probable the verdict is.")
    evidence: list[TripleBody] = Field(
        description="Facts for or against the claim: head, relation, tail."
    )
    reading: str = Field("", description="How the claim was understood, in plain English.")
    subgraph: SubgraphBody = Field(SubgraphBody(), description="The evidence.")
    mentions: list[ClaimMentionBody] = []
    candidates: list[ClaimCandidateBody] = []
    steps: list[StepBody]
    notes: list[str] = []

    @classmethod
    def of(cls, id: str, reply: ClaimReply, *notes: str) -> ClaimBody:
        """A verdict as a body; `id`: its own; `notes`: added to those of the reply."""
        candidates = [
            ClaimCandidateBody(
                reading=describe_form(each.form, reply.mentions),
                probability=each.probability,
                truth=_TRUTHS[each.truth],
            )
            for each in reply.candidates
        ]
        return cls(
            id=id,
            claim=reply.claim,
            verdict=reply.verdict,
            confidence=reply.confidence,
            evidence=list_triple_names(reply.evidence),
            reading=reply.reading,
            subgraph=SubgraphBody.of(t for t in reply.evidence if t.tail.id),
            mentions=[ClaimMentionBody.of(each) for each in reply.mentions],
            candidates=candidates,
            steps=[StepBody(name=step.name, seconds=step.seconds) for step in reply.steps],
            notes=[*reply.notes, *notes],
        )
