"""Values of an answer: what grounding found, what was judged of it, and the whole reply."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

from trellis.domain.cypher import Plan, Rows
from trellis.domain.facts import Fact
from trellis.domain.graph import Node, Reached, Triple
from trellis.domain.links import Link, Mention


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer: a node, its share of the belief in [0, 1], and the facts that show it, by their
    place in the evidence."""

    node: Node
    score: float
    evidence: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class StepTime:
    """How long one step of a question took."""

    name: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Tried:
    """One candidate that a model wrote inside the language, and what became of it.

    `score` is the log-probability renormalised over the language; `answers` the number of nodes
    that grounding gave it (of rows, for a query), None where it was not run, or failed; `query`
    what it means, a value of the language; `found` the first of the nodes; `problem` why it failed,
    or was refused.
    """

    text: str
    score: float
    answers: int | None
    query: object = None
    found: tuple[Node, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """All that is said in answer to a question.

    `abstained`: nothing is claimed; without answers and not abstained, the answer is that there
    are none. `count`: where a number was asked for, how many answers there are, whatever the limit.
    `nearest`: where there is no answer, what came nearest to one, with its belief. `alike`: where
    nothing was linked, the nodes spelt most like what was asked about.
    `signs`: what `confidence` was estimated from.
    """

    question: str
    method: str
    answers: tuple[Answer, ...]
    evidence: tuple[Fact, ...]
    confidence: float
    abstained: bool
    mentions: tuple[Mention, ...] = ()
    candidates: tuple[Tried, ...] = ()
    steps: tuple[StepTime, ...] = ()
    cypher: str | None = None
    params: Mapping[str, object] = field(default_factory=dict)
    rows: Rows | None = None  # what the query gave
    plan: Plan | None = None  # how the database ran it
    wording: str | None = None  # the reasoner's sentence, where one spoke
    notes: tuple[str, ...] = ()  # what was cut, left out or failed
    count: int | None = None
    nearest: tuple[Answer, ...] = ()
    alike: tuple[Link, ...] = ()
    signs: Mapping[str, float] = field(default_factory=dict)

    def triples(self) -> tuple[Triple, ...]:
        """The evidence as distinct triples, in order."""
        return tuple(dict.fromkeys(t for fact in self.evidence for t in fact.triples))


@dataclass(frozen=True, slots=True)
class GroundedNode:
    """A node that a candidate gives, and the facts that show it together.

    `support`: in how many ways the candidate gives it, such as the walks that reach it.
    """

    node: Node
    facts: tuple[Fact, ...] = ()
    support: int = 1

    @classmethod
    def of_reached(cls, reached: Reached) -> Self:
        """A node that a relation path reaches, shown by one walk of each path."""
        walks = (reached.walk, *reached.also)
        return cls(reached.node, tuple(map(Fact.of_walk, walks)), reached.walks)


@dataclass(frozen=True, slots=True)
class Finding:
    """What grounding found for one candidate: the nodes that it gives."""

    text: str
    probability: float
    nodes: tuple[GroundedNode, ...] = ()


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a reasoner made of the findings: answers, best first, and how sure it is.

    `nearest`: where it gives no answer, what came nearest. `notes`: what it was not shown.
    `none`: there is no answer, and that is what it says.
    """

    answers: tuple[Answer, ...]
    confidence: float
    wording: str | None = None
    nearest: tuple[Answer, ...] = ()
    notes: tuple[str, ...] = ()
    none: bool = False
