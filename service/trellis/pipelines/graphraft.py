"""GraphRAFT: queries decoded inside the grounded Cypher language.

Source: "GraphRAFT", sections on constrained decoding and ranking. The question's literals are
linked to stored values; a model writes the K most probable queries that the live schema and these
values allow; those that pass the gate are run; their rows decide which of them answers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from trellis.automata.cypher.language import CypherLanguage
from trellis.domain.card import Calibration
from trellis.domain.decoding import Search
from trellis.domain.events import Event, Watch, ignore_event
from trellis.domain.links import Mention
from trellis.domain.many_rows import work_through_rows
from trellis.domain.ports import Embedder, Graph, LanguageModel, Queries, Reasoner, TextRanker
from trellis.domain.question import Question
from trellis.domain.reply import Reply
from trellis.pipelines.described_part import DescribedPartReply
from trellis.pipelines.described_reply import DescribedReply
from trellis.pipelines.query_search import QuerySearch
from trellis.pipelines.record import Record
from trellis.pipelines.said_reply import SaidReply
from trellis.steps.align.answer_types.asked_kind import explain_no_time
from trellis.steps.align.answer_types.asked_measure import explain_other_measure
from trellis.steps.align.answer_types.asked_one import Found
from trellis.steps.align.answer_types.foreign_kind import explain_foreign_kind
from trellis.steps.align.doubt import doubt_names_and_words
from trellis.steps.align.queries.aligned_readings import (
    measure_alignment,
)
from trellis.steps.align.queries.backed_parts import measure_backing
from trellis.steps.align.queries.held_back import explain_held_back, explain_named_again
from trellis.steps.align.queries.held_in_time import explain_query_not_held
from trellis.steps.align.queries.misreadings import explain_loose_part
from trellis.steps.align.queries.reading_likeness import measure_reading_likeness
from trellis.steps.align.queries.said_operators import (
    explain_unsaid_by_query,
    find_said_operators,
)
from trellis.steps.align.unshown_properties import find_unread_properties, note_unshown
from trellis.steps.conclude.answer_table import count_all_answers
from trellis.steps.conclude.check_values import (
    find_foreign_units,
    find_ties,
    find_unknown_values,
    leave_out_denied,
)
from trellis.steps.conclude.confidence.query_confidence import extract_query_features
from trellis.steps.conclude.find_verdict import find_verdict, name_verdict
from trellis.steps.conclude.judge_query import judge_query
from trellis.steps.conclude.rank_queries import QueryChoice
from trellis.steps.conclude.reason_rows import reason_rows
from trellis.steps.describe.queries.read_meaning import read_meaning
from trellis.steps.ground.queries.answer_cells import list_answers
from trellis.steps.ground.queries.bound_queries import BoundQueries
from trellis.steps.ground.queries.query_evidence import read_query_evidence
from trellis.steps.link.given_nodes import read_given_topics
from trellis.steps.link.second_question import note_second_question
from trellis.steps.link.vocabulary.label_words import read_label_words
from trellis.steps.link.vocabulary.unknown_words import ReadQuestion, read_unknown_words
from trellis.steps.retrieve.queries.query_prompt import build_query_prompt
from trellis.steps.retrieve.queries.retrieve_queries import link_question_values, retrieve_queries
from trellis.steps.retrieve.queries.settings import CypherSettings


@dataclass(frozen=True)
class GraphRaft:
    """Answers a question by a query.

    The `run_limit` best candidates are run, for `row_limit` rows each; where these give nothing,
    all others are, and then, once, those of a wider search. `hops`: distance from the linked
    values within which a query may use only relationships that exist (0: those of the schema).
    `is_general`: whether nobody trained the model for the graph; it is judged by its own
    probabilities then, and not by rules for models that were. `aligns_readings`: whether it scores
    one move after the other, so that what its queries ask for is laid beside the question.
    """

    graph: Graph
    queries: Queries
    model: LanguageModel
    settings: CypherSettings
    calibration: Calibration = field(default_factory=Calibration)
    ranker: LanguageModel | None = None
    reasoner: Reasoner | None = None
    embedder: Embedder | None = None
    search: Search = field(default_factory=Search)
    run_limit: int = 5
    row_limit: int = 1_000
    hops: int = 0
    is_general: bool = False
    aligns_readings: bool = False
    text_ranker: TextRanker | None = None
    name: str = "graphraft"

    async def answer(self, question: Question, watch: Watch = ignore_event) -> Reply:
        given = await read_given_topics(question.topics, self.graph)
        if not given.nodes:
            return await self._answer_question(question, watch)
        bound = BoundQueries(self.queries, given.nodes)
        named = replace(question, topics=given.names or None)
        reply = await replace(self, queries=bound)._answer_question(named, watch)
        return bound.show_query(reply)

    async def _answer_question(self, question: Question, watch: Watch) -> Reply:
        record = Record(question, self.name)
        with record.time_step("link"):
            read, mentions = await self._read_question(question)
            record.mentions = read.restore_spans(mentions, question.text)
            record.notes += read.describe_words()
            question = replace(question, text=read.text)
        watch(Event("links", record.mentions))
        if said := await SaidReply(self.graph).answer(record, watch):
            return said
        parts = DescribedPartReply(self.graph, self.embedder, self._answer_by_query)
        described = await parts.answer(record, watch)
        if described is None:
            texts = DescribedReply(self.graph, self.embedder, self.text_ranker, self.reasoner)
            described = await texts.answer(replace(record, notes=[*record.notes]), mentions, watch)
        if described and not described.abstained:
            return described
        reply = await self._answer_by_query(record, question, read, mentions, watch)
        return replace(described, steps=reply.steps) if described and reply.abstained else reply

    async def _answer_by_query(
        self,
        record: Record,
        question: Question,
        read: ReadQuestion,
        mentions: Sequence[Mention],
        watch: Watch,
    ) -> Reply:
        with record.time_step("retrieve"):
            language = await retrieve_queries(
                *(self.graph, mentions, self.settings, self.hops), is_general=self.is_general
            )
        if language.is_empty():
            return record.abstain("nothing can be asked of this graph with what was linked")
        ranking, chosen = await self._build_search().find_queries(
            record, question.text, mentions, language
        )
        watch(Event("candidates", record.candidates))
        if chosen is None or chosen.run.rows is None:
            return record.abstain("no candidate query could be run")
        meaning = read_meaning(chosen.run.query)
        reading = record.find_query_reading(chosen.run.query)
        schema = language.known.schema
        if reason := explain_unsaid_by_query(question.text, mentions, meaning, reading, schema):
            return record.build_silent_reply().hold_back(reason)
        with record.time_step("check"):
            words, answers = read_label_words(schema), list_answers(chosen.run.rows, schema, 2)
            first = answers[:1]
            found = Found(len(chosen.run.rows.rows), reading)
            graph = meaning.graph if meaning else None
            other = (
                explain_other_measure(question.text, graph, schema, reading)
                or explain_named_again(mentions, meaning, answers, reading)
                or explain_no_time(question.text, mentions, first, words, reading)
            )
            reason = (
                find_foreign_units(question.text, mentions, meaning)
                or await find_unknown_values(self.queries, meaning)
                or await explain_foreign_kind(
                    question.text, mentions, words, self.settings.wording, self.embedder
                )
                or explain_held_back(question.text, mentions, meaning, schema, found)
                or explain_loose_part(meaning, reading)
                or explain_query_not_held(question.text, meaning, schema)
                or other
            )
            record.add_note(await find_ties(self.queries, chosen.run, meaning))
            unread = find_unread_properties(question.text, mentions, graph, words)
            unsaid = note_unshown(unread)
            is_single = graph is not None and len(graph.items) == 1
            second = note_second_question(question.text) if is_single else ""
            if self.is_general and not reason:
                reason = unsaid
            record.add_note(second or ("" if reason == unsaid else unsaid))
        with record.time_step("reason"):
            evidence = await read_query_evidence(self.queries, chosen.run, schema)
            readings = [candidate.reading for candidate in record.candidates]
            doubt = await doubt_names_and_words(
                *(question, mentions, reading, first),
                *(self.settings.wording, self.embedder),
            )
            record.features = {
                **extract_query_features(
                    question.text, mentions, chosen, schema, self.settings.wording
                ),
                **await measure_reading_likeness(self.embedder, question.text, reading, readings),
                **await self._measure_alignment(question, mentions, chosen, language),
                "explained": doubt.factor,
                "backed": await measure_backing(
                    question.text, mentions, meaning, words, self.embedder
                ),
            }
            judgement = await work_through_rows(
                len(chosen.run.rows.rows),
                judge_query,
                *(chosen, chosen.run.rows, evidence, schema, self.calibration, record.features),
            )
            judgement = read.lower(doubt.lower(judgement, self.calibration))
            judgement = leave_out_denied(judgement, meaning)
            verdict = find_verdict(chosen.run)
            judgement = ranking.order_answers(judgement, chosen.run.query)
            judgement = name_verdict(judgement, verdict)
            is_ordered = meaning is None or bool(meaning.graph.orders)
            reasoned = await reason_rows(
                *(self.reasoner, self.graph, question.text, chosen.run.text),
                *(judgement, evidence.facts, is_ordered),
            )
            given = len(reasoned.judgement.answers)
            total = await count_all_answers(self.queries, chosen.run, given)
        watch(Event("evidence", reasoned.evidence))
        built = record.build_query_reply(
            *(chosen.run, reasoned, evidence, verdict), language.known, total
        )
        says_operators = bool(find_said_operators(meaning))
        reply = replace(built, says_operators=says_operators, unshown=unread)
        return reply.hold_back(reason, found_other=reason == other) if reason else reply

    def _build_search(self) -> QuerySearch:
        return QuerySearch(
            *(self.graph, self.queries, self.model, self.settings, self.calibration, self.ranker),
            *(self.embedder, self.search, self.run_limit, self.row_limit, self.is_general),
            self.aligns_readings,
        )

    async def _measure_alignment(
        self,
        question: Question,
        mentions: Sequence[Mention],
        chosen: QueryChoice,
        language: CypherLanguage,
    ) -> Mapping[str, float]:
        """Features of how the chosen query's reading aligns with the question."""
        if not self.aligns_readings:
            return {}
        masked = build_query_prompt(question.text, mentions).question
        return await measure_alignment(masked, chosen.run.query, language.known, self.embedder)

    async def _read_question(self, question: Question) -> tuple[ReadQuestion, tuple[Mention, ...]]:
        """The question as far as its words are known, and the mentions of its values."""
        sources = self.graph, self.settings, self.embedder
        mentions = await link_question_values(question, *sources)
        schema, wording = await self.graph.schema(), self.settings.wording
        read = await read_unknown_words(question.text, mentions, schema, wording, self.embedder)
        if read.words:
            mentions = await link_question_values(replace(question, text=read.text), *sources)
        return read, mentions
