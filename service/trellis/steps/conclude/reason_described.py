"""Reason from texts: a hosted reasoner orders and words what a question describes.

It reads the passages of the first nodes as numbered evidence, quoted as data. Answers for which it
cites a fact about them come first, in its order. It adds none, and leaves one out only where it may
choose and cites a fact about it.
Source: GraphRAFT, section on the local subgraph reasoner; a general model in its place.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from trellis.domain.errors import ReasonerError
from trellis.domain.graphs.facts import Fact
from trellis.domain.graphs.graph import NodeId
from trellis.domain.ports import Reasoner
from trellis.domain.replies.reply import Answer, Finding, GroundedNode, Judgement
from trellis.domain.replies.review import Review
from trellis.steps.conclude.apply_review import apply_review, find_cited
from trellis.steps.conclude.check_wording import find_wording_fault
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.retrieve.described.described_nodes import DescribedNode

_MOST_READ = 12  # answers whose passages are shown


async def reason_described(
    reasoner: Reasoner,
    form: QuestionForm,
    judgement: Judgement,
    evidence: Sequence[Fact],
    nodes: Sequence[DescribedNode],
) -> Judgement:
    """The judgement in the reasoner's order and with its sentence; with a note where it failed.

    Unchanged without an answer. `evidence`: what the answers cite by number; the
    reasoner sees the whole passage in place of the part of it.
    """
    read, behind = judgement.answers[:_MOST_READ], judgement.answers[_MOST_READ:]
    if not read:
        return judgement
    count = 1 + max((row for answer in read for row in answer.evidence), default=-1)
    shown = _show_passages(evidence[:count], nodes)
    found = (GroundedNode(it.node, tuple(shown[row] for row in it.evidence)) for it in read)
    finding = Finding("texts nearest to the question", judgement.confidence, tuple(found))
    try:
        review = await reasoner.review(form.text, read, [finding], shown)
    except ReasonerError as error:
        note = f"the reasoner failed, the answer stands without it: {error.problem}"
        return replace(judgement, notes=(*judgement.notes, note))
    picked = find_cited(review.ranked, read, shown)
    levelled = replace(judgement, answers=_put_first(read, picked))
    unworded = replace(review, sentence="")
    ordered = apply_review(unworded, form, levelled, shown, (), reasoner.may_choose)
    worded = _word_answers(ordered, review, form, shown, picked)
    scores = (answer.score for answer in read)
    kept = (replace(each, score=score) for each, score in zip(worded.answers, scores, strict=False))
    return replace(worded, answers=(*kept, *behind))


def _show_passages(evidence: Sequence[Fact], nodes: Sequence[DescribedNode]) -> list[Fact]:
    """The facts, those of a part of a text as its whole nearest passage."""
    whole = {
        each.match.node.id: Fact.of_statements((), (passage.as_fact(each.match.node),))
        for each in nodes
        for passage in each.match.passages[:1]
    }
    return [
        whole.get(fact.nodes[0].id, fact) if fact.properties and not fact.triples else fact
        for fact in evidence
    ]


def _put_first(answers: Sequence[Answer], picked: Collection[NodeId]) -> tuple[Answer, ...]:
    """The picked answers, believed equally, before all others, of which each keeps its place."""
    first = [replace(each, score=2.0) for each in answers if each.node.id in picked]
    return (*first, *(each for each in answers if each.node.id not in picked))


def _word_answers(
    judgement: Judgement,
    review: Review,
    form: QuestionForm,
    shown: Sequence[Fact],
    picked: Collection[NodeId],
) -> Judgement:
    """The judgement with the review's sentence, where it speaks of the picked answers alone."""
    stated = [each for each in judgement.answers if each.node.id in picked] or judgement.answers
    cited = [shown[row] for answer in stated for row in answer.evidence]
    fault = find_wording_fault(review.sentence, form.text, stated, cited, shown)
    if not fault:
        return replace(judgement, wording=review.sentence or None)
    note = f"the reasoner's sentence was dropped: {fault}"
    return replace(judgement, notes=(*judgement.notes, note))
