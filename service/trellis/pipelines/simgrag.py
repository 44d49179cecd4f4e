"""SimGRAG: similar-graph retrieval.

Source: "Similar Graph Enhanced Retrieval-Augmented Generation", section 4. A model writes what a
question means as patterns; the subgraphs nearest to these are found in the database; a reasoner
answers from them. That the relations of a subgraph are run once more with the asked node free, so
that all answers come, and that several patterns are weighed against one another, is ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from trellis.domain.card import Calibration
from trellis.domain.decoding import Search, Sentence
from trellis.domain.events import Event, Watch, ignore_event
from trellis.domain.ports import Embedder, Graph, LanguageModel, Queries, Reasoner
from trellis.domain.question import Question
from trellis.domain.question_patterns import MentionNode
from trellis.domain.reply import Reply
from trellis.linking.operators import OperatorKind, has_superlative
from trellis.pipelines.record import Record, collect_facts, collect_pattern_outcomes
from trellis.steps.patterns.describe_pattern import describe_approximation
from trellis.steps.patterns.find_candidates import find_candidates
from trellis.steps.patterns.ground_patterns import ground_patterns, weigh_readings
from trellis.steps.patterns.match_patterns import match_patterns
from trellis.steps.patterns.pattern_confidence import extract_pattern_features
from trellis.steps.patterns.pattern_prompt import build_pattern_prompt
from trellis.steps.patterns.retrieve_patterns import build_pattern_language
from trellis.steps.patterns.settings import PatternSettings
from trellis.steps.patterns.weigh_patterns import get_pattern, weigh_patterns
from trellis.steps.shared.candidates import drop_improbable_sentences
from trellis.steps.shared.link import link_mentions, link_topics
from trellis.steps.shared.mask_mentions import mask_mentions
from trellis.steps.shared.nearest import find_nearest_names
from trellis.steps.shared.reason import Vote, judge_findings, soften_findings
from trellis.steps.shared.unsaid_operators import (
    describe_unsaid_operators,
    find_unsaid_operators,
)
from trellis.steps.shared.verify import verify_judgement


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
    name: str = "simgrag"

    async def answer(self, question: Question, watch: Watch = ignore_event) -> Reply:
        record, settings = Record(question, self.name), self.settings
        with record.time_step("link"):
            if question.topics:
                record.mentions = await link_topics(question.text, question.topics, self.graph)
            else:
                record.mentions = await link_mentions(
                    question.text, self.graph, self.embedder, settings.wording
                )
        watch(Event("links", record.mentions))
        if settings.needs_mention and not record.mentions:
            alike = await find_nearest_names(question.text, self.graph, settings.wording)
            return record.abstain("nothing in the question was found in the graph", alike)
        with record.time_step("decode"):
            language = build_pattern_language(
                await self.graph.schema(), question.text, record.mentions, settings, is_asking=True
            )
            prompt = build_pattern_prompt(question.text, record.mentions)
            [written] = await self.model.decode([prompt], [language], self.search)
            masked = mask_mentions(question.text, record.mentions)
            bound = self._drop_unbound(written)
            sentences = await weigh_patterns(bound, masked, settings.words, self.embedder)
            likely = drop_improbable_sentences(sentences)
        with record.time_step("candidates"):
            patterns = [get_pattern(sentence) for sentence in likely]
            candidates = await find_candidates(self.graph, self.embedder, patterns, record.mentions)
            record.add_note(candidates.note)
        with record.time_step("search"):
            outcomes = await match_patterns(
                self.graph,
                patterns,
                candidates,
                settings.revisit,
                limit=self.subgraphs,
                seconds=self.seconds,
            )
        if not all(outcome.is_complete for outcome in outcomes):
            record.notes.append(
                f"the search for subgraphs ended after {self.seconds:g} seconds: nearer ones may "
                "be left out"
            )
        with record.time_step("ground"):
            readings = weigh_readings(likely, outcomes)
            grounded = await ground_patterns(
                self.queries, likely, readings, settings.revisit, self.answer_limit
            )
        findings = [each.finding for each in grounded]
        record.candidates = collect_pattern_outcomes(
            sentences, len(likely), grounded, record.mentions
        )
        record.note_row_limit(findings, self.answer_limit)
        watch(Event("candidates", record.candidates))
        answering = [each for each in grounded if each.finding.nodes]
        if not answering:
            return record.abstain(_say_what_was_tried(record))
        record.add_note(describe_approximation(answering[0].reading.located))
        evidence = collect_facts(findings)
        with record.time_step("reason"):
            record.features = await extract_pattern_features(
                question.text, record.mentions, grounded, settings.wording, self.embedder
            )
            rivals = soften_findings(findings, self.calibration.temperature)
            vote = Vote.of(self.calibration, record.features)
            judgement = await judge_findings(self.reasoner, vote, question.text, rivals, evidence)
        reading = record.find_reading(judgement.answers)
        said: tuple[OperatorKind, ...] = ("superlative",) if has_superlative(reading) else ()
        if unsaid := find_unsaid_operators(question.text, record.mentions, said):
            reason = describe_unsaid_operators(unsaid, reading)
            return record.build_silent_reply().hold_back(reason)
        with record.time_step("verify"):
            judgement = await verify_judgement(self.graph, judgement, rivals, evidence)
        watch(Event("evidence", evidence))
        return record.build_reply(judgement, evidence)

    def _drop_unbound(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """The sentences without those that hold no mention, where patterns need one."""
        if not self.settings.needs_mention:
            return list(sentences)
        return [sentence for sentence in sentences if _has_mention(sentence)]


def _has_mention(sentence: Sentence) -> bool:
    return any(isinstance(node, MentionNode) for node in get_pattern(sentence).nodes)


def _say_what_was_tried(record: Record) -> str:
    problems = [it.problem for it in record.candidates if it.problem]
    if problems:
        return f"what was found could not be read from the graph: {problems[0]}"
    tried = [it.reading for it in record.candidates if it.answer_count == 0][:3]
    if not tried:
        return "no pattern was written that could be looked for"
    return f"no subgraph of the graph is like: {' | '.join(dict.fromkeys(tried))}"
