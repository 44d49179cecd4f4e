"""GCR: graph-constrained reasoning over the KG-Trie.

Source: "Graph-constrained Reasoning", section 4. Anchors span a KG-Trie; a model writes the K
most probable paths inside it; the paths are run in the database; a reasoner answers from them. That
paths are weighed by the words of the question too is ours.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from trellis.domain.card import Calibration
from trellis.domain.decoding import Search
from trellis.domain.events import Event, Watch, ignore_event
from trellis.domain.ports import Embedder, Graph, LanguageModel, Reasoner
from trellis.domain.question import Question
from trellis.domain.reply import Reply
from trellis.pipelines.record import Record, collect_facts, collect_outcomes
from trellis.steps.paths.ground_paths import ground_paths
from trellis.steps.paths.path_confidence import extract_path_features
from trellis.steps.paths.path_prompt import build_path_prompt
from trellis.steps.paths.retrieve_trie import retrieve_trie
from trellis.steps.paths.settings import PathSettings
from trellis.steps.paths.weigh_paths import weigh_paths
from trellis.steps.shared.candidates import drop_improbable_sentences
from trellis.steps.shared.link import link_question
from trellis.steps.shared.mask_mentions import mask_mentions
from trellis.steps.shared.nearest import find_nearest_names
from trellis.steps.shared.reason import Vote, judge_findings, soften_findings
from trellis.steps.shared.unsaid_operators import explain_unsaid_by_relations
from trellis.steps.shared.verify import verify_judgement


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
            [written] = await self.model.decode([prompt], [trie], self.search)
        with record.time_step("weigh"):
            masked = mask_mentions(question.text, record.mentions)
            sentences = await weigh_paths(written, masked, self.settings.words, self.embedder)
        with record.time_step("ground"):
            run = drop_improbable_sentences(sentences)
            findings = await ground_paths(self.graph, run, self.settings.revisit, self.answer_limit)
        record.candidates = collect_outcomes(sentences, findings, record.mentions)
        record.note_row_limit(findings, self.answer_limit)
        watch(Event("candidates", record.candidates))
        evidence = collect_facts(findings)
        with record.time_step("reason"):
            record.features = await extract_path_features(
                question.text, record.mentions, record.candidates, wording, self.embedder
            )
            rivals = soften_findings(findings, self.calibration.temperature)
            vote = Vote.of(self.calibration, record.features)
            judgement = await judge_findings(self.reasoner, vote, question.text, rivals, evidence)
        reading = record.find_reading(judgement.answers)
        if reason := explain_unsaid_by_relations(question.text, record.mentions, reading):
            return record.build_silent_reply().hold_back(reason)
        with record.time_step("verify"):
            judgement = await verify_judgement(self.graph, judgement, rivals, evidence)
        watch(Event("evidence", evidence))
        return record.build_reply(judgement, evidence)
