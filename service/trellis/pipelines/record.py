"""What a pipeline records on its way: the time of each step, notes, and the reply at the end."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from trellis.automata.cypher.words.indexed_schema import IndexedSchema
from trellis.domain.graphs.facts import Fact
from trellis.domain.graphs.links import Link, Mention
from trellis.domain.models.decoding import Sentence
from trellis.domain.replies.events import enter_step
from trellis.domain.replies.question import Question, asks_for_number
from trellis.domain.replies.reply import (
    Answer,
    CandidateOutcome,
    Finding,
    Judgement,
    Reply,
    StepTime,
    YesNo,
)
from trellis.domain.structures.cypher import CypherQuery, nodes_in
from trellis.steps.align.sentence_steps import get_pattern
from trellis.steps.conclude.answer_table import build_answer_table
from trellis.steps.conclude.reason_rows import RowJudgement
from trellis.steps.describe.describe_path import collect_names, describe_paths
from trellis.steps.describe.describe_pattern import describe_located_pattern, describe_pattern
from trellis.steps.describe.queries.read_meaning import describe_meaning, read_meaning
from trellis.steps.ground.fair_facts import choose_fairly
from trellis.steps.ground.patterns.ground_patterns import GroundedReading
from trellis.steps.ground.queries.answer_cells import find_single_number
from trellis.steps.ground.queries.explaining_facts import AnswerExplanation
from trellis.steps.ground.queries.query_evidence import QueryEvidence
from trellis.steps.ground.queries.run_queries import QueryRun
from trellis.steps.link.similar_names import tell_similar_names

_MOST_NAMED = 20  # nodes that are kept of a candidate


@contextmanager
def time_step(name: str, steps: list[StepTime]) -> Iterator[None]:
    """Add the time of a step to `steps`, even if it fails, and announce that it begins."""
    enter_step(name)
    began = time.perf_counter()
    try:
        yield
    finally:
        steps.append(StepTime(name, time.perf_counter() - began))


@dataclass
class Record:
    """One question on its way through a method."""

    question: Question
    method: str
    mentions: Sequence[Mention] = ()
    candidates: Sequence[CandidateOutcome] = ()
    notes: list[str] = field(default_factory=list)
    steps: list[StepTime] = field(default_factory=list)
    features: Mapping[str, float] = field(default_factory=dict)

    @contextmanager
    def time_step(self, name: str) -> Iterator[None]:
        """Time a step, even if it fails, and announce that it begins."""
        with time_step(name, self.steps):
            yield

    def abstain(self, reason: str, similar_nodes: Sequence[Link] = ()) -> Reply:
        """A reply without answers. `reason` becomes a note; `similar_nodes`: nodes spelt like its
        words."""
        self.notes.append(reason)
        return replace(self.build_silent_reply(), similar_nodes=tuple(similar_nodes))

    def build_silent_reply(self) -> Reply:
        """A reply that claims nothing."""
        return self.build_reply(Judgement((), 0.0), ())

    def claim_none(self, asked_for: CandidateOutcome, confidence: float) -> Reply:
        """The reply that the graph has none of what a candidate asks for."""
        self.candidates = (asked_for, *self.candidates)
        self.notes.append(f"the graph has nothing that matches: {asked_for.reading}")
        reply = self.build_reply(Judgement((), confidence, claims_none=True), ())
        count = 0 if asks_for_number(self.question.text) else None
        return replace(reply, count=count, is_absent=True)

    def add_note(self, note: str) -> None:
        """One more note, unless it is empty."""
        self.notes += [note] if note else []

    def note_row_limit(self, findings: Sequence[Finding], limit: int) -> None:
        """Note that there may be more answers, where a path reaches as many nodes as the limit."""
        if any(len(finding.nodes) >= limit for finding in findings):
            self.notes.append(
                f"grounding stopped at {limit:,} rows of a path: there may be more answers"
            )

    def build_reply(
        self,
        judgement: Judgement,
        evidence: Sequence[Fact],
        total: int = 0,
        fact_total: int | None = None,
    ) -> Reply:
        """The reply; its evidence is what its answers cite, bounded and renumbered from 0.

        `total`: how many answers there are, where they are more than those of the judgement.
        `fact_total`: how many facts the answers have, where `evidence` does not hold them all.
        """
        answers = judgement.answers[: self.question.limit]
        total = max(total, len(judgement.answers))
        counts = asks_for_number(self.question.text)
        cited = [answer.evidence for answer in answers]
        shown = choose_fairly(cited, evidence, keeps_first=not counts)
        numbers = {row: number for number, row in enumerate(shown)}
        found = len({row for rows in cited for row in rows}) if fact_total is None else fact_total
        is_cut = found > len(shown)
        if is_cut:
            self.notes.append(f"{len(shown):,} of {found:,} facts are shown")
        reading = self.find_reading(answers)
        similar = tell_similar_names(self.mentions, reading) if answers else ()
        return Reply(
            question=self.question.text,
            method=self.method,
            answers=tuple(_renumber_evidence(answer, numbers) for answer in answers),
            evidence=tuple(evidence[row] for row in shown),
            confidence=judgement.confidence,
            abstained=not (answers or judgement.claims_none),
            mentions=tuple(self.mentions),
            candidates=tuple(self.candidates),
            steps=tuple(self.steps),
            wording=judgement.wording,
            notes=(*similar, *self.notes, *judgement.notes),
            count=total if counts and answers else None,
            total=total if answers and total > len(answers) else None,
            nearest=judgement.nearest,
            features=self.features,
            reading=reading,
            fact_total=found if is_cut else None,
        )

    def build_query_reply(
        self,
        run: QueryRun,
        reasoned: RowJudgement,
        evidence: QueryEvidence,
        verdict: YesNo | None,
        known: IndexedSchema,
        total: int = 0,
    ) -> Reply:
        """The reply of a query, with the query, its plan and the rows of its answers.

        Where a number is asked for and the rows are one, this is the reply's count. `verdict`: what
        the rows say where the query asks whether something is so. `total`: as in `build_reply`.
        """
        assert run.rows
        if run.rows.cut:
            self.notes.append(f"the rows were cut at {run.rows.cut}")
        answers = [each.node for each in reasoned.judgement.answers[: self.question.limit]]
        facts = evidence.count_facts(answers)
        reply = self.build_reply(reasoned.judgement, reasoned.evidence, total, facts)
        explanation = AnswerExplanation() if reply.abstained else evidence.explanation
        meaning = read_meaning(run.query)
        table = build_answer_table(run.rows, meaning, known, reply.answers)
        number = find_single_number(run.rows) if asks_for_number(self.question.text) else None
        return replace(
            reply,
            evidence=tuple(dict.fromkeys((*reply.evidence, *explanation.beside))),
            notes=(*reply.notes, *explanation.notes),
            cypher=run.query.text,
            params=run.query.params,
            rows=None if reply.abstained else table,
            plan=run.plan,
            count=reply.count if number is None or reply.abstained else number,
            reading=self.find_query_reading(run.query),
            verdict=None if reply.abstained else verdict,
        )

    def find_query_reading(self, query: CypherQuery) -> str:
        """The reading of the candidate that is a query."""
        return next((it.reading for it in self.candidates if it.query == query), "")

    def find_reading(self, answers: Sequence[Answer]) -> str:
        """What the answers were found by, in plain English; empty without candidates."""
        found_by = self.find_candidate(answers)
        return found_by.reading if found_by else ""

    def find_candidate(self, answers: Sequence[Answer]) -> CandidateOutcome | None:
        """The best candidate that gives the first answer, else the best one; None without any."""
        first = answers[0].node if answers else None
        giving = (it for it in self.candidates if first in it.first_nodes)
        return next(iter((*giving, *self.candidates)), None)


def collect_outcomes(
    sentences: Sequence[Sentence], findings: Sequence[Finding], mentions: Sequence[Mention]
) -> tuple[CandidateOutcome, ...]:
    """The outcomes of all path candidates; `findings` are of the first ones, which were run."""
    names = collect_names(mentions, findings)
    outcomes = (
        _build_outcome(sentence, findings[row] if row < len(findings) else None)
        for row, sentence in enumerate(sentences)
    )
    return tuple(
        replace(
            outcome,
            reading=describe_paths(sentence.values, names),
            support=_read_support(sentence),
            turned=sentence.support.turned if sentence.support else 0.0,
        )
        for sentence, outcome in zip(sentences, outcomes, strict=True)
    )


def collect_pattern_outcomes(
    sentences: Sequence[Sentence], grounded: Sequence[GroundedReading], mentions: Sequence[Mention]
) -> tuple[CandidateOutcome, ...]:
    """The outcomes of all candidate patterns, by the likeliest reading of each."""
    best: dict[int, GroundedReading] = {}
    for each in grounded:
        best.setdefault(each.reading.sentence, each)
    outcomes = (
        _build_pattern_outcome(sentence, best.get(number), mentions)
        for number, sentence in enumerate(sentences)
    )
    return tuple(
        replace(outcome, support=_read_support(sentence))
        for sentence, outcome in zip(sentences, outcomes, strict=True)
    )


def _build_pattern_outcome(
    sentence: Sentence, grounded: GroundedReading | None, mentions: Sequence[Mention]
) -> CandidateOutcome:
    pattern = get_pattern(sentence)
    if grounded is None:
        reading = describe_pattern(pattern, mentions)
        return CandidateOutcome(sentence.text, sentence.score, None, pattern, reading=reading)
    reading = describe_located_pattern(grounded.reading.located, mentions)
    count = None if grounded.problem else len(grounded.finding.nodes)
    nodes = tuple(found.node for found in grounded.finding.nodes[:_MOST_NAMED])
    return CandidateOutcome(
        sentence.text, sentence.score, count, pattern, nodes, grounded.problem, reading
    )


def collect_query_outcomes(
    sentences: Sequence[Sentence], runs: Sequence[QueryRun], known: IndexedSchema
) -> tuple[CandidateOutcome, ...]:
    """The outcomes of all candidate queries, whether they were run or not."""
    ran = {run.text: run for run in runs}
    outcomes = (
        _build_query_outcome(ran[sentence.text])
        if sentence.text in ran
        else CandidateOutcome(sentence.text, sentence.score, None, sentence.values[0])
        for sentence in sentences
    )
    return tuple(
        replace(it, reading=_read_query(it.query, known), support=_read_support(sentence))
        for sentence, it in zip(sentences, outcomes, strict=True)
    )


def _read_support(sentence: Sentence) -> float | None:
    """How much of the model's probability the language left; None where it is not known."""
    return sentence.support.total if sentence.support else None


