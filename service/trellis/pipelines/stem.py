"""STEM: structure-tracing evidence mining.

Source: "STEM: Structure-Tracing Evidence Mining for Knowledge Graphs-Driven Retrieval-Augmented
Generation", section 3. That traces are run once more with the asked node free, so that all answers
come, and that several readings are weighed against one another, is ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from trellis.automata.schema_graphs.kinds import RelationKinds
from trellis.domain.card import Calibration
from trellis.domain.decoding import Search, Sentence
from trellis.domain.events import Event, Watch, ignore_event
from trellis.domain.ports import Embedder, Graph, GuidanceModel, LanguageModel, Queries, Reasoner
from trellis.domain.question import Question
from trellis.domain.reply import Reply
from trellis.domain.traces import TraceRules
from trellis.pipelines.pattern_reply import PatternReply
from trellis.pipelines.record import Record, collect_pattern_outcomes
from trellis.steps.shared.candidates import drop_improbable_sentences
from trellis.steps.shared.ground_patterns import GroundedReading, ground_patterns, weigh_readings
from trellis.steps.shared.link import link_question
from trellis.steps.shared.mask_mentions import mask_mentions
from trellis.steps.shared.nearest import find_nearest_names
from trellis.steps.shared.weigh_patterns import get_pattern, weigh_patterns
from trellis.steps.traces.cite_assertions import cite_assertions
from trellis.steps.traces.compare_schema import describe_schema_change
from trellis.steps.traces.guide_entities import guide_entities
from trellis.steps.traces.read_schema_graphs import (
    explain_unfitting,
    get_decomposition,
    join_schema_graphs,
    list_anchored_decompositions,
    tell_assertions,
)
from trellis.steps.traces.retrieve_assertions import (
    build_assertion_language,
    build_schema_graph_language,
)
from trellis.steps.traces.score_relations import score_relations
from trellis.steps.traces.settings import (
    AssertionSettings,
    GuidanceSettings,
    SchemaGraphSettings,
)
from trellis.steps.traces.trace_graphs import TraceInput, trace_candidates
from trellis.steps.traces.trace_prompts import build_assertion_prompt, build_schema_graph_prompt


@dataclass(frozen=True)
class Stem:
    """Answers a question by traces of schema graphs.

    `decomposer` does task `assertion`, `builder` task `schema_graph`, `guide` task `guidance`, if
    there is one. `decompositions`: how many are written (B); `graphs`: how many schema graphs of
    each. `seconds`: of the search for the traces of one. `answer_limit`: the most nodes that one
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
    seconds: float = 2.0
    edge_budget: int = 200_000
    answer_limit: int = 1_000
    name: str = "stem"

    async def answer(self, question: Question, watch: Watch = ignore_event) -> Reply:
        record = Record(question, self.name)
        wording = self.decomposer.card.settings(AssertionSettings).wording
        with record.time_step("link"):
            record.mentions = await link_question(question, self.graph, self.embedder, wording)
        watch(Event("links", record.mentions))
        if not record.mentions:
            alike = await find_nearest_names(question.text, self.graph, wording)
            return record.abstain("nothing in the question was found in the graph", alike)
        with record.time_step("decompose"):
            decomposed = await self._decompose(record)
        with record.time_step("build"):
            candidates = await self._build_schema_graphs(record, decomposed)
        likely = drop_improbable_sentences(candidates)
        grounded = await self._trace(record, likely)
        outcomes = collect_pattern_outcomes(candidates, grounded, record.mentions)
        record.candidates = tell_assertions(outcomes, candidates)
        ending = PatternReply(
            self.graph,
            self.embedder,
            self.reasoner,
            self.calibration,
            wording,
            self.answer_limit,
        )
        return await ending.conclude(record, len(likely), grounded, watch)

    async def _decompose(self, record: Record) -> list[Sentence]:
        """The question's assertions, most probable first."""
        masked = mask_mentions(record.question.text, record.mentions)
        settings = self.decomposer.card.settings(AssertionSettings)
        language = build_assertion_language(masked, len(record.mentions), settings)
        search = Search(width=self.decompositions, max_tokens=self.max_tokens)
        prompt = build_assertion_prompt(masked)
        [written] = await self.decomposer.decode([prompt], [language], search)
        return list_anchored_decompositions(written)

    async def _build_schema_graphs(
        self, record: Record, decomposed: Sequence[Sentence]
    ) -> Sequence[Sentence]:
        """The candidates: the schema graphs of all decompositions, weighed by the question."""
        schema, settings = (
            await self.graph.schema(),
            self.builder.card.settings(SchemaGraphSettings),
        )
        record.add_note(describe_schema_change(settings.relations, schema))
        kinds = RelationKinds.of_schema(schema)
        record.add_note(explain_unfitting(decomposed, kinds, record.mentions))
        meant = list(map(get_decomposition, decomposed))
        languages = [build_schema_graph_language(kinds, m, record.mentions) for m in meant]
        fitting = [i for i, language in enumerate(languages) if not language.is_empty()]
        if not fitting:
            return ()
        built = await self.builder.decode(
            [build_schema_graph_prompt(meant[i]) for i in fitting],
            [languages[i] for i in fitting],
            Search(width=self.graphs, max_tokens=self.max_tokens),
        )
        joined = join_schema_graphs([decomposed[i] for i in fitting], built)
        masked = mask_mentions(record.question.text, record.mentions)
        return await weigh_patterns(joined, masked, settings.words, self.embedder)

    async def _trace(self, record: Record, candidates: Sequence[Sentence]) -> list[GroundedReading]:
        """What the candidates are in the graph, with the nodes that they ask for."""
        if not candidates:
            return []
        patterns = list(map(get_pattern, candidates))
        settings = self.builder.card.settings(SchemaGraphSettings)
        with record.time_step("guide"):
            guidance = await guide_entities(
                self.graph, self.guide, self.embedder, patterns, record.mentions, self.edge_budget
            )
            record.add_note(guidance.note)
        is_guided = self.guide is not None and any(guidance.nodes)
        threshold = settings.threshold
        if is_guided and self.guide is not None:
            threshold = self.guide.card.settings(GuidanceSettings).threshold
        with record.time_step("trace"):
            relations = await score_relations(self.graph, self.embedder, patterns)
            rules = TraceRules(threshold=threshold, revisit=settings.revisit)
            given = TraceInput(record.mentions, relations, guidance.nodes, rules)
            outcomes = await trace_candidates(self.graph, candidates, given, self.seconds)
        if not all(outcome.is_complete for outcome in outcomes):
            record.add_note("the search for traces was cut: others may be left out")
        with record.time_step("ground"):
            readings = weigh_readings(candidates, outcomes)
            grounded = await ground_patterns(
                self.queries, candidates, readings, settings.revisit, self.answer_limit
            )
        return cite_assertions(grounded, candidates, record.mentions)
