"""Fuse replies: one answer from several, by the confidence of each.

A reply of confidence p says that its claim is right with odds p : 1 - p. Another method that
comes to the same claim would, were it wrong, come to this very one only once in some number of
times; so agreement counts as evidence, and so does what a method found likely without claiming it.
As methods share their links and lessons, they err together, and each further one counts less.
Claims that contradict one another share what is left.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from trellis.domain.models.calibration import log_odds
from trellis.domain.replies.reply import MOST_NEAREST, Answer, CandidateOutcome, Reply
from trellis.linking.text import report_key

_WRONG_CLAIMS = 3.0
"""Claims that a method might make where it is wrong."""

_SHARED_ERRORS = 0.25
"""What each further reply that agrees is worth, of the one before it."""

_UNSURE = 0.25
"""What a claim weighs that no method was sure enough to give."""

_UNSHOWN = 0.02
"""What a claim weighs that leaves out what is asked of the answers, beside one that says it."""

_MOST_OF_NONE = 0.8
"""The most confidence in that there is no answer: a wrong reading matches nothing as easily. Where
the model's own words in the wider language are what the graph lacks, there is no such limit."""

_EQUAL = 1e-9
"""Answers whose scores differ by no more are of one reading."""

_SAME = 0.8
"""The F1 between two sets of answers from which on they are one claim."""


@dataclass(frozen=True, slots=True)
class AnswerHypothesis:
    """What a reply says: a verdict, a number or the keys of its answers.

    `is_cut`: there may be more answers, as only the nearest are told where none is given.
    """

    verdict: str | None = None
    count: int | None = None
    answers: frozenset[str] = frozenset()
    is_cut: bool = False

    @classmethod
    def of(cls, reply: Reply) -> AnswerHypothesis | None:
        """What a reply gives, or found nearest; None where it found nothing."""
        if not reply.nearest and reply.abstained:
            return None
        near = [each for each in reply.nearest if each.score >= reply.nearest[0].score - _EQUAL]
        answers = frozenset(report_key(each.node.name) for each in reply.answers or near)
        is_cut = not reply.answers and len(near) >= MOST_NEAREST
        return cls(reply.verdict, reply.count, answers, is_cut)

    @classmethod
    def of_candidate(cls, candidate: CandidateOutcome) -> AnswerHypothesis | None:
        """What one candidate would say; None where it found no node."""
        if not candidate.first_nodes:
            return None
        answers = frozenset(report_key(node.name) for node in candidate.first_nodes)
        return cls(answers=answers, is_cut=(candidate.answer_count or 0) > len(answers))

    @property
    def is_empty(self) -> bool:
        """Whether it says that there is no answer."""
        return not self.answers and self.kind == "answers"

    @property
    def kind(self) -> str:
        """What it states; claims of two kinds cannot be compared."""
        if self.verdict:
            return "verdict"
        return "answers" if self.count is None else "count"

    def is_same(self, other: AnswerHypothesis) -> bool:
        """Whether both say the same: verdicts and numbers exactly, else nearly the same answers."""
        if "answers" not in (self.kind, other.kind):
            return (self.verdict, self.count) == (other.verdict, other.count)
        if not self.answers or not other.answers:
            return self.answers == other.answers
        if self.is_cut or other.is_cut:
            return self.answers <= other.answers or other.answers <= self.answers
        both = len(self.answers & other.answers)
        return 2 * both / (len(self.answers) + len(other.answers)) >= _SAME


@dataclass(frozen=True, slots=True)
class FusedReply:
    """The reply that is believed.

    `confidence`: that its claim is right, given what all methods found. `agreeing`: the methods
    that found the same. `contradicting`: those that found something else.
    """

    reply: Reply
    confidence: float
    agreeing: tuple[str, ...] = ()
    contradicting: tuple[str, ...] = ()


