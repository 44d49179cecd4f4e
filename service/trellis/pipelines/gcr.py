"""GCR: graph-constrained reasoning over the KG-Trie.

Source: "Graph-constrained Reasoning", section 4. Anchors span a KG-Trie; a model writes the K
most probable paths inside it; the paths are run in the database; a reasoner answers from them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from trellis.domain.decoding import Search
from trellis.domain.events import Event, Watch, unwatched
from trellis.domain.ports import Embedder, Graph, LanguageModel, Reasoner
from trellis.domain.question import Question
from trellis.domain.reply import Reply
from trellis.pipelines.record import Record, tried, walks_of
from trellis.steps.paths.ground_paths import ground
from trellis.steps.paths.path_confidence import signs
from trellis.steps.paths.retrieve_trie import retrieve_trie
from trellis.steps.shared.candidates import worth_running
from trellis.steps.shared.link import given, link
from trellis.steps.shared.nearest import nearest_names
from trellis.steps.shared.prompt import path_prompt
from trellis.steps.shared.reason import Vote, reason, softened
from trellis.steps.shared.verify import verify


@dataclass(frozen=True)
class Gcr:
    """Answers a question by paths; `answer_limit` bounds what one path may reach."""

    graph: Graph
    model: LanguageModel
    embedder: Embedder | None = None
    reasoner: Reasoner | None = None
    search: Search = field(default_factory=Search)
    edge_budget: int = 200_000
    answer_limit: int = 1_000
    name: str = "gcr"

    async def answer(self, question: Question, watch: Watch = unwatched) -> Reply:
        record, card = Record(question, self.name), self.model.card
        with record.step("link"):
            if question.topics:
                record.mentions = await given(question.text, question.topics, self.graph)
            else:
                record.mentions = await link(question.text, self.graph, self.embedder, card.wording)
        watch(Event("links", record.mentions))
        if not record.mentions:
            alike = await nearest_names(question.text, self.graph, card.wording)
            return record.abstained("nothing in the question was found in the graph", alike)
        with record.step("retrieve"):
            trie = await retrieve_trie(self.graph, record.mentions, card, self.edge_budget)
        if trie.neighbourhood.cut:
            record.notes.append(f"the neighbourhood was cut at {self.edge_budget} entries")
        with record.step("decode"):
            prompt = path_prompt(question.text, record.mentions)
            [sentences] = await self.model.decode([prompt], [trie], self.search)
        with record.step("ground"):
            run = worth_running(sentences)
            findings = await ground(self.graph, run, card.revisit, self.answer_limit)
        record.tried = tried(sentences, findings)
        record.cut(findings, self.answer_limit)
        watch(Event("candidates", record.tried))
        evidence = walks_of(findings)
        with record.step("reason"):
            record.signs = await signs(
                question.text, record.mentions, record.tried, card.wording, self.embedder
            )
            rivals = softened(findings, card.temperature)
            vote = Vote.of(card, record.signs)
            judgement = await reason(self.reasoner, vote, question.text, rivals, evidence)
        with record.step("verify"):
            judgement = await verify(self.graph, judgement, rivals, evidence)
        watch(Event("evidence", evidence))
        return record.reply(judgement, evidence)
