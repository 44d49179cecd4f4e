"""GCR: graph-constrained reasoning over the KG-Trie.

Source: "Graph-constrained Reasoning", section 4. Anchors span a KG-Trie; a model writes the K
most probable paths inside it; the paths are run in the database; a reasoner answers from them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from trellis.domain.card import Calibration
from trellis.domain.decoding import Search
from trellis.domain.events import Event, Watch, unwatched
from trellis.domain.ports import Embedder, Graph, LanguageModel, Reasoner
from trellis.domain.question import Question
from trellis.domain.reply import Reply
from trellis.pipelines.record import Record, facts_of, tried
from trellis.steps.paths.ground_paths import ground
from trellis.steps.paths.path_confidence import signs
from trellis.steps.paths.path_prompt import path_prompt
from trellis.steps.paths.retrieve_trie import retrieve_trie
from trellis.steps.paths.settings import PathSettings
from trellis.steps.shared.candidates import worth_running
from trellis.steps.shared.link import given, link
from trellis.steps.shared.nearest import nearest_names
from trellis.steps.shared.reason import Vote, reason, softened
from trellis.steps.shared.verify import verify


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

    async def answer(self, question: Question, watch: Watch = unwatched) -> Reply:
        record, wording = Record(question, self.name), self.settings.wording
        with record.step("link"):
            if question.topics:
                record.mentions = await given(question.text, question.topics, self.graph)
            else:
                record.mentions = await link(question.text, self.graph, self.embedder, wording)
        watch(Event("links", record.mentions))
        if not record.mentions:
            alike = await nearest_names(question.text, self.graph, wording)
            return record.abstained("nothing in the question was found in the graph", alike)
        with record.step("retrieve"):
            trie = await retrieve_trie(self.graph, record.mentions, self.settings, self.edge_budget)
        if trie.neighbourhood.cut:
            record.notes.append(f"the neighbourhood was cut at {self.edge_budget} entries")
        with record.step("decode"):
            prompt = path_prompt(question.text, record.mentions)
            [sentences] = await self.model.decode([prompt], [trie], self.search)
        with record.step("ground"):
            run = worth_running(sentences)
            findings = await ground(self.graph, run, self.settings.revisit, self.answer_limit)
        record.tried = tried(sentences, findings)
        record.cut(findings, self.answer_limit)
        watch(Event("candidates", record.tried))
        evidence = facts_of(findings)
        with record.step("reason"):
            record.signs = await signs(
                question.text, record.mentions, record.tried, wording, self.embedder
            )
            rivals = softened(findings, self.calibration.temperature)
            vote = Vote.of(self.calibration, record.signs)
            judgement = await reason(self.reasoner, vote, question.text, rivals, evidence)
        with record.step("verify"):
            judgement = await verify(self.graph, judgement, rivals, evidence)
        watch(Event("evidence", evidence))
        return record.reply(judgement, evidence)
