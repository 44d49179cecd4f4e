"""From the queries that were found to a reply: the end of a pipeline that answers by queries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from trellis.automata.cypher.words.indexed_schema import index_schema
from trellis.domain.limits.many_rows import work_through_rows
from trellis.domain.models.card import Calibration
from trellis.domain.ports import Embedder, Graph, Queries, Reasoner
from trellis.domain.replies.events import Event, Watch
from trellis.domain.replies.reply import Judgement, Reply
from trellis.pipelines.query_search import FoundQueries
from trellis.pipelines.record import Record
from trellis.steps.align.doubt import Doubt, doubt_names_and_words
from trellis.steps.align.queries.backed_parts import measure_part_support
from trellis.steps.align.queries.reading_likeness import measure_reading_likeness
from trellis.steps.align.queries.said_operators import (
    explain_unsaid_by_query,
    find_said_operators,
)
from trellis.steps.align.said_steps import measure_own_words
from trellis.steps.conclude.answer_table import count_all_answers
from trellis.steps.conclude.confidence.query_confidence import (
    extract_query_features,
    list_query_steps,
)
from trellis.steps.conclude.queries.check_query import (
    BelievedQuery,
    CheckedQuery,
    check_query,
)
from trellis.steps.conclude.queries.check_values import drop_excluded_answers
from trellis.steps.conclude.queries.find_verdict import find_verdict, name_verdict
from trellis.steps.conclude.queries.judge_query import judge_query
from trellis.steps.conclude.queries.rank_queries import QueryChoice
from trellis.steps.conclude.reason_rows import reason_rows
from trellis.steps.describe.queries.read_meaning import read_meaning
from trellis.steps.ground.queries.query_evidence import QueryEvidence, read_query_evidence
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.link.vocabulary.unknown_words import ReadQuestion
from trellis.steps.retrieve.queries.settings import CypherSettings


@dataclass(frozen=True, slots=True)
class QueryReply:
    """Checks and judges the query that is believed; the fields are those of `GraphRaft`."""

    graph: Graph
    queries: Queries
    settings: CypherSettings
    calibration: Calibration
    reasoner: Reasoner | None
    embedder: Embedder | None
    is_general: bool

    async def conclude(
        self,
        record: Record,
        read: ReadQuestion,
        form: QuestionForm,
        found: FoundQueries,
        watch: Watch,
    ) -> Reply:
        """The reply by the best of the queries. `form`: of the question as it was read."""
        if found.chosen is None or found.chosen.run.rows is None:
            return record.abstain("no candidate query could be run")
        run = found.chosen.run
        meaning, reading = read_meaning(run.query), record.find_query_reading(run.query)
        if reason := explain_unsaid_by_query(form, meaning, reading):
            return record.build_silent_reply().hold_back(reason)
        believed = BelievedQuery(form, run, meaning, reading)
        with record.time_step("check"):
            checked = await check_query(believed, self.queries, is_general=self.is_general)
            record.notes += checked.notes
        with record.time_step("reason"):
            evidence = await read_query_evidence(self.queries, run, form.schema)
            doubt = await doubt_names_and_words(
                form, record.question.topics, reading, believed.first[:1], self.embedder
            )
            record.features = await self._measure_features(record, believed, found, doubt)
            judgement = await self._judge(believed, found.chosen, evidence, record.features)
            judgement = read.lower(doubt.lower(judgement, self.calibration))
            judgement = drop_excluded_answers(judgement, meaning)
            judgement = found.ranking.order_answers(judgement, run.query)
            verdict = find_verdict(run)
            reasoned = await reason_rows(
                *(self.reasoner, self.graph, form, run.text),
                *(name_verdict(judgement, verdict), evidence.facts, _is_ordered(believed)),
            )
            given = len(reasoned.judgement.answers)
            total = await count_all_answers(self.queries, run, given)
        watch(Event("evidence", reasoned.evidence))
        known = index_schema(form.schema)
        reply = record.build_query_reply(run, reasoned, evidence, verdict, known, total)
        return _finish(reply, believed, checked)

    async def _measure_features(
        self, record: Record, believed: BelievedQuery, found: FoundQueries, doubt: Doubt
    ) -> Mapping[str, float]:
        """What the confidence in the query is estimated from."""
        form = believed.form
        readings = [candidate.reading for candidate in record.candidates]
        assert found.chosen
        return {
            **extract_query_features(form, found.chosen),
            **await measure_reading_likeness(self.embedder, form.text, believed.reading, readings),
            **found.describe_alignment(),
            "own": measure_own_words(form, list_query_steps(believed.meaning), believed.reading),
            "explained": doubt.factor,
            "backed": await measure_part_support(form, believed.meaning, self.embedder),
        }

    async def _judge(
        self,
        believed: BelievedQuery,
        chosen: QueryChoice,
        evidence: QueryEvidence,
        features: Mapping[str, float],
    ) -> Judgement:
        rows = believed.run.rows
        assert rows
        return await work_through_rows(
            len(rows.rows),
            judge_query,
            *(chosen, rows, evidence, believed.form.schema, self.calibration, features),
        )


def _is_ordered(believed: BelievedQuery) -> bool:
    """Whether the order of the rows says something, as far as is known."""
    return believed.graph is None or bool(believed.graph.orders)


def _finish(reply: Reply, believed: BelievedQuery, checked: CheckedQuery) -> Reply:
    """The reply with what its query says and leaves out, or held back."""
    says_operators = bool(find_said_operators(believed.meaning))
    told = replace(reply, says_operators=says_operators, unshown=checked.unread)
    if not checked.reason:
        return told
    return told.hold_back(checked.reason, found_other=checked.found_other)
