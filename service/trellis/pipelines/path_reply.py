"""From the paths that a model wrote to a reply: the end of every pipeline that answers by paths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trellis.domain.graphs.graph import Revisit
from trellis.domain.models.card import Calibration
from trellis.domain.models.decoding import Sentence
from trellis.domain.ports import Embedder, Graph, Reasoner
from trellis.domain.replies.events import Event, Watch
from trellis.domain.replies.reply import Reply
from trellis.pipelines.judging import FindingJudge
from trellis.pipelines.record import Record, collect_outcomes
from trellis.steps.align.answer_types.asked_kind import keep_asked_kind
from trellis.steps.align.answer_types.asked_step import prefer_asked_steps
from trellis.steps.align.answer_types.asked_value import doubt_other_than_values
from trellis.steps.align.weigh_sentences import WordTable, weigh_sentences
from trellis.steps.conclude.confidence.path_confidence import extract_path_features
from trellis.steps.ground.candidates import drop_improbable_sentences
from trellis.steps.ground.ground_paths import ground_paths
from trellis.steps.link.question_form import QuestionForm


@dataclass(frozen=True, slots=True)
class PathReply:
    """Weighs, grounds and judges paths.

    `revisit`, `prefers_simple`: as of `ground_paths`. `answer_limit`: the most nodes that one path
    may reach.
    """

    graph: Graph
    embedder: Embedder | None
    reasoner: Reasoner | None
    calibration: Calibration
    revisit: Revisit
    words: WordTable
    answer_limit: int
    prefers_simple: bool = False

    async def conclude(
        self, record: Record, form: QuestionForm, written: Sequence[Sentence], watch: Watch
    ) -> Reply:
        """The reply to a question for which these sentences were written, whose values are
        paths."""
        with record.time_step("weigh"):
            sentences = await weigh_sentences(written, form.masked, self.words, self.embedder)
        with record.time_step("ground"):
            run = drop_improbable_sentences(sentences)
            reached = await ground_paths(
                *(self.graph, run, self.revisit, self.answer_limit),
                prefers_simple=self.prefers_simple,
            )
            of_kind = keep_asked_kind(form, reached)
            run, findings = prefer_asked_steps(form, run, of_kind)
            if form.asks_value:
                run, findings = doubt_other_than_values(run, findings)
            sentences = [*run, *sentences[len(run) :]]
        record.candidates = collect_outcomes(sentences, findings, form.mentions)
        record.note_row_limit(findings, self.answer_limit)
        watch(Event("candidates", record.candidates))
        features = extract_path_features(form, record.candidates, self.embedder)
        judge = FindingJudge(self.graph, self.embedder, self.reasoner, self.calibration)
        return await judge.conclude(record, form, findings, features, watch)
