"""Claims: verified by the facts that the graph has, under a local closed world.

Source: SimGRAG, section 4.4, for what is asked; the rule by which the graph decides is ours. What a
claim mentions spans forms, each a small pattern and what is said of it; the facts make each form
true, false or open; the claim's words say how probable each form is; the verdict is what most of
them come to.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from trellis.domain.ports import Embedder
from trellis.domain.replies.claims import VERDICTS, ClaimMention, ClaimReply, JudgedForm, Truth
from trellis.domain.replies.reply import StepTime
from trellis.pipelines.record import time_step
from trellis.steps.claims.describe_form import describe_form
from trellis.steps.claims.link_claim import link_claim
from trellis.steps.claims.read_claim import ClaimReading, judge_forms, read_claim
from trellis.steps.claims.split_claim import split_claim
from trellis.steps.claims.step_companions import StepCompanions
from trellis.steps.claims.weigh_forms import ClaimWords, FormWeigher, WordLikeness
from trellis.steps.link.link import link_mentions
from trellis.steps.link.values.link_values import link_values

_MOST_CANDIDATES = 10
_UNKNOWN_NAME = 0.9  # confidence that what looks like a name, and is none, leaves a claim open
_UNREADABLE = 0.3  # confidence of a verdict on a claim that mentions nothing
_MOST_EVIDENCE = 20
_UNTAUGHT = 0.7  # factor for the confidence in words that no training has counted


@dataclass(frozen=True)
class ClaimVerification:
    """Verifies claims by `words`: those that training counted, or (not `is_taught`) only known.
    `companions`: what is known of the graph's steps, kept from one claim to the next."""

    companions: StepCompanions
    words: ClaimWords = field(default_factory=dict)
    wording: Sequence[str] = ()
    embedder: Embedder | None = None
    is_taught: bool = True

    async def verify(self, claim: str) -> ClaimReply:
        steps: list[StepTime] = []
        with time_step("link", steps):
            mentions = await self._link(claim)
            statements = split_claim(claim, mentions)
        if len(statements) > 1:
            return join_replies(claim, [await self.verify(each) for each in statements])
        return await self._verify_statement(claim, mentions, steps)

    async def _link(self, claim: str) -> tuple[ClaimMention, ...]:
        graph = self.companions.graph
        names = await link_mentions(claim, graph, None, self.wording)
        values = await link_values(claim, graph)
        return link_claim(claim, names, values, await graph.schema())

    async def _verify_statement(
        self, claim: str, mentions: Sequence[ClaimMention], steps: list[StepTime]
    ) -> ClaimReply:
        with time_step("read", steps):
            reading = await read_claim(claim, mentions, self.companions)
        if not reading.forms:
            return _leave_open(claim, reading, steps)
        with time_step("weigh", steps):
            weigher = FormWeigher(self.words, WordLikeness(self.embedder))
            said = reading.said
            shares = await weigher.weigh_forms(reading.forms, said.words, said.mentions)
        return self._decide(claim, reading, judge_forms(reading, shares), steps)

    def _decide(
        self,
        claim: str,
        reading: ClaimReading,
        judged: Sequence[JudgedForm],
        steps: Sequence[StepTime],
    ) -> ClaimReply:
        """The verdict that the forms make most probable, shown by the best form that gives it."""
        shares = _sum_by_truth(judged)
        truth = max(shares, key=lambda each: shares[each])
        best = next(each for each in judged if each.truth is truth)
        mentions = reading.said.mentions
        trust = 1.0 if self.is_taught else _UNTAUGHT
        notes = [] if self.is_taught else ["no model of this graph has learnt the words of claims"]
        if truth is Truth.OPEN:
            notes.append(_explain_open(best))
        return ClaimReply(
            claim=claim,
            verdict=VERDICTS[truth],
            confidence=trust * shares[truth],
            evidence=best.triples[:_MOST_EVIDENCE],
            reading=describe_form(best.form, mentions),
            mentions=mentions,
            candidates=tuple(judged[:_MOST_CANDIDATES]),
            steps=tuple(steps),
            notes=tuple(notes),
        )


def join_replies(claim: str, replies: Sequence[ClaimReply]) -> ClaimReply:
    """The verdict on a claim of several statements: supported if all are, refuted if one is.

    Its confidence takes the statements as independent.
    """
    verdicts = {reply.verdict for reply in replies}
    verdict = next(v for v in ("refuted", "not_enough_evidence", "supported") if v in verdicts)
    telling = [reply for reply in replies if reply.verdict == verdict]
    sure = [reply.confidence for reply in telling]
    is_all = verdict == "supported"
    confidence = math.prod(sure) if is_all else 1 - math.prod(1 - each for each in sure)
    return ClaimReply(
        claim=claim,
        verdict=verdict,
        confidence=confidence,
        evidence=tuple(dict.fromkeys(t for reply in telling for t in reply.evidence)),
        reading="; and ".join(reply.reading for reply in replies if reply.reading),
        mentions=_move_mentions(claim, replies),
        candidates=tuple(each for reply in telling for each in reply.candidates),
        steps=tuple(step for reply in replies for step in reply.steps),
        notes=tuple(dict.fromkeys(note for reply in telling for note in reply.notes)),
    )


def _move_mentions(claim: str, replies: Sequence[ClaimReply]) -> tuple[ClaimMention, ...]:
    """The mentions of statements, at their places in the whole claim."""
    moved, start = list[ClaimMention](), 0
    for reply in replies:
        start = claim.index(reply.claim, start)
        moved += [replace(m, start=m.start + start, end=m.end + start) for m in reply.mentions]
        start += len(reply.claim)
    return tuple(moved)


def _sum_by_truth(judged: Sequence[JudgedForm]) -> Mapping[Truth, float]:
    shares: dict[Truth, float] = defaultdict(float)
    for each in judged:
        shares[each.truth] += each.probability
    return shares


def _explain_open(best: JudgedForm) -> str:
    if best.form.is_unknown:
        return "the graph has no relation for what the claim says"
    return "the graph has no value for what the claim says, so that it may be so or not"


def _leave_open(claim: str, reading: ClaimReading, steps: Sequence[StepTime]) -> ClaimReply:
    """The verdict on a claim of which something is not in the graph at all."""
    strange = ", ".join(f"“{mention.text}”" for mention in reading.strangers)
    reason = f"not in this graph: {strange}" if strange else "nothing in the claim is in the graph"
    return ClaimReply(
        claim=claim,
        verdict="not_enough_evidence",
        confidence=_UNKNOWN_NAME if strange else _UNREADABLE,
        mentions=reading.said.mentions,
        steps=tuple(steps),
        notes=(reason,),
    )