def fuse_replies(replies: Sequence[Reply]) -> FusedReply:
    """The most probable of the replies that give something; of those that give nothing the surest,
    where none does. `replies`: at least one, in the order in which they were asked; of equal claims
    the first is given."""
    claims = _collect_claims(replies)
    groups = _group_claims(claims)
    odds = [_compute_odds(claims[group[0]], group, replies) for group in groups]
    total = 1 + math.fsum(odds)
    best: FusedReply | None = None
    for group, chance in zip(groups, odds, strict=True):
        given = [number for number in group if not replies[number].abstained]
        if given and (best is None or chance / total > best.confidence):
            surest = max(given, key=lambda number: (replies[number].confidence, -number))
            same = [number for number in given if claims[number] == claims[surest]]
            chosen = min(same, key=lambda number: (len(replies[number].unshown), number))
            agreeing = tuple(replies[it].method for it in group if it != chosen)
            others = [it for it in claims if it not in group]
            best = FusedReply(
                replies[chosen],
                chance / total,
                agreeing,
                tuple(replies[it].method for it in others),
            )
    return best or _choose_silent(replies)


def _choose_silent(replies: Sequence[Reply]) -> FusedReply:
    """The surest of replies that give nothing, with what came nearest in all of them; one that says
    what it found in place of an answer, where there is one."""
    silent = max(replies, key=lambda reply: (reply.found_other, reply.confidence))
    if silent.held_back:
        return FusedReply(silent, silent.confidence)
    weighed = [
        (reply.confidence * answer.score, answer) for reply in replies for answer in reply.nearest
    ]
    ranked = sorted(weighed, key=lambda pair: -pair[0])
    nearest: dict[tuple[str, str], Answer] = {}
    for _, answer in ranked:
        nearest.setdefault((answer.node.id, answer.node.name), answer)
    kept = tuple(nearest.values())[:MOST_NEAREST]
    return FusedReply(replace(silent, nearest=kept), silent.confidence)


def _collect_claims(replies: Sequence[Reply]) -> dict[int, AnswerHypothesis]:
    """The claims by the numbers of their replies: those of the kind that is given first."""
    claims = {
        number: claim for number, it in enumerate(replies) if (claim := AnswerHypothesis.of(it))
    }
    given = [claim.kind for number, claim in claims.items() if not replies[number].abstained]
    return {number: it for number, it in claims.items() if it.kind in (given[:1] or [it.kind])}


def _group_claims(claims: Mapping[int, AnswerHypothesis]) -> list[list[int]]:
    """The numbers of replies that make one claim, by the first of them."""
    groups: list[list[int]] = []
    for number, claim in claims.items():
        same = next((group for group in groups if claims[group[0]].is_same(claim)), None)
        if same is None:
            groups.append([number])
        else:
            same.append(number)
    return groups


def _compute_odds(claim: AnswerHypothesis, group: Sequence[int], replies: Sequence[Reply]) -> float:
    """The odds that a claim is right which the replies of `group` make, and which others may have
    found likely."""
    claiming = sorted((_limit_confidence(claim, replies[it]) for it in group), reverse=True)
    others = [reply for number, reply in enumerate(replies) if number not in group]
    likely = [compute_likelihood(claim, reply) for reply in others]
    ranked = [*claiming, *sorted(filter(None, likely), reverse=True)]
    support = (
        max(0.0, math.log(_WRONG_CLAIMS) + log_odds(p)) * _SHARED_ERRORS**rank
        for rank, p in enumerate(ranked[1:], start=1)
    )
    weight = _UNSURE if all(replies[number].abstained for number in group) else 1.0
    is_whole = [not reply.abstained and not reply.unshown for reply in replies]
    if any(is_whole) and all(replies[number].unshown for number in group):
        weight *= _UNSHOWN
    return weight * math.exp(log_odds(ranked[0]) + math.fsum(support))


def _limit_confidence(claim: AnswerHypothesis, reply: Reply) -> float:
    is_doubtful = claim.is_empty and not reply.is_absent
    return min(_MOST_OF_NONE, reply.confidence) if is_doubtful else reply.confidence


def compute_likelihood(claim: AnswerHypothesis, reply: Reply) -> float:
    """How likely a reply that does not make a claim finds it: of what its confidence leaves, the
    share of its candidates that come to the claim."""
    own = AnswerHypothesis.of(reply)
    rivals = [
        (AnswerHypothesis.of_candidate(each), math.exp(each.score)) for each in reply.candidates
    ]
    beside = [(it, chance) for it, chance in rivals if it and not (own and it.is_same(own))]
    left = 1 - math.fsum(chance for it, chance in rivals if it and own and it.is_same(own))
    found = math.fsum(chance for it, chance in beside if it.is_same(claim))
    return (1 - reply.confidence) * min(1.0, found / left) if left > 0 else 0.0
