"""Values of an answer: what grounding found, how it was judged, and the whole reply."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, Self

from trellis.domain.graphs.facts import Fact, Statement
from trellis.domain.graphs.graph import Node, NodeId, ReachedNode, Triple
from trellis.domain.graphs.links import Link, Mention
from trellis.domain.replies.choice import Choice
from trellis.domain.structures.cypher import Plan, Rows

MOST_NEAREST = 5
"""How many answers are told that came nearest, where none is given."""

YesNo = Literal["yes", "no"]
"""The verdict on a question that asks whether something is so."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer: a node, its share of the belief in [0, 1], and the indices of the facts that show
    it in the reply's evidence. `distinction`: what tells it, or what it is of, from others of one
    name. `excerpt`: of a described node that only came nearest, what its text says."""

    node: Node
    score: float
    evidence: tuple[int, ...] = ()
    distinction: str = ""
    excerpt: str = ""


@dataclass(frozen=True, slots=True)
class NodeChoice:
    """A node that a name of the question may mean, and what tells it from others of the name."""

    node: Node
    distinction: str


@dataclass(frozen=True, slots=True)
class StepTime:
    """How long one step of a question took."""

    name: str
    seconds: float


@dataclass(frozen=True, slots=True)
class CandidateOutcome:
    """One candidate that a model wrote inside the language, and what became of it.

    `score` is the log-probability renormalised over the language; `answer_count` the number of
    nodes that grounding gave it (of rows, for a query), None where it was not run, or failed;
    `query` what it means, a value of the language; `first_nodes` the first of the nodes; `problem`
    why it failed, or was refused; `reading` what it asks for, in plain English. `support`: the log
    of the share of the model's probability that the language left; None where it is not known.
    `turned`: that of its directions, as of `Support`.
    """

    text: str
    score: float
    answer_count: int | None
    query: object = None
    first_nodes: tuple[Node, ...] = ()
    problem: str = ""
    reading: str = ""
    support: float | None = None
    turned: float = 0.0


@dataclass(frozen=True, slots=True)
class Reply:
    """The whole reply to a question.

    `abstained`: whether it claims nothing; a reply that has no answers and did not abstain claims
    that there are none. `count`: where a number was asked for, the number of answers, whatever the
    limit. `nearest`: where there is no answer, the best candidates with their belief.
    `similar_nodes`: where nothing was linked, the nodes with the most similar names. `features`:
    the features that `confidence` was estimated from. `reading`: how the question was understood,
    in plain English, made from the query or path alone; empty where there is none. `verdict`: of a
    question that asks whether something is so. `held_back`: why an answer that was found is not
    given, where it leaves out what the question says; `found_other`: where it is something else
    than the question asks for, which another method may find. `choice`: which methods were asked
    and what decided, where none was named. `says_operators`: whether what it found rests on more
    than relations: a `not`, a comparison, an extreme and the like. `asked`: the whole question,
    where the question was a follow-up; mentions are spans of it. `rows`: of a query the rows of its
    answers, under names that people understand. `total`: how many answers there are, where a limit
    left some out. `fact_total`: where not all facts of the answers are shown, how many there are.
    `is_absent`: without answers, that the model said what the question asks for in the words of the
    schema, and the graph has none of it. `choices`: where a name may mean several nodes and the
    question means one, those that it may mean. `distinctions`: by their ids, what tells nodes of
    answers and rows from others of one name.
    """

    question: str
    method: str
    answers: tuple[Answer, ...]
    evidence: tuple[Fact, ...]
    confidence: float
    abstained: bool
    mentions: tuple[Mention, ...] = ()
    candidates: tuple[CandidateOutcome, ...] = ()
    steps: tuple[StepTime, ...] = ()
    cypher: str | None = None
    params: Mapping[str, object] = field(default_factory=dict)
    rows: Rows | None = None
    plan: Plan | None = None  # the database's plan of the query
    wording: str | None = None  # a sentence: the reasoner's, or how nodes are connected
    notes: tuple[str, ...] = ()  # what was cut, left out or failed
    count: int | None = None
    nearest: tuple[Answer, ...] = ()
    similar_nodes: tuple[Link, ...] = ()
    features: Mapping[str, float] = field(default_factory=dict)
    reading: str = ""
    verdict: YesNo | None = None
    held_back: str = ""
    found_other: bool = False
    choice: Choice | None = None
    says_operators: bool = False
    asked: str = ""
    total: int | None = None
    unshown: tuple[str, ...] = ()  # what the question asks of the answers and the reply cannot say
    fact_total: int | None = None
    is_absent: bool = False
    choices: tuple[NodeChoice, ...] = ()
    distinctions: Mapping[NodeId, str] = field(default_factory=dict)

    def withdraw_answers(self) -> Reply:
        """The same reply without a claim: its answers only came nearest."""
        nearest = self.answers[:MOST_NEAREST]
        silent = replace(self, answers=(), evidence=(), abstained=True, nearest=nearest)
        silent = replace(silent, fact_total=None)
        return replace(silent, verdict=None, count=None, wording=None, rows=None, total=None)

    def hold_back(self, reason: str, *, found_other: bool = False) -> Reply:
        """The same reply without a claim, for a reason why what was found is none."""
        silent = replace(self.withdraw_answers(), nearest=(), confidence=0.0, held_back=reason)
        return replace(silent, notes=(*self.notes, reason), found_other=found_other)

    def triples(self) -> tuple[Triple, ...]:
        """The relationships of the evidence, each once, in order."""
        return tuple(dict.fromkeys(t for fact in self.evidence for t in fact.triples))

    def statements(self) -> tuple[Statement, ...]:
        """The evidence as distinct statements, in order."""
        return tuple(dict.fromkeys(each for fact in self.evidence for each in fact.statements))


@dataclass(frozen=True, slots=True)
class GroundedNode:
    """A node that a candidate gives, and the facts that together show it.

    `ways`: the number of ways in which the candidate gives it, such as walks that reach it.
    """

    node: Node
    facts: tuple[Fact, ...] = ()
    ways: int = 1

    @classmethod
    def of_reached(cls, reached: ReachedNode) -> Self:
        """A node that a relation path reaches, shown by one walk of each path."""
        walks = (reached.walk, *reached.other_walks)
        return cls(reached.node, tuple(map(Fact.of_walk, walks)), reached.walks)


@dataclass(frozen=True, slots=True)
class Finding:
    """One candidate's text and probability, and the nodes that grounding found for it.

    `relations`: of a path, what it says without the nodes on its way; empty elsewhere.
    """

    text: str
    probability: float
    nodes: tuple[GroundedNode, ...] = ()
    relations: str = ""

    @property
    def meaning(self) -> str:
        """What it reads in the question; candidates that name other nodes may read the same."""
        return self.relations or self.text


@dataclass(frozen=True, slots=True)
class Judgement:
    """A reasoner's judgement of the findings: answers, best first, and its confidence.

    `nearest`: where it gives no answer, the best candidates. `notes`: what was left out of what it
    was shown. `claims_none`: it claims that there is no answer.
    """

    answers: tuple[Answer, ...]
    confidence: float
    wording: str | None = None
    nearest: tuple[Answer, ...] = ()
    notes: tuple[str, ...] = ()
    claims_none: bool = False
