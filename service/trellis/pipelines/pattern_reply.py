"""From patterns that were found in the graph to a reply: the end of every pipeline of patterns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trellis.domain.models.card import Calibration
from trellis.domain.ports import Embedder, Graph, Reasoner
from trellis.domain.replies.events import Event, Watch
from trellis.domain.replies.reply import Reply
from trellis.pipelines.judging import FindingJudge
from trellis.pipelines.record import Record
from trellis.steps.conclude.confidence.pattern_confidence import extract_pattern_features
from trellis.steps.describe.describe_pattern import describe_approximation, describe_failure
from trellis.steps.ground.patterns.ground_patterns import GroundedReading
from trellis.steps.link.question_form import QuestionForm


@dataclass(frozen=True, slots=True)
class PatternReply:
    """Judges what patterns gave; `answer_limit`: the most nodes that one may give."""

    graph: Graph
    embedder: Embedder | None
    reasoner: Reasoner | None
    calibration: Calibration
    answer_limit: int

    async def conclude(
        self,
        record: Record,
        form: QuestionForm,
        tried: int,
        grounded: Sequence[GroundedReading],
        watch: Watch,
    ) -> Reply:
        """The reply of a record whose candidates are written down, the first `tried` of which were
        looked for in the graph."""
        findings = [each.finding for each in grounded]
        record.note_row_limit(findings, self.answer_limit)
        watch(Event("candidates", record.candidates))
        answering = next((each for each in grounded if each.finding.nodes), None)
        if answering is None:
            return record.abstain(describe_failure(record.candidates[:tried]))
        record.add_note(describe_approximation(answering.reading.located))
        features = extract_pattern_features(form, grounded, self.embedder)
        judge = FindingJudge(self.graph, self.embedder, self.reasoner, self.calibration)
        return await judge.conclude(record, form, findings, features, watch)
