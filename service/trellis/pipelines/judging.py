"""From what candidates gave to a reply: how every pipeline of paths or patterns ends."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, replace

from trellis.domain.graphs.facts import Fact
from trellis.domain.limits.many_rows import work_through_rows
from trellis.domain.models.card import Calibration
from trellis.domain.ports import Embedder, Graph, Reasoner
from trellis.domain.replies.events import Event, Watch
from trellis.domain.replies.reply import Finding, Judgement, Reply
from trellis.pipelines.record import Record, collect_facts
from trellis.steps.align.answer_types.asked_kind import (
    explain_no_time,
    explain_other_kind,
)
from trellis.steps.align.answer_types.asked_one import (
    FoundAnswers,
    explain_bridged_path,
)
from trellis.steps.align.answer_types.asked_value import explain_asked_text, explain_named_amount
from trellis.steps.align.doubt import doubt_names_and_words
from trellis.steps.align.queries.held_in_time import explain_not_held_in_time
from trellis.steps.align.unsaid_operators import describe_unsaid, explain_unsaid_by_relations
from trellis.steps.align.unsaid_relations import list_unsaid_relations
from trellis.steps.align.unshown_properties import (
    find_unshown_nouns,
    find_unshown_properties,
    note_unshown,
)
from trellis.steps.conclude.other_reading import tell_other_reading
from trellis.steps.conclude.reason import Vote, judge_findings, soften_findings
from trellis.steps.ground.verify import verify_judgement
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.link.second_question import note_second_question

_LEAST_TURNED = math.log(0.5)
"""The log share of the directions that were said, below which the question asks the other way."""


@dataclass(frozen=True, slots=True)
class FindingJudge:
    """Judges what candidates gave: by a vote, or by a reasoner if there is one."""

    graph: Graph
    embedder: Embedder | None
    reasoner: Reasoner | None
    calibration: Calibration

    async def conclude(
        self,
        record: Record,
        form: QuestionForm,
        findings: Sequence[Finding],
        features: Awaitable[Mapping[str, float]],
        watch: Watch,
    ) -> Reply:
        """The reply; `features`: those that its confidence is estimated from, not yet computed."""
        found = sum(len(each.nodes) for each in findings)
        evidence = await work_through_rows(found, collect_facts, findings)
        with record.time_step("reason"):
            record.features = await features
            rivals = soften_findings(findings, self.calibration.temperature)
            vote = Vote.of(self.calibration, record.features)
            judgement = await judge_findings(self.reasoner, vote, form, rivals, evidence)
            reading = record.find_reading(judgement.answers)
            if not self.calibration.weights:
                doubt = await doubt_names_and_words(
                    *(form, record.question.topics, reading),
                    *([answer.node for answer in judgement.answers], self.embedder),
                )
                judgement = doubt.apply(judgement)
        if reason := _explain_silence(record, form, judgement, evidence, reading):
            return record.build_silent_reply().hold_back(reason)
        with record.time_step("verify"):
            judgement = await verify_judgement(self.graph, judgement, rivals, evidence)
        watch(Event("evidence", evidence))
        rests_on = [evidence[row] for answer in judgement.answers for row in answer.evidence]
        unshown = (*find_unshown_properties(form), *find_unshown_nouns(form, rests_on))
        record.add_note(note_second_question(form.text) or note_unshown(unshown))
        readings = {each.text.strip(): each.reading for each in record.candidates}
        record.add_note(tell_other_reading(judgement.answers, rivals, readings))
        reply = await work_through_rows(found, record.build_reply, judgement, evidence)
        return replace(reply, unshown=unshown)


def _explain_silence(
    record: Record, form: QuestionForm, judgement: Judgement, evidence: Sequence[Fact], reading: str
) -> str:
    """Why the answers are held back, for a note; empty where they are not."""
    if reason := explain_unsaid_by_relations(form, reading):
        return reason
    found_by = record.find_candidate(judgement.answers)
    if found_by and found_by.turned < _LEAST_TURNED:
        return f"the graph has it only the other way round: {reading}"
    rests_on = _list_relations(judgement, evidence)
    unsaid = list_unsaid_relations(form, rests_on)
    if judgement.answers and unsaid:
        return describe_unsaid(unsaid, reading)
    nodes = [answer.node for answer in judgement.answers]
    query = found_by.query if found_by else None
    return (
        explain_not_held_in_time(form, rests_on)
        or explain_no_time(form, nodes, reading)
        or explain_other_kind(form, nodes, reading)
        or explain_named_amount(form, reading)
        or explain_asked_text(form, reading)
        or explain_bridged_path(form, query, FoundAnswers(len(nodes), reading))
    )


def _list_relations(judgement: Judgement, evidence: Sequence[Fact]) -> frozenset[str]:
    """The relationship types that all answers rest on."""
    by_answer = [
        frozenset(triple.relation for row in answer.evidence for triple in evidence[row].triples)
        for answer in judgement.answers
    ]
    return frozenset.intersection(*by_answer) if by_answer else frozenset()
