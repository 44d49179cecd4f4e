"""GCR: graph-constrained reasoning over the KG-Trie.

Source: "Graph-constrained Reasoning", section 4. Anchors span a KG-Trie; a model writes the K
most probable paths inside it; the paths are run in the database; a reasoner answers from them. That
paths are weighed by the words of the question too is ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from trellis.automata.walks import Walks
from trellis.domain.card import Calibration
from trellis.domain.decoding import Search, Sentence
from trellis.domain.events import Event, Watch, ignore_event
from trellis.domain.links import Mention
from trellis.domain.ports import Embedder, Graph, LanguageModel, Reasoner
from trellis.domain.question import Question
from trellis.domain.reply import Reply
from trellis.pipelines.path_reply import PathReply
from trellis.pipelines.record import Record, collect_outcomes
from trellis.steps.paths.absent_paths import bind_anchors, find_absent_path
from trellis.steps.paths.path_prompt import build_path_prompt
from trellis.steps.paths.retrieve_trie import retrieve_trie
from trellis.steps.paths.settings import PathSettings
from trellis.steps.paths.wider_paths import widen_trie
from trellis.steps.shared.ground_paths import ground_paths
from trellis.steps.shared.link import link_question
from trellis.steps.shared.mask_mentions import mask_mentions
from trellis.steps.shared.nearest import find_nearest_names
from trellis.steps.shared.unsaid_operators import explain_unsaid_by_relations


@dataclass(frozen=True)
class Gcr:
    """Answers a question by paths; `answer_limit`: the most nodes that one path may reach."""

    graph: Graph
    model: LanguageModel
    settings: PathSettings
    calibration: Calibration = field(default_factory=Calibration)
    embedder: Embedder | None = None
    reasoner: Reasoner | None = None
    search: Search = field(default_factory=Search)
    edge_budget: int = 200_000
    answer_limit: int = 1_000
    name: str = "gcr"

    async def answer(self, question: Question, watch: Watch = ignore_event) -> Reply:
        record, wording = Record(question, self.name), self.settings.wording
        with record.time_step("link"):
            record.mentions = await link_question(question, self.graph, self.embedder, wording)
        watch(Event("links", record.mentions))
        if not record.mentions:
            alike = await find_nearest_names(question.text, self.graph, wording)
            return record.abstain("nothing in the question was found in the graph", alike)
        with record.time_step("retrieve"):
            trie = await retrieve_trie(self.graph, record.mentions, self.settings, self.edge_budget)
        if trie.neighbourhood.cut:
            record.notes.append(f"the neighbourhood was cut at {self.edge_budget} entries")
        with record.time_step("decode"):
            prompt = build_path_prompt(question.text, record.mentions)
            languages = [trie, *await self._widen(record.mentions)]
            prompts = [prompt] * len(languages)
            written, *wished = await self.model.decode(prompts, languages, self.search)
        if wished and (none := await self._find_none(record, trie, written, wished[0])):
            watch(Event("candidates", record.candidates))
            return none
        ending = PathReply(
            self.graph,
            self.embedder,
            self.reasoner,
            self.calibration,
            self.settings.revisit,
            wording,
            self.settings.words,
            self.answer_limit,
        )
        return await ending.conclude(record, written, watch)

    async def _widen(self, mentions: Sequence[Mention]) -> list[Walks]:
        """The wider language of the schema, for a model that has learnt how its words are said in
        questions; its word for what is not there counts."""
        settings = self.settings
        if settings.rendering == "full" or not settings.words:
            return []
        return [widen_trie(await self.graph.schema(), mentions, settings)]

    async def _find_none(
        self, record: Record, trie: Walks, written: Sequence[Sentence], wished: Sequence[Sentence]
    ) -> Reply | None:
        """The reply that there is none of what the question asks for; None where there may be."""
        question, mentions, settings = record.question.text, record.mentions, self.settings
        masked = mask_mentions(question, mentions)
        with record.time_step("weigh"):
            absent = await find_absent_path(
                trie, written, wished, masked, settings.words, self.embedder
            )
        if absent is None:
            return None
        sentence = bind_anchors(absent.sentence, mentions)
        with record.time_step("ground"):
            findings = await ground_paths(self.graph, [sentence], settings.revisit, 1)
        [outcome] = collect_outcomes([sentence], findings, mentions)
        if outcome.answer_count or explain_unsaid_by_relations(question, mentions, outcome.reading):
            return None
        return record.claim_none(outcome, absent.probability)
