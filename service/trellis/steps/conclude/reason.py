"""Reason: choose the nodes that answer the question, and estimate the confidence in them.

Findings are rival readings of the question: exactly one of them, or none, is what was meant, and
finding i is it with probability p_i (sum <= 1). A node's belief is the sum of p_i over the
findings that reach it, which is the chance that it is an answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from trellis.domain.errors import ReasonerError
from trellis.domain.graphs.facts import Fact
from trellis.domain.graphs.graph import Node, NodeId
from trellis.domain.limits.many_rows import work_through_rows
from trellis.domain.models.calibration import estimate_confidence, temper_probabilities
from trellis.domain.models.card import Calibration
from trellis.domain.ports import Reasoner
from trellis.domain.replies.reply import MOST_NEAREST, Answer, Finding, Judgement
from trellis.steps.conclude.apply_review import apply_review
from trellis.steps.link.question_form import QuestionForm


@dataclass(frozen=True, slots=True)
class AnswerCandidate:
    """A node that some finding reaches.

    `belief`: the chance that it is an answer. `ways`: in how many ways it was reached.
    `finding_numbers` and `evidence`: numbers of the findings that reach it and of the facts that
    show it.
    """

    node: Node
    belief: float
    ways: int
    finding_numbers: tuple[int, ...]
    evidence: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Vote:
    """A vote of the findings, weighted by their probabilities.

    Nodes come in order of belief, which is best for the first answer. Given are all that the most
    probable finding with the first answer reaches, and those that say the same: what is given is
    what is read.

    The confidence that the first answer is right is a logistic regression over the features
    `features`; without fitted weights it is the belief in the first answer.
    """

    abstain_below: float = 0.0
    weights: Mapping[str, float] = field(default_factory=dict)
    features: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def of(cls, calibration: Calibration, features: Mapping[str, float]) -> Self:
        """The vote as it was calibrated."""
        return cls(calibration.abstain_below, calibration.weights, features)

    async def judge(self, findings: Sequence[Finding], evidence: Sequence[Fact]) -> Judgement:
        """Answers, best first; none where the confidence is below `abstain_below`."""
        return await work_through_rows(len(evidence), self._count_votes, findings, evidence)

    def _count_votes(self, findings: Sequence[Finding], evidence: Sequence[Fact]) -> Judgement:
        ranked = collect_candidates(findings, evidence)
        if not ranked:
            return Judgement((), 0.0)
        weighed = estimate_confidence(self.features, self.weights)
        confidence = weighed if self.weights else ranked[0].belief
        if confidence < self.abstain_below:
            return Judgement((), confidence)
        read = find_read_finding(findings, ranked[0].node).meaning
        meant = {number for number, each in enumerate(findings) if each.meaning == read}
        kept = [each for each in ranked if not meant.isdisjoint(each.finding_numbers)]
        return Judgement(tuple(Answer(c.node, c.belief, c.evidence) for c in kept), confidence)


async def judge_findings(
    reasoner: Reasoner | None,
    vote: Vote,
    form: QuestionForm,
    findings: Sequence[Finding],
    evidence: Sequence[Fact],
) -> Judgement:
    """The vote's judgement, as a reasoner reviewed it where there is one.

    A judgement without answers names the nearest ones, and is not reviewed.
    """
    judgement = await vote.judge(findings, evidence)
    if not judgement.answers:
        return replace(judgement, nearest=find_nearest_answers(findings))
    return await review_judgement(reasoner, form, judgement, findings, evidence)


async def review_judgement(
    reasoner: Reasoner | None,
    form: QuestionForm,
    judgement: Judgement,
    findings: Sequence[Finding],
    evidence: Sequence[Fact],
) -> Judgement:
    """The judgement with what a reasoner may add to it; with a note where the reasoner failed."""
    if reasoner is None:
        return judgement
    try:
        review = await reasoner.review(form.text, judgement.answers, findings, evidence)
    except ReasonerError as error:
        note = f"the reasoner failed, the answer stands without it: {error.problem}"
        return replace(judgement, notes=(*judgement.notes, note))
    others = collect_candidates(findings, evidence) if reasoner.may_choose else ()
    found = tuple(Answer(other.node, other.belief, other.evidence) for other in others)
    return apply_review(review, form, judgement, evidence, found, reasoner.may_choose)


def find_read_finding(findings: Sequence[Finding], first: Node) -> Finding:
    """The most probable finding that reaches the first answer: what the question is read as."""
    reaching = (f for f in findings if any(each.node.id == first.id for each in f.nodes))
    return max(reaching, key=lambda finding: finding.probability)


def soften_findings(findings: Sequence[Finding], temperature: float) -> tuple[Finding, ...]:
    """The findings with their probabilities at a model's temperature."""
    probabilities = temper_probabilities([finding.probability for finding in findings], temperature)
    pairs = zip(findings, probabilities, strict=True)
    return tuple(replace(finding, probability=chance) for finding, chance in pairs)


def find_nearest_answers(
    findings: Sequence[Finding], limit: int = MOST_NEAREST
) -> tuple[Answer, ...]:
    """The most probable nodes, as answers without evidence that are not claimed to be right."""
    return tuple(Answer(c.node, c.belief) for c in collect_candidates(findings, ())[:limit])


def collect_candidates(
    findings: Sequence[Finding], evidence: Sequence[Fact]
) -> list[AnswerCandidate]:
    """All nodes that findings reach, sorted by belief, then support, then name."""
    rows = {fact: row for row, fact in enumerate(evidence)}
    seen: dict[NodeId, AnswerCandidate] = {}
    for number, finding in enumerate(findings):
        for grounded in finding.nodes:
            new = AnswerCandidate(
                grounded.node,
                finding.probability,
                grounded.ways,
                (number,),
                tuple(rows[fact] for fact in grounded.facts if fact in rows),
            )
            old = seen.get(grounded.node.id)
            seen[grounded.node.id] = _join_candidates(old, new) if old else new
    return sorted(seen.values(), key=lambda c: (-c.belief, -c.ways, c.node.name, c.node.id))


def _join_candidates(old: AnswerCandidate, new: AnswerCandidate) -> AnswerCandidate:
    """Join two candidates of one node; a finding that reaches it twice counts once."""
    again = new.finding_numbers[0] in old.finding_numbers
    return AnswerCandidate(
        old.node,
        old.belief if again else min(1.0, old.belief + new.belief),
        old.ways + new.ways,
        old.finding_numbers if again else old.finding_numbers + new.finding_numbers,
        tuple(dict.fromkeys(old.evidence + new.evidence)),
    )
