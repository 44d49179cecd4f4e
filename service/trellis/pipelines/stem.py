"""STEM: structure-tracing evidence mining.

Source: "STEM: Structure-Tracing Evidence Mining for Knowledge Graphs-Driven Retrieval-Augmented
Generation", section 3. That traces are run once more with the asked node free, so that all answers
come, and that several readings are weighed against one another, is ours.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from trellis.domain.models.card import Calibration
from trellis.domain.models.decoding import Search
from trellis.domain.ports import Embedder, Graph, GuidanceModel, LanguageModel, Queries, Reasoner
from trellis.domain.replies.events import Event, Watch, ignore_event
from trellis.domain.replies.question import Question
from trellis.domain.replies.reply import Reply
from trellis.domain.structures.traces import BIAS, BOOST
from trellis.pipelines.path_witness import PathWitness
from trellis.pipelines.pattern_reply import PatternReply
from trellis.pipelines.record import Record, collect_pattern_outcomes
from trellis.steps.align.decompose import SchemaGraphBuilder, SchemaGraphs, decompose_question
from trellis.steps.align.general_words import choose_wording
from trellis.steps.align.score_relations import score_relations
from trellis.steps.align.sentence_steps import get_pattern
from trellis.steps.ground.candidates import drop_improbable_sentences
from trellis.steps.ground.patterns.cite_assertions import cite_assertions
from trellis.steps.ground.patterns.ground_patterns import (
    GroundedReading,
    ground_patterns,
    weigh_readings,
)
from trellis.steps.ground.patterns.guide_entities import ENTITIES_A_TRIPLE, guide_entities
from trellis.steps.ground.patterns.trace_graphs import (
    TraceInput,
    choose_rules,
    describe_cut,
    trace_candidates,
)
from trellis.steps.link.link import link_question
from trellis.steps.link.nearest import find_nearest_names
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.retrieve.schema_graphs.read_schema_graphs import tell_assertions
from trellis.steps.retrieve.schema_graphs.settings import AssertionSettings, SchemaGraphSettings


@dataclass(frozen=True)
class Stem:
    """Answers a question by traces of schema graphs.

    `decomposer` does task `assertion`, `builder` task `schema_graph`, `guide` task `guidance`, if
    there is one. `decompositions`: how many are written (B); `graphs`: how many schema graphs of
    each. `entities`: how many the guidance has for each triple of a schema graph (K); `bias`: what
    a relationship in the guidance is raised by (τ), `boost`: what an anchor's score is multiplied
    by (λ). `seconds`: of the search for the traces of one. `answer_limit`: the most nodes that one
    candidate may give.
    """

    graph: Graph
    queries: Queries
    embedder: Embedder
    decomposer: LanguageModel
    builder: LanguageModel
    guide: GuidanceModel | None = None
    calibration: Calibration = field(default_factory=Calibration)
    reasoner: Reasoner | None = None
    max_tokens: int = 1_024
    decompositions: int = 4
    graphs: int = 3
    entities: int = ENTITIES_A_TRIPLE
    bias: float = BIAS
    boost: float = BOOST
    seconds: float = 2.0
    edge_budget: int = 200_000
    answer_limit: int = 1_000
    witness: PathWitness | None = None
    name: str = "stem"

    async def answer(self, question: Question, watch: Watch = ignore_event) -> Reply:
        record = Record(question, self.name)
        settings = self.decomposer.card.settings(AssertionSettings)
        wording = settings.wording
        with record.time_step("link"):
            said = await choose_wording(settings, self.graph)
            record.mentions = await link_question(question, self.graph, self.embedder, said)
            form = QuestionForm(question.text, record.mentions, await self.graph.schema(), wording)
        watch(Event("links", record.mentions))
        if not record.mentions:
            alike = await find_nearest_names(question.text, self.graph, wording)
            return record.abstain("nothing in the question was found in the graph", alike)
        if self.witness and (none := await self.witness.find_none(record, form)):
            return none
        with record.time_step("decompose"):
            search = Search(width=self.decompositions, max_tokens=self.max_tokens)
            decomposed = await decompose_question(self.decomposer, form, search)
        with record.time_step("build"):
            search = Search(width=self.graphs, max_tokens=self.max_tokens)
            builder = SchemaGraphBuilder(self.graph, self.builder, self.embedder, search)
            built = await builder.build(form, decomposed)
        grounded = await self._trace(record, built)
        told = collect_pattern_outcomes(built.candidates, grounded, form.mentions)
        record.candidates = tell_assertions(told, built.candidates)
        ending = PatternReply(
            self.graph, self.embedder, self.reasoner, self.calibration, self.answer_limit
        )
        tried = len(drop_improbable_sentences(built.candidates))
        return await ending.conclude(record, form, tried, grounded, watch)

    async def _trace(self, record: Record, built: SchemaGraphs) -> list[GroundedReading]:
        """What the likely schema graphs are in the graph, with the nodes that they ask for."""
        likely = drop_improbable_sentences(built.candidates)
        patterns = list(map(get_pattern, likely))
        settings = self.builder.card.settings(SchemaGraphSettings)
        with record.time_step("guide"):
            guidance = await guide_entities(
                *(self.graph, self.guide, self.embedder, patterns, record.mentions),
                *(self.edge_budget, self.entities),
            )
        with record.time_step("trace"):
            relations = await score_relations(self.graph, self.embedder, patterns)
            rules = choose_rules(settings, guidance, self.bias, self.boost)
            given = TraceInput(record.mentions, relations, guidance.nodes, rules)
            outcomes = await trace_candidates(self.graph, likely, given, self.seconds)
        record.notes += [*built.notes, *guidance.notes, *describe_cut(outcomes)]
        with record.time_step("ground"):
            readings = weigh_readings(likely, outcomes)
            found = await ground_patterns(
                self.queries, likely, readings, settings.revisit, self.answer_limit
            )
        return cite_assertions(found, likely, record.mentions)