def _read_query(query: object, known: IndexedSchema) -> str:
    """What a candidate query asks for, in plain English."""
    return describe_meaning(read_meaning(query), known) if isinstance(query, CypherQuery) else ""


def _build_query_outcome(run: QueryRun) -> CandidateOutcome:
    rows = run.rows.rows if run.rows else ()
    nodes = tuple(dict.fromkeys(node for row in rows for cell in row for node in nodes_in(cell)))
    count = len(rows) if run.rows else None
    return CandidateOutcome(run.text, run.score, count, run.query, nodes[:_MOST_NAMED], run.problem)


def _build_outcome(sentence: Sentence, finding: Finding | None) -> CandidateOutcome:
    query = sentence.values[0] if sentence.values else None
    if finding is None:
        return CandidateOutcome(sentence.text, sentence.score, None, query)
    nodes = tuple(grounded.node for grounded in finding.nodes[:_MOST_NAMED])
    return CandidateOutcome(sentence.text, sentence.score, len(finding.nodes), query, nodes)


def collect_facts(findings: Sequence[Finding]) -> tuple[Fact, ...]:
    """The evidence: every fact of the findings, once."""
    return tuple(
        dict.fromkeys(
            fact for finding in findings for grounded in finding.nodes for fact in grounded.facts
        )
    )


def _renumber_evidence(answer: Answer, new_numbers: dict[int, int]) -> Answer:
    return replace(
        answer, evidence=tuple(new_numbers[row] for row in answer.evidence if row in new_numbers)
    )
