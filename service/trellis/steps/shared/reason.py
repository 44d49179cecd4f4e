"""Reason: choose the nodes that answer the question, and estimate the confidence in them.

Findings are rival readings of the question: exactly one of them, or none, is what was meant, and
finding i is it with probability p_i (sum <= 1). A node's belief is the sum of p_i over the
findings that reach it, which is the chance that it is an answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Self

from trellis.domain.calibration import logistic, tempered
from trellis.domain.card import Calibration
from trellis.domain.errors import ReasonerError
from trellis.domain.facts import Fact
from trellis.domain.graph import Node, NodeId
from trellis.domain.ports import Reasoner
from trellis.domain.reply import Answer, Finding, Judgement


@dataclass(frozen=True, slots=True)
class Candidate:
    """A node that some finding reaches.

    `belief`: the chance that it is an answer. `support`: in how many ways it was reached.
    `findings` and `evidence`: numbers of the findings that reach it and of the facts that show it.
    """

    node: Node
    belief: float
    support: int
    findings: tuple[int, ...]
    evidence: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Vote:
    """The offline reasoner: a vote of the findings, weighted by their probabilities.

    Nodes come in order of belief, which is best for the first answer. How many of them are
    given is what makes the expected F1 largest: were finding i meant, F1 of a set S is
    2 |S & R_i| / (|S| + |R_i|), R_i being all that the finding reaches.

    The confidence that the first answer is right is a logistic regression over the features
    `signs`; without fitted weights it is the belief in the first answer.
    """

    abstain_below: float = 0.0
    weights: Mapping[str, float] = field(default_factory=dict)
    signs: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def of(cls, calibration: Calibration, signs: Mapping[str, float]) -> Self:
        """The vote as it was calibrated."""
        return cls(calibration.abstain_below, calibration.weights, signs)

    async def judge(
        self,
        question: str,  # noqa: ARG002 the vote reads the findings alone
        findings: Sequence[Finding],
        evidence: Sequence[Fact],
    ) -> Judgement:
        """Answers, best first; none where the confidence is below `abstain_below`."""
        ranked = candidates(findings, evidence)
        if not ranked:
            return Judgement((), 0.0)
        confidence = logistic(self.signs, self.weights) if self.weights else ranked[0].belief
        if confidence < self.abstain_below:
            return Judgement((), confidence)
        kept = ranked[: best_prefix(ranked, findings)]
        return Judgement(tuple(Answer(c.node, c.belief, c.evidence) for c in kept), confidence)


async def reason(
    reasoner: Reasoner | None,
    vote: Reasoner,
    question: str,
    findings: Sequence[Finding],
    evidence: Sequence[Fact],
) -> Judgement:
    """The reasoner's judgement; the vote's where there is no reasoner, or where it failed.

    A failure is noted. A judgement without answers names the nearest ones.
    """
    judgement = await _judged(reasoner, vote, question, findings, evidence)
    return judgement if judgement.answers else replace(judgement, nearest=nearest(findings))


async def _judged(
    reasoner: Reasoner | None,
    vote: Reasoner,
    question: str,
    findings: Sequence[Finding],
    evidence: Sequence[Fact],
) -> Judgement:
    if reasoner is None:
        return await vote.judge(question, findings, evidence)
    try:
        return await reasoner.judge(question, findings, evidence)
    except ReasonerError as error:
        note = f"the reasoner failed, the vote stands in: {error.problem}"
        return replace(await vote.judge(question, findings, evidence), notes=(note,))


def softened(findings: Sequence[Finding], temperature: float) -> tuple[Finding, ...]:
    """The findings with their probabilities at a model's temperature."""
    probabilities = tempered([finding.probability for finding in findings], temperature)
    pairs = zip(findings, probabilities, strict=True)
    return tuple(replace(finding, probability=chance) for finding, chance in pairs)


def nearest(findings: Sequence[Finding], most: int = 5) -> tuple[Answer, ...]:
    """The most probable nodes, as answers without evidence that are not claimed to be right."""
    return tuple(Answer(c.node, c.belief) for c in candidates(findings, ())[:most])


def candidates(findings: Sequence[Finding], evidence: Sequence[Fact]) -> list[Candidate]:
    """All nodes that findings reach, sorted by belief, then support, then name."""
    rows = {fact: row for row, fact in enumerate(evidence)}
    seen: dict[NodeId, Candidate] = {}
    for number, finding in enumerate(findings):
        for grounded in finding.nodes:
            new = Candidate(
                grounded.node,
                finding.probability,
                grounded.support,
                (number,),
                tuple(rows[fact] for fact in grounded.facts if fact in rows),
            )
            old = seen.get(grounded.node.id)
            seen[grounded.node.id] = _joined(old, new) if old else new
    return sorted(seen.values(), key=lambda c: (-c.belief, -c.support, c.node.name, c.node.id))


def _joined(old: Candidate, new: Candidate) -> Candidate:
    """Join two candidates of one node; a finding that reaches it twice counts once."""
    again = new.findings[0] in old.findings
    return Candidate(
        old.node,
        old.belief if again else min(1.0, old.belief + new.belief),
        old.support + new.support,
        old.findings if again else old.findings + new.findings,
        tuple(dict.fromkeys(old.evidence + new.evidence)),
    )


def best_prefix(ranked: Sequence[Candidate], findings: Sequence[Finding]) -> int:
    """The number of candidates with the largest expected F1; equal beliefs stay together."""
    best, best_size = -1.0, 0
    for size, expected in _expected_f1(ranked, findings):
        if expected > best + 1e-12:
            best, best_size = expected, size
    return best_size


def _expected_f1(
    ranked: Sequence[Candidate], findings: Sequence[Finding]
) -> Iterator[tuple[int, float]]:
    """Size and expected F1 of each prefix that does not part candidates of equal belief."""
    sizes = [len({grounded.node.id for grounded in finding.nodes}) for finding in findings]
    shared = [0] * len(findings)
    given = 0
    for _, level in groupby(ranked, key=lambda c: round(c.belief, 12)):
        for candidate in level:
            given += 1
            for number in candidate.findings:
                shared[number] += 1
        yield (
            given,
            sum(
                finding.probability * 2 * both / (given + size)
                for finding, both, size in zip(findings, shared, sizes, strict=True)
            ),
        )
