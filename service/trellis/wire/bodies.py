"""What comes out over HTTP, version 1."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from pydantic import BaseModel, Field

from trellis.domain.values import Mention, Reply, Tried, Triple
from trellis.steps.reason import told

TripleBody = tuple[str, str, str]


class NodeBody(BaseModel):
    """A node, under the name it answers by."""

    name: str
    id: str = Field(description="Its element id in Neo4j.")
    labels: list[str] = []


class LinkBody(NodeBody):
    """A node that a mention may stand for."""

    score: float
    how: str = Field(description="Which search found it.")


class MentionBody(BaseModel):
    """Characters `[start, end)` of the question, and what they may stand for, best first."""

    text: str
    start: int
    end: int
    links: list[LinkBody]

    @classmethod
    def of(cls, mention: Mention) -> MentionBody:
        links = [
            LinkBody(
                name=link.node.name,
                id=link.node.id,
                labels=list(link.node.labels),
                score=link.score,
                how=link.how,
            )
            for link in mention.links
        ]
        return cls(text=mention.text, start=mention.start, end=mention.end, links=links)


class AnswerBody(NodeBody):
    """One answer: `score` is how much of the belief it has, `paths` the rows that show it."""

    score: float
    paths: list[int] = []


class StepBody(BaseModel):
    """How long one step took."""

    name: str
    seconds: float


class CandidateBody(BaseModel):
    """One sentence that the model wrote, its log-probability, and how many nodes it reached."""

    text: str
    score: float
    answers: int | None = Field(None, description="Unset: too improbable to be run.")

    @classmethod
    def of(cls, tried: Tried) -> CandidateBody:
        return cls(text=tried.text, score=tried.score, answers=tried.answers)


class Answered(BaseModel):
    """The answer, and all that it stands on."""

    id: str
    question: str
    method: str
    answers: list[AnswerBody]
    evidence: list[TripleBody] = Field(description="Facts of the graph: head, relation, tail.")
    paths: list[str] = Field(description="The same facts as paths to read.")
    cypher: str | None = None
    params: dict[str, object] | None = None
    wording: str | None = Field(None, description="The reasoner's sentence, where one spoke.")
    confidence: float
    abstained: bool = Field(description="True: not in this graph, as far as was tried.")
    mentions: list[MentionBody]
    candidates: list[CandidateBody]
    steps: list[StepBody]
    notes: list[str]

    @classmethod
    def of(cls, id: str, reply: Reply, *notes: str) -> Answered:
        """A reply under its id."""
        answers = [
            AnswerBody(
                name=answer.node.name,
                id=answer.node.id,
                labels=list(answer.node.labels),
                score=answer.score,
                paths=list(answer.evidence),
            )
            for answer in reply.answers
        ]
        return cls(
            id=id,
            question=reply.question,
            method=reply.method,
            answers=answers,
            evidence=named(reply.triples()),
            paths=[told(walk) for walk in reply.evidence],
            cypher=reply.cypher,
            params=dict(reply.params) if reply.cypher else None,
            wording=reply.wording,
            confidence=reply.confidence,
            abstained=reply.abstained,
            mentions=[MentionBody.of(mention) for mention in reply.mentions],
            candidates=[CandidateBody.of(tried) for tried in reply.candidates],
            steps=[StepBody(name=step.name, seconds=step.seconds) for step in reply.steps],
            notes=[*reply.notes, *notes],
        )


class Linked(BaseModel):
    """The mentions found, in the order of the text, none overlapping."""

    mentions: list[MentionBody]


class PathBody(BaseModel):
    """One path, to read and as facts of the graph."""

    text: str
    triples: list[TripleBody]


class Retrieved(BaseModel):
    """Paths from the anchors, shorter ones first; `cut`: a budget left some out."""

    mentions: list[MentionBody]
    paths: list[PathBody]
    nodes: int
    edges: int
    cut: bool


class MethodBody(BaseModel):
    """One method; `default` answers where a question names none."""

    name: str
    about: str
    default: bool


class Kept(BaseModel):
    """One answer that was given, in brief."""

    id: str
    asked_at: datetime
    question: str
    method: str
    seconds: float
    answers: list[str]
    abstained: bool


class KeptPage(BaseModel):
    """Answers, latest first; `next` is the `before` of the page that follows."""

    answers: list[Kept]
    next: int | None = None


class Noted(BaseModel):
    """Feedback that was kept, and the answer that it is about."""

    id: str = Field(description="The answer's id.")
    noted_at: datetime


def named(triples: Iterable[Triple]) -> list[TripleBody]:
    """Triples by their names, as they stand in the graph."""
    return [(one.head.name, one.relation, one.tail.name) for one in triples]
