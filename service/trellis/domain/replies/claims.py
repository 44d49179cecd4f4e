"""Claims: statements to verify, what they say, and what the graph says of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Literal

from trellis.domain.graphs.graph import Node, Triple
from trellis.domain.graphs.links import StoredValue
from trellis.domain.replies.reply import StepTime
from trellis.domain.structures.question_patterns import QuestionPattern

ClaimVerdict = Literal["supported", "refuted", "not_enough_evidence"]

ClaimOperatorKind = Literal["exists", "count", "values", "counts", "extreme"]
"""What a claim says of its pattern: that it exists; how many nodes its first unknown may be; how
two values, or two counts, compare; that no other value is larger, or smaller."""

Sign = Literal["=", "<", ">", "<=", ">=", "older", "younger"]
"""How quantities compare; of two years the smaller is the older one, and of two ages the larger."""


class Truth(IntEnum):
    """Three-valued: what is open is neither known to be true nor known to be false."""

    FALSE = 0
    OPEN = 1
    TRUE = 2


VERDICTS: Mapping[Truth, ClaimVerdict] = {
    Truth.TRUE: "supported",
    Truth.FALSE: "refuted",
    Truth.OPEN: "not_enough_evidence",
}


def conjoin(truths: Iterable[Truth]) -> Truth:
    """The truth of `and`; that of nothing is true."""
    return min(truths, default=Truth.TRUE)


def disjoin(truths: Iterable[Truth]) -> Truth:
    """The truth of `or`; that of nothing is false."""
    return max(truths, default=Truth.FALSE)


def deny(truth: Truth) -> Truth:
    """The truth of `not`."""
    return Truth(Truth.TRUE - truth)


@dataclass(frozen=True, slots=True)
class Bound:
    """What a value has to be: `before 1998`, `older than 31`, or the quantity itself."""

    sign: Sign
    quantity: str


@dataclass(frozen=True, slots=True)
class ClaimMention:
    """Characters `[start, end)` of a claim, and what they mean.

    `nodes`: the nodes of that name. `values`: values of properties. `bound`: of a number or date.
    A mention that means nothing at all is not in the graph.
    """

    start: int
    end: int
    text: str
    nodes: tuple[Node, ...] = ()
    values: tuple[StoredValue, ...] = ()
    bound: Bound | None = None

    @property
    def is_ordinary(self) -> bool:
        """Whether it may as well be a word of the claim that only happens to be a name."""
        is_word = self.text.islower() and self.text.replace(" ", "").isalpha()
        return bool(self.nodes) and is_word and self.bound is None

    @property
    def is_known(self) -> bool:
        return bool(self.nodes or self.values or self.bound)


@dataclass(frozen=True, slots=True)
class ClaimOperator:
    """What a claim says of its pattern; `number`: what a count compares with."""

    kind: ClaimOperatorKind = "exists"
    sign: Sign = "="
    number: float = 0.0


@dataclass(frozen=True, slots=True)
class ClaimForm:
    """One way to read a claim: a pattern, and what is said of it.

    The pattern is a tree whose first node is the mention that the claim is about; each triple joins
    a node that was said before to one that was not. A relation with a point in front (`.rank`) is a
    property. `denied`: the triples that are denied, each with what hangs on it. `is_denied`:
    whether the whole is. `is_unknown`: whether the claim also says what the graph has no relation
    for.
    """

    pattern: QuestionPattern
    operator: ClaimOperator = ClaimOperator()
    denied: frozenset[int] = frozenset()
    is_denied: bool = False
    is_unknown: bool = False


@dataclass(frozen=True, slots=True)
class JudgedForm:
    """A form, how probable it is that the claim means it, its truth, and the triples that decide
    it."""

    form: ClaimForm
    probability: float
    truth: Truth
    triples: tuple[Triple, ...] = ()


@dataclass(frozen=True, slots=True)
class ClaimReply:
    """The verdict on a claim.

    `confidence`: how probable the verdict is. `evidence`: triples of the graph for or against it.
    `reading`: how the claim was understood, in plain English. `features`: what the confidence was
    estimated from.
    """

    claim: str
    verdict: ClaimVerdict
    confidence: float
    evidence: tuple[Triple, ...] = ()
    reading: str = ""
    mentions: tuple[ClaimMention, ...] = ()
    candidates: tuple[JudgedForm, ...] = ()
    steps: tuple[StepTime, ...] = ()
    notes: tuple[str, ...] = ()
    features: Mapping[str, float] = field(default_factory=dict)
