"""Answers by the texts of nodes: those that a question describes, or what the text of one says.

Source: GraphRAFT, whose graphs have texts: candidates by text and by structure, ranked together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from trellis.domain.graphs.facts import Fact
from trellis.domain.graphs.graph import Node
from trellis.domain.ports import Embedder, Graph, Reasoner, TextRanker
from trellis.domain.replies.events import Event, Watch
from trellis.domain.replies.reply import CandidateOutcome, Judgement, Reply
from trellis.pipelines.record import Record
from trellis.steps.align.described_fit import (
    describes_nodes,
    find_described_labels,
    measure_described,
)
from trellis.steps.conclude.judge_described import judge_described, judge_quoted
from trellis.steps.conclude.rank_described import rank_described
from trellis.steps.conclude.reason_described import reason_described
from trellis.steps.describe.describe_described import describe_described, describe_quoted
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.link.second_question import note_second_question
from trellis.steps.retrieve.described.described_nodes import (
    Description,
    drop_texts,
    retrieve_described,
)
from trellis.steps.retrieve.described.quoted_answers import find_quoted_answer

_SHOWN = 20  # nodes of a candidate


@dataclass(frozen=True, slots=True)
class DescribedReply:
    """Answers questions that describe nodes by what their texts say."""

    graph: Graph
    embedder: Embedder | None
    ranker: TextRanker | None = None
    reasoner: Reasoner | None = None

    async def answer(self, record: Record, form: QuestionForm, watch: Watch) -> Reply | None:
        """The reply, without answers where the nearest texts are not near enough; None where the
        question describes nothing, or nothing is found."""
        texts = await self.graph.indexed_texts()
        if not texts.kinds:
            return None
        form = replace(form, mentions=drop_texts(form.mentions, texts.kinds))
        if not describes_nodes(form, texts.labels):
            return None
        asked = find_described_labels(form, texts.labels)
        with record.time_step("search texts"):
            description = await retrieve_described(form, texts, self.graph, self.embedder, asked)
        description = description.keep_labels(asked)
        if not asked and description.is_about_topic:
            return await self._quote(record, form, description, watch)
        if not description.nodes:
            return None
        if self.ranker:
            with record.time_step("rank texts"):
                ranked = await rank_described(self.ranker, self.graph, form, description.nodes)
            description = replace(description, nodes=ranked.nodes)
            record.add_note(ranked.note)
        first = description.nodes[0]
        record.mentions = description.list_used(record.mentions, first.ends)
        record.features = measure_described(form, description)
        judgement, evidence = judge_described(form, description.nodes, record.features)
        if self.reasoner:
            with record.time_step("reason"):
                judgement = await reason_described(
                    *(self.reasoner, form, judgement, evidence, description.nodes)
                )
        nodes = tuple(each.match.node for each in description.nodes[:_SHOWN])
        return _build_reply(
            *(record, judgement, evidence, nodes, watch),
            reading=describe_described(asked or texts.labels, [m.text for m in record.mentions]),
        )

    async def _quote(
        self, record: Record, form: QuestionForm, description: Description, watch: Watch
    ) -> Reply | None:
        """What the text of the node that the question names says."""
        assert self.embedder
        topic = description.topics[0]
        record.mentions = description.list_used(record.mentions, {topic.node.id})
        with record.time_step("read text"):
            quoted = await find_quoted_answer(form, topic, self.graph, self.embedder)
        if quoted is None:
            return None
        fact = Fact.of_statements((), (quoted.sentence.as_fact(quoted.node),))
        nodes = quoted.names or (Node("", quoted.sentence.text),)
        judgement = judge_quoted(nodes, quoted.closeness)
        reading = describe_quoted(quoted.node.name, quoted.sentence.property)
        return _build_reply(record, judgement, (fact,), nodes, watch, reading=reading)


def _build_reply(
    record: Record,
    judgement: Judgement,
    evidence: Sequence[Fact],
    nodes: Sequence[Node],
    watch: Watch,
    *,
    reading: str,
) -> Reply:
    """The reply; where it claims nothing, what comes nearest stands beside it."""
    found = CandidateOutcome("texts", 0.0, len(nodes), None, tuple(nodes), reading=reading)
    record.candidates = (found,)
    record.add_note("" if judgement.answers else "no text is near enough to the question")
    if judgement.answers:
        watch(Event("candidates", record.candidates))
        watch(Event("evidence", tuple(evidence)))
    record.add_note(note_second_question(record.question.text))
    reply = record.build_reply(judgement, evidence, total=len(judgement.answers))
    return replace(reply, count=None)
