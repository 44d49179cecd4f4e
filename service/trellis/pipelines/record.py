"""What a pipeline writes down as it goes: the time of each step, and the reply it ends in."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from trellis.domain.events import entering
from trellis.domain.ports import Finding, Judgement, Sentence
from trellis.domain.values import Answer, Mention, Question, Reply, StepTime, Tried, Walk


@dataclass
class Record:
    """One question on its way through a method."""

    question: Question
    method: str
    mentions: Sequence[Mention] = ()
    tried: Sequence[Tried] = ()
    notes: list[str] = field(default_factory=list)
    steps: list[StepTime] = field(default_factory=list)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Time a step, also when it fails."""
        entering(name)
        began = time.perf_counter()
        try:
            yield
        finally:
            self.steps.append(StepTime(name, time.perf_counter() - began))

    def abstained(self, why: str) -> Reply:
        """No answer, and what stood in the way."""
        self.notes.append(why)
        return self.reply(Judgement((), 0.0), ())

    def reply(self, judgement: Judgement, evidence: Sequence[Walk]) -> Reply:
        """The reply; of the evidence only what its answers cite, numbered anew."""
        answers = judgement.answers[: self.question.limit]
        cited = sorted({row for answer in answers for row in answer.evidence})
        numbers = {row: number for number, row in enumerate(cited)}
        return Reply(
            question=self.question.text,
            method=self.method,
            answers=tuple(_renumbered(answer, numbers) for answer in answers),
            evidence=tuple(evidence[row] for row in cited),
            confidence=judgement.confidence,
            abstained=not answers,
            mentions=tuple(self.mentions),
            candidates=tuple(self.tried),
            steps=tuple(self.steps),
            wording=judgement.wording,
            notes=tuple(self.notes),
        )


def tried(sentences: Sequence[Sentence], findings: Sequence[Finding]) -> tuple[Tried, ...]:
    """All candidates, with the number of nodes found by those that were run (the first ones)."""
    counts = [len(finding.reached) for finding in findings]
    counted = [*counts, *[None] * (len(sentences) - len(counts))]
    return tuple(
        Tried(s.text, s.score, count, s.values[0] if s.values else None)
        for s, count in zip(sentences, counted, strict=True)
    )


def walks_of(findings: Sequence[Finding]) -> tuple[Walk, ...]:
    """The evidence: every walk that a finding shows, once."""
    return tuple(
        dict.fromkeys(
            walk
            for finding in findings
            for reached in finding.reached
            for walk in (reached.walk, *reached.also)
        )
    )


def _renumbered(answer: Answer, numbers: dict[int, int]) -> Answer:
    return replace(answer, evidence=tuple(numbers[row] for row in answer.evidence))
