"""GCR: graph-constrained reasoning over the KG-Trie.

Source: "Graph-constrained Reasoning", section 4. Anchors span a KG-Trie; a model writes the K
most probable paths inside it; the paths are run in the database; a reasoner answers from them. That
paths are weighed by the words of the question too is ours.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from trellis.domain.models.card import Calibration
from trellis.domain.models.decoding import Search
from trellis.domain.ports import Embedder, Graph, LanguageModel, Reasoner
from trellis.domain.replies.events import Event, Watch, ignore_event
from trellis.domain.replies.question import Question
from trellis.domain.replies.reply import Reply
from trellis.pipelines.path_reply import PathReply
from trellis.pipelines.path_witness import PathWitness
from trellis.pipelines.record import Record
from trellis.steps.align.general_words import choose_wording, choose_words
from trellis.steps.align.passive_verbs import find_passive_types, turn_paths
from trellis.steps.link.link import link_question
from trellis.steps.link.nearest import find_nearest_names
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.retrieve.paths.settings import PathSettings


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
            said = await choose_wording(self.settings, self.graph)
            record.mentions = await link_question(question, self.graph, self.embedder, said)
            form = QuestionForm(question.text, record.mentions, await self.graph.schema(), wording)
        watch(Event("links", record.mentions))
        if not record.mentions:
            alike = await find_nearest_names(question.text, self.graph, wording)
            return record.abstain("nothing in the question was found in the graph", alike)
        witness = PathWitness(
            self.graph, self.model, self.settings, self.embedder, self.search, self.edge_budget
        )
        with record.time_step("retrieve"):
            trie = await witness.retrieve_trie(form.mentions)
        if trie.neighbourhood.cut:
            record.notes.append(f"the neighbourhood was cut at {self.edge_budget} entries")
        with record.time_step("decode"):
            written = await witness.write_paths(form, trie)
            if passive := find_passive_types(form):
                written = turn_paths(written, passive)
        if none := await witness.find_none_beside(record, form, trie, written):
            watch(Event("candidates", record.candidates))
            return none
        ending = PathReply(
            self.graph,
            self.embedder,
            self.reasoner,
            self.calibration,
            self.settings.revisit,
            await choose_words(self.settings, self.graph),
            self.answer_limit,
            self.settings.prefers_simple,
        )
        return await ending.conclude(record, form, written, watch)
