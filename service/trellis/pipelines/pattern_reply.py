"""From patterns that were found in the graph to a reply: the end of every pipeline of patterns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trellis.domain.card import Calibration
from trellis.domain.events import Event, Watch
from trellis.domain.ports import Embedder, Graph, Reasoner
from trellis.domain.reply import Reply
from trellis.pipelines.record import Record, collect_facts
from trellis.steps.shared.describe_pattern import describe_approximation, describe_failure
from trellis.steps.shared.ground_patterns import GroundedReading
from trellis.steps.shared.pattern_confidence import extract_pattern_features
from trellis.steps.shared.reason import Vote, judge_findings, soften_findings
from trellis.steps.shared.unsaid_operators import explain_unsaid_by_relations
from trellis.steps.shared.verify import verify_judgement


@dataclass(frozen=True, slots=True)
class PatternReply:
    """Judges what patterns gave; `answer_limit`: the most nodes that one may give."""

    graph: Graph
    embedder: Embedder | None
    reasoner: Reasoner | None
    calibration: Calibration
    wording: Sequence[str]
    answer_limit: int

    async def conclude(
        self, record: Record, tried: int, grounded: Sequence[GroundedReading], watch: Watch
    ) -> Reply:
        """The reply of a record whose candidates are written down, the first `tried` of which were
        looked for in the graph."""
        question, mentions = record.question.text, record.mentions
        findings = [each.finding for each in grounded]
        record.note_row_limit(findings, self.answer_limit)
        watch(Event("candidates", record.candidates))
        answering = next((each for each in grounded if each.finding.nodes), None)
        if answering is None:
            return record.abstain(describe_failure(record.candidates[:tried]))
        record.add_note(describe_approximation(answering.reading.located))
        evidence = collect_facts(findings)
        with record.time_step("reason"):
            record.features = await extract_pattern_features(
                question, mentions, grounded, self.wording, self.embedder
            )
            rivals = soften_findings(findings, self.calibration.temperature)
            vote = Vote.of(self.calibration, record.features)
            judgement = await judge_findings(self.reasoner, vote, question, rivals, evidence)
        reading = record.find_reading(judgement.answers)
        if reason := explain_unsaid_by_relations(question, mentions, reading):
            return record.build_silent_reply().hold_back(reason)
        with record.time_step("verify"):
            judgement = await verify_judgement(self.graph, judgement, rivals, evidence)
        watch(Event("evidence", evidence))
        return record.build_reply(judgement, evidence)
