"""Bodies of responses, version 1: the answer to a question, and the methods."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

from pydantic import BaseModel, Field

from trellis.domain.graphs.graph import NodeId
from trellis.domain.graphs.links import Link, Mention, StoredValue
from trellis.domain.replies.choice import Choice, Opinion, Stance
from trellis.domain.replies.reply import Answer, CandidateOutcome, NodeChoice, Reply, YesNo
from trellis.domain.structures.cypher import CypherQuery, Rows, write_value
from trellis.wire.cells import encode_cell
from trellis.wire.cypher import PlanBody
from trellis.wire.evidence import (
    NodeBody,
    StatementBody,
    SubgraphBody,
    list_statements,
    write_statement,
)


class LinkBody(NodeBody):
    """A node that a mention may stand for, or a value, which has no id."""

    score: float
    how: str = Field(description="Which search found it, or how the text says the value.")
    property: str | None = Field(None, description="Of nodes of the label, whose value this is.")

    @classmethod
    def of(cls, link: Link) -> LinkBody:
        target = link.target
        if isinstance(target, StoredValue):
            return cls(
                name=write_value(target.value),
                id="",
                labels=[target.label],
                score=link.score,
                how=link.how,
                property=target.property,
            )
        return cls.of_node(target, score=link.score, how=link.how)


class MentionBody(BaseModel):
    """Characters `[start, end)` of the question, and what they may stand for, best first."""

    text: str
    start: int
    end: int
    links: list[LinkBody]

    @classmethod
    def of(cls, mention: Mention) -> MentionBody:
        links = [LinkBody.of(link) for link in mention.links]
        return cls(text=mention.text, start=mention.start, end=mention.end, links=links)


class AnswerBody(NodeBody):
    """One answer; `score`: its share of the belief, `paths`: numbers of the paths that show it."""

    score: float
    paths: list[int] = Field([])
    distinction: str | None = Field(
        None, description="What tells it, or what it is of, from others of one name."
    )
    excerpt: str | None = Field(
        None, description="Of a described node that only came nearest, what its text says."
    )

    @classmethod
    def of(cls, answer: Answer) -> AnswerBody:
        return cls.of_node(
            answer.node,
            score=answer.score,
            paths=list(answer.evidence),
            distinction=answer.distinction or None,
            excerpt=answer.excerpt or None,
        )


class NodeChoiceBody(NodeBody):
    """A node that a name of the question may mean: its `id` as a topic of the same question says
    that it is meant."""

    distinction: str = Field(description="What tells it from others of its name.")

    @classmethod
    def of(cls, choice: NodeChoice) -> NodeChoiceBody:
        return cls.of_node(choice.node, distinction=choice.distinction)


class StepBody(BaseModel):
    """How long one step took."""

    name: str
    seconds: float


class CandidateBody(BaseModel):
    """One sentence that the model wrote, with its log-probability.

    `answers`: how many nodes it reached, or how many rows its query gave.
    """

    text: str
    score: float
    answers: int | None = Field(
        None, description="Unset: too improbable to be run, or it failed (`problem` says why)."
    )
    problem: str | None = Field(None, description="Why it was refused, or failed.")
    reading: str | None = Field(None, description="What it asks for, in plain English.")
    support: float | None = Field(
        None,
        le=0,
        description="How much of the model's probability the language left along the sentence, as a"
        " logarithm: 0 where it refused nothing. Unset where it is not known.",
    )
    cypher: str | None = Field(None, description="The query that the sentence says.")
    params: dict[str, object] | None = None

    @classmethod
    def of(cls, outcome: CandidateOutcome) -> CandidateBody:
        query = outcome.query if isinstance(outcome.query, CypherQuery) else None
        return cls(
            text=outcome.text,
            score=outcome.score,
            answers=outcome.answer_count,
            problem=outcome.problem or None,
            reading=outcome.reading or None,
            support=outcome.support,
            cypher=query.text if query else None,
            params=dict(query.params) if query else None,
        )


class NearestBody(BaseModel):
    """What came nearest, where there is no answer."""

    linked: list[LinkBody] = Field(
        description="What the question's names were taken for, or what is spelt most like them."
    )
    answers: list[AnswerBody] = Field(description="What was found, but with too little confidence.")

    @classmethod
    def of(cls, reply: Reply) -> NearestBody:
        best = [link for mention in reply.mentions for link in mention.links[:1]]
        linked = [LinkBody.of(link) for link in best or reply.similar_nodes]
        return cls(linked=linked, answers=[AnswerBody.of(answer) for answer in reply.nearest])


class OpinionBody(BaseModel):
    """What one of several methods came to."""

    method: str
    stance: Stance = Field(
        description="Answers, that there are none, nothing it is sure of, why what it found is no "
        "answer, an error, or nothing in time."
    )
    confidence: float = Field(description="In what it found, whether it was given or not.")
    seconds: float
    answer_count: int
    agrees: bool = Field(description="Whether it found what the answer gives.")
    problem: str | None = None

    @classmethod
    def of(cls, opinion: Opinion) -> OpinionBody:
        return cls(**{**asdict(opinion), "problem": opinion.problem or None})


class ChoiceBody(BaseModel):
    """Which methods were asked, and why the answer is what it is."""

    methods: list[OpinionBody] = Field(description="In the order in which they were asked.")
    skipped: list[str] = Field(
        description="Not asked: they could hardly have changed the answer, or not in time."
    )
    reason: str = Field(description="What decided.")

    @classmethod
    def of(cls, choice: Choice) -> ChoiceBody:
        methods = [OpinionBody.of(opinion) for opinion in choice.opinions]
        return cls(methods=methods, skipped=list(choice.skipped), reason=choice.reason)


class ReplyBody(BaseModel):
    """The answer, with its evidence and how it was found."""

    id: str = Field(
        description="A new one for each request; `/v1/answers/{id}` gives this answer, until it is "
        "deleted."
    )
    asked_at: datetime | None = Field(None, description="When it was asked, in UTC.")
    question: str
    asked: str | None = Field(
        None,
        description="Where the question refers to earlier ones: the whole question that was asked "
        "in its place, of which the mentions are spans.",
    )
    conversation: str | None = Field(None, description="The conversation that it belongs to.")
    reading: str = Field(
        "",
        description="How the question was understood, in plain English: said from the query or "
        "path that answers it, never from the question. Empty where there is none.",
    )
    method: str
    answers: list[AnswerBody]
    verdict: YesNo | None = Field(None, description="Where the question asks whether.")
    count: int | None = Field(None, description="How many, where the question asks for a number.")
    evidence: list[StatementBody] = Field(
        description="Facts, in the graph when the answer was given: head, relation, tail, or node, "
        "property, value. `subgraph` tells which are which."
    )
    sentences: list[str] = Field([], description="The evidence, one sentence for each fact.")
    subgraph: SubgraphBody = Field(SubgraphBody(), description="The evidence.")
    paths: list[str] = Field(
        description="The same facts as paths to read, which the answers cite by number; behind "
        "these, facts that explain the answers, such as the next one in an order."
    )
    facts_total: int | None = Field(
        None, description="How many facts the answers have, where not all are shown."
    )
    summaries: list[str] = Field(
        [],
        description="Those of the paths that sum up facts: how many values a number was made of, "
        "or by what number the first ones won.",
    )
    cypher: str | None = Field(None, description="The query that was run, where one was.")
    params: dict[str, object] | None = None
    columns: list[str] | None = Field(
        None, description="Names of what each row says: `country`, `area (km²)`."
    )
    rows: list[list[Any]] | None = Field(
        None,
        description="The rows of the answers, of a query. JSON's own types stand for themselves; "
        "all else is an object whose `type` says what it is: "
        '`{"type": "node", "id", "name", "labels"}`, `{"type": "date", "value": "2020-02-29"}` '
        "(also `datetime`, `time`, `duration`, `bytes`, and `float` for what JSON lacks), "
        '`{"type": "point", "srid", "x", "y", "z"?}`, `{"type": "map", "entries"}`, '
        '`{"type": "relationship", "head", "relation", "tail"}`, '
        '`{"type": "path", "nodes", "relations"}`.',
    )
    total: int | None = Field(
        None, description="How many answers there are, where a limit left some out."
    )
    plan: PlanBody | None = Field(None, description="How the database ran it.")
    wording: str | None = Field(
        None,
        description="A sentence: the reasoner's, where one spoke, or how two things are connected.",
    )
    confidence: float
    abstained: bool = Field(
        description="True: nothing is claimed, as nothing was found, or what was found is not sure "
        "enough. False without answers: the answer is that there are none."
    )
    held_back: str | None = Field(
        None,
        description="Why nothing is claimed: what was found leaves out what the question says, or "
        "it cannot be told what the question refers to.",
    )
    choices: list[NodeChoiceBody] = Field(
        [],
        description="Where a name of the question may mean several nodes and it means one: which. "
        "Ask again with the `id` of one in `topics`.",
    )
    nearest: NearestBody | None = Field(None, description="Set where it abstained.")
    chosen: ChoiceBody | None = Field(
        None, description="Set where methods were chosen among: what each came to, what decided."
    )
    mentions: list[MentionBody]
    candidates: list[CandidateBody]
    steps: list[StepBody]
    notes: list[str]

    def is_quote(self, answer: AnswerBody) -> bool:
        """Whether an answer is no node but words of a text in the evidence."""
        texts = (it.value for it in self.subgraph.properties if it.said is not None)
        return not answer.id and answer.name in texts

    @classmethod
    def of(cls, id: str, reply: Reply, *notes: str) -> ReplyBody:
        """A reply as a body; `id`: the answer's; `notes`: added to those of the reply."""
        statements = reply.statements()
        return cls(
            id=id,
            question=reply.question,
            asked=reply.asked or None,
            reading=reply.reading,
            method=reply.method,
            answers=[AnswerBody.of(answer) for answer in reply.answers],
            verdict=reply.verdict,
            count=reply.count,
            evidence=list_statements(statements),
            sentences=[write_statement(each) for each in statements],
            subgraph=SubgraphBody.of(statements, reply.asked or reply.question),
            paths=[fact.text for fact in reply.evidence],
            facts_total=reply.fact_total,
            summaries=[fact.text for fact in reply.evidence if not fact.statements],
            cypher=reply.cypher,
            params=dict(reply.params) if reply.cypher else None,
            columns=list(reply.rows.columns) if reply.rows else None,
            rows=_encode_rows(reply.rows, reply.distinctions) if reply.rows else None,
            total=reply.total,
            plan=PlanBody.of(reply.plan) if reply.plan else None,
            wording=reply.wording,
            confidence=reply.confidence,
            abstained=reply.abstained,
            held_back=reply.held_back or None,
            choices=[NodeChoiceBody.of(choice) for choice in reply.choices],
            nearest=NearestBody.of(reply) if reply.abstained else None,
            chosen=ChoiceBody.of(reply.choice) if reply.choice else None,
            mentions=[MentionBody.of(mention) for mention in reply.mentions],
            candidates=[CandidateBody.of(tried) for tried in reply.candidates],
            steps=[StepBody(name=step.name, seconds=step.seconds) for step in reply.steps],
            notes=[*reply.notes, *notes],
        )


class MethodBody(BaseModel):
    """One method, or `auto`, which chooses among them and answers where a question names none."""

    name: str
    about: str
    default: bool
    ready: bool = Field(description="Whether it can answer: its models are there.")
    tasks: list[str] = Field(description="What models do for it; it needs the first one.")
    models: dict[str, str] = Field({}, description="By task, the model that does it.")
    problem: str | None = Field(None, description="Why it cannot answer.")
    remedy: str | None = Field(None, description="What to do about that.")


def _encode_rows(rows: Rows, distinctions: Mapping[NodeId, str]) -> list[list[Any]]:
    return [[encode_cell(cell, distinctions) for cell in row] for row in rows.rows]
