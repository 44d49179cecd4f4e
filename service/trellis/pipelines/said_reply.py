"""Answers by what the texts of nodes say word for word: all that do, or none.

`which Qt packages mention subtitles` is a condition, and no description: what is only like it is no
answer.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from trellis.domain.ports import Graph
from trellis.domain.replies.events import Event, Watch
from trellis.domain.replies.reply import CandidateOutcome, Reply
from trellis.pipelines.record import Record
from trellis.steps.align.said_texts import read_said_texts
from trellis.steps.conclude.judge_said import judge_said
from trellis.steps.describe.describe_described import describe_said, explain_unsaid
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.retrieve.described.described_nodes import drop_texts
from trellis.steps.retrieve.described.saying_nodes import (
    MOST_TEXTS,
    find_saying_nodes,
    keep_related,
)

_SHOWN = 20  # nodes of a candidate
_NEGATED = "texts are not searched for what they do not say"


@dataclass(frozen=True, slots=True)
class SaidReply:
    """Answers questions for the nodes whose texts say something."""

    graph: Graph

    async def answer(self, record: Record, form: QuestionForm, watch: Watch) -> Reply | None:
        """The reply, held back where no text says it; None where the question wants nothing said,
        or more than can be read."""
        texts = (await self.graph.indexed_texts()).kinds
        if not texts:
            return None
        named = replace(form, mentions=drop_texts(form.mentions, texts))
        said = read_said_texts(named, texts)
        if said is None:
            return None
        record = replace(record, mentions=said.names, notes=[])
        if said.condition.is_negated:
            return record.build_silent_reply().hold_back(_NEGATED)
        with record.time_step("search texts"):
            found = await find_saying_nodes(said.condition, said.kinds, self.graph)
            related = await keep_related(found, said.names, said.labels, self.graph)
        if related is None:
            return None
        names = [mention.text for mention in said.names]
        nodes = tuple(each.node for each in related.nodes)
        reading = describe_said(said.labels, said.kinds, said.condition, names)
        record.candidates = (
            CandidateOutcome("texts", 0.0, len(nodes), None, nodes[:_SHOWN], reading=reading),
        )
        watch(Event("candidates", record.candidates))
        if not nodes:
            reason = explain_unsaid(said.labels, said.condition, names if found.nodes else ())
            return record.build_silent_reply().hold_back(reason)
        if related.is_cut:
            record.add_note(f"{MOST_TEXTS:,} texts were read: there may be more answers")
        judgement, evidence = judge_said(related)
        watch(Event("evidence", evidence))
        return replace(record.build_reply(judgement, evidence), says_operators=True)
