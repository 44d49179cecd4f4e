"""SimGRAG: similar-graph retrieval.

Source: "Similar Graph Enhanced Retrieval-Augmented Generation", section 4. A model writes what a
question means as patterns; the subgraphs nearest to these are found in the database; a reasoner
answers from them. That the relations of a subgraph are run once more with the asked node free, so
that all answers come, and that several patterns are weighed against one another, is ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from trellis.domain.models.card import Calibration
from trellis.domain.models.decoding import Search, Sentence
from trellis.domain.ports import Embedder, Graph, LanguageModel, Queries, Reasoner
from trellis.domain.replies.events import Event, Watch, ignore_event
from trellis.domain.replies.question import Question
from trellis.domain.replies.reply import Reply
from trellis.domain.structures.question_patterns import MentionNode
from trellis.pipelines.path_witness import PathWitness
from trellis.pipelines.pattern_reply import PatternReply
from trellis.pipelines.record import Record, collect_pattern_outcomes
from trellis.steps.align.general_words import choose_wording, choose_words
from trellis.steps.align.sentence_steps import get_pattern
from trellis.steps.align.weigh_sentences import weigh_sentences
from trellis.steps.ground.candidates import drop_improbable_sentences
from trellis.steps.ground.patterns.find_candidates import find_candidates
from trellis.steps.ground.patterns.ground_patterns import (
    GroundedReading,
    ground_patterns,
    weigh_readings,
)
from trellis.steps.ground.patterns.match_patterns import match_patterns
from trellis.steps.link.link import link_question
from trellis.steps.link.nearest import find_nearest_names
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.retrieve.patterns.pattern_prompt import build_pattern_prompt
from trellis.steps.retrieve.patterns.retrieve_patterns import build_pattern_language
from trellis.steps.retrieve.patterns.settings import PatternSettings


@dataclass(frozen=True)
class SimGrag:
    """Answers a question by patterns.

    `subgraphs`: how many nearest ones of each pattern are looked at (k). `seconds`: of the search
    for one pattern. `answer_limit`: the most nodes that one pattern may give.
    """

    graph: Graph
    queries: Queries
    model: LanguageModel
    settings: PatternSettings
    calibration: Calibration = field(default_factory=Calibration)
    embedder: Embedder | None = None
    reasoner: Reasoner | None = None
    search: Search = field(default_factory=Search)
    subgraphs: int = 3
    seconds: float = 2.0
    answer_limit: int = 1_000
    witness: PathWitness | None = None
    name: str = "simgrag"

    async def answer(self, question: Question, watch: Watch = ignore_event) -> Reply:
        record, wording = Record(question, self.name), self.settings.wording
        with record.time_step("link"):
            said = await choose_wording(self.settings, self.graph)
            record.mentions = await link_question(question, self.graph, self.embedder, said)
            form = QuestionForm(question.text, record.mentions, await self.graph.schema(), wording)
        watch(Event("links", record.mentions))
        if self.settings.needs_mention and not record.mentions:
            alike = await find_nearest_names(question.text, self.graph, wording)
            return record.abstain("nothing in the question was found in the graph", alike)
        witness = self.witness if record.mentions else None
        if witness and (none := await witness.find_none(record, form)):
            return none
        with record.time_step("decode"):
            sentences = await self._write_patterns(form)
        likely = drop_improbable_sentences(sentences)
        grounded = await self._find_subgraphs(record, likely)
        record.candidates = collect_pattern_outcomes(sentences, grounded, record.mentions)
        ending = PatternReply(
            self.graph, self.embedder, self.reasoner, self.calibration, self.answer_limit
        )
        return await ending.conclude(record, form, len(likely), grounded, watch)

    async def _write_patterns(self, form: QuestionForm) -> Sequence[Sentence]:
        """The patterns that the question may mean, most probable first."""
        settings = self.settings
        language = build_pattern_language(form, settings)
        prompt = build_pattern_prompt(form)
        [written] = await self.model.decode([prompt], [language], self.search)
        bound = [each for each in written if _has_mention(each) or not settings.needs_mention]
        words = await choose_words(settings, self.graph)
        return await weigh_sentences(bound, form.masked, words, self.embedder)

    async def _find_subgraphs(
        self, record: Record, sentences: Sequence[Sentence]
    ) -> list[GroundedReading]:
        """What the likely patterns are in the graph, with the nodes that they ask for."""
        patterns, revisit = list(map(get_pattern, sentences)), self.settings.revisit
        with record.time_step("candidates"):
            candidates = await find_candidates(self.graph, self.embedder, patterns, record.mentions)
            record.add_note(candidates.note)
        with record.time_step("search"):
            outcomes = await match_patterns(
                self.graph,
                patterns,
                candidates,
                revisit,
                limit=self.subgraphs,
                seconds=self.seconds,
            )
        if not all(outcome.is_complete for outcome in outcomes):
            ended = f"the search for subgraphs ended after {self.seconds:g} seconds"
            record.notes.append(f"{ended}: nearer ones may be left out")
        with record.time_step("ground"):
            readings = weigh_readings(sentences, outcomes)
            return await ground_patterns(
                self.queries, sentences, readings, revisit, self.answer_limit
            )


def _has_mention(sentence: Sentence) -> bool:
    return any(isinstance(node, MentionNode) for node in get_pattern(sentence).nodes)
