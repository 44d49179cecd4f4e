"""GraphRAFT: queries decoded inside the grounded Cypher language.

Source: "GraphRAFT", sections on constrained decoding and ranking. The question's literals are
linked to stored values; a model writes the K most probable queries that the live schema and these
values allow; those that pass the gate are run; their rows decide which of them answers.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from trellis.domain.models.card import Calibration
from trellis.domain.models.decoding import Search
from trellis.domain.ports import Embedder, Graph, LanguageModel, Queries, Reasoner, TextRanker
from trellis.domain.replies.events import Event, Watch, ignore_event
from trellis.domain.replies.question import Question
from trellis.domain.replies.reply import Reply
from trellis.pipelines.described_part import DescribedPartReply
from trellis.pipelines.described_reply import DescribedReply
from trellis.pipelines.query_reply import QueryReply
from trellis.pipelines.query_search import QuerySearch
from trellis.pipelines.record import Record
from trellis.pipelines.said_reply import SaidReply
from trellis.steps.ground.queries.bound_queries import BoundQueries
from trellis.steps.link.given_nodes import read_given_topics
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.link.vocabulary.unknown_words import ReadQuestion, read_unknown_words
from trellis.steps.retrieve.queries.retrieve_queries import link_question_values, retrieve_queries
from trellis.steps.retrieve.queries.settings import CypherSettings


@dataclass(frozen=True)
class GraphRaft:
    """Answers a question by a query.

    The `run_limit` best candidates are run, for `row_limit` rows each; where these give nothing,
    all others are, and then, once, those of a wider search. `hops`: distance from the linked
    values within which a query may use only relationships that exist (0: those of the schema).
    `is_general`: whether nobody trained the model for the graph; its queries are weighed by how
    their readings align with the question then, and not by rules for models that were trained.
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
            read, form = await self._read_question(question)
            record.mentions = read.restore_spans(form.mentions, question.text)
            record.notes += read.describe_words()
        watch(Event("links", record.mentions))
        asked = replace(form, text=question.text, mentions=record.mentions) if read.words else form
        if said := await SaidReply(self.graph).answer(record, asked, watch):
            return said
        parts = DescribedPartReply(self.graph, self.queries, self.embedder, self._answer_by_query)
        described = await parts.answer(record, asked, watch)
        if described is None:
            texts = DescribedReply(self.graph, self.embedder, self.text_ranker, self.reasoner)
            own = replace(record, notes=[*record.notes])
            described = await texts.answer(own, replace(asked, mentions=form.mentions), watch)
        if described and not described.abstained:
            return described
        reply = await self._answer_by_query(self.queries, record, read, form, watch)
        return replace(described, steps=reply.steps) if described and reply.abstained else reply

    async def _answer_by_query(
        self,
        queries: Queries,
        record: Record,
        read: ReadQuestion,
        form: QuestionForm,
        watch: Watch,
    ) -> Reply:
        with record.time_step("retrieve"):
            language = await retrieve_queries(
                *(self.graph, form, self.settings, self.hops),
                is_general=self.is_general,
                embedder=self.embedder,
            )
        if language.is_empty():
            return record.abstain("nothing can be asked of this graph with what was linked")
        search = self._build_search(queries)
        found = await search.find_queries(record, form, language)
        watch(Event("candidates", record.candidates))
        ending = QueryReply(
            *(self.graph, queries, self.settings, self.calibration, self.reasoner),
            *(self.embedder, self.is_general),
        )
        return await ending.conclude(record, read, form, found, watch)

    def _build_search(self, queries: Queries) -> QuerySearch:
        return QuerySearch(
            *(self.graph, queries, self.model, self.settings, self.calibration, self.ranker),
            *(self.embedder, self.search, self.run_limit, self.row_limit, self.is_general),
        )

    async def _read_question(self, question: Question) -> tuple[ReadQuestion, QuestionForm]:
        """The question as far as its words are known, and its form."""
        sources = self.graph, self.settings, self.embedder
        mentions = await link_question_values(question, *sources)
        schema, wording = await self.graph.schema(), self.settings.wording
        form = QuestionForm(question.text, mentions, schema, wording)
        read = await read_unknown_words(form, self.embedder)
        if read.words:
            mentions = await link_question_values(replace(question, text=read.text), *sources)
            form = replace(form, text=read.text, mentions=mentions)
        return read, form
