"""Apply a review: follow a reasoner only where it can do no harm.

It words the answers, and orders those that are believed equally. The confidence stays the vote's.
Answers are left out or added only where the reasoner may choose, and cites a fact about each: a
name that it merely does not repeat is kept, so that no list is cut.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from trellis.domain.graphs.facts import Fact
from trellis.domain.graphs.graph import Node, NodeId
from trellis.domain.replies.reply import Answer, Judgement
from trellis.domain.replies.review import CitedName, Review
from trellis.linking.text import name_key
from trellis.steps.conclude.check_wording import find_wording_fault
from trellis.steps.link.question_form import QuestionForm

_SHOWN_NAMES = 5  # names that one note lists


def apply_review(
    review: Review,
    form: QuestionForm,
    judgement: Judgement,
    evidence: Sequence[Fact],
    found: Sequence[Answer] = (),
    may_choose: bool = False,
) -> Judgement:
    """The judgement with the review's sentence and order, and notes on what was not followed.

    `found`: all nodes that were found, of which it may add some if it `may_choose`.
    """
    answers, notes = judgement.answers, list(_note_shown(review, evidence))
    if may_choose:
        answers, chosen = _choose_answers(review, answers, evidence, found)
        notes += chosen
    else:
        notes += _note_strange_names(review, answers)
    answers = _order_answers(review, answers)
    cited = [evidence[row] for row in _list_cited_rows(review, answers, evidence)]
    fault = find_wording_fault(review.sentence, form.text, answers, cited, evidence)
    if fault:
        notes.append(f"the reasoner's sentence was dropped: {fault}")
    return replace(
        judgement,
        answers=answers,
        wording=(review.sentence or None) if not fault else None,
        notes=(*judgement.notes, *notes),
    )


def _order_answers(review: Review, answers: Sequence[Answer]) -> tuple[Answer, ...]:
    """The answers by belief, and those that are believed equally in the review's order."""
    ranks: dict[str, int] = {}
    for rank, cited in enumerate(review.ranked):
        ranks.setdefault(name_key(cited.name), rank)
    last = len(review.ranked)
    ordered: list[Answer] = []
    for alike in _group_equal(answers):
        ordered += sorted(alike, key=lambda it: ranks.get(name_key(it.node.name), last))
    return tuple(ordered)


def _group_equal(answers: Sequence[Answer]) -> Iterator[list[Answer]]:
    """Runs of neighbours that are believed equally."""
    run: list[Answer] = []
    for answer in answers:
        if run and abs(run[-1].score - answer.score) > 1e-9:
            yield run
            run = []
        run.append(answer)
    if run:
        yield run


def _choose_answers(
    review: Review,
    answers: Sequence[Answer],
    evidence: Sequence[Fact],
    found: Sequence[Answer],
) -> tuple[tuple[Answer, ...], list[str]]:
    """The answers without those that the review leaves out, with those that it adds; and notes."""
    dropped = find_cited(review.left_out, answers, evidence)
    kept = [answer for answer in answers if answer.node.id not in dropped]
    notes = []
    if not kept:
        kept, dropped = list(answers), {}
        notes.append("the reasoner left out all answers, which is not followed")
    known = {answer.node.id for answer in answers}
    others = [answer for answer in found if answer.node.id not in known]
    added = find_cited(review.ranked, others, evidence)
    kept += [replace(it, evidence=(added[it.node.id],)) for it in others if it.node.id in added]
    names = {answer.node.id: answer.node.name for answer in (*answers, *found)}
    notes += _note_choice("left out", dropped, names, evidence)
    notes += _note_choice("added", added, names, evidence)
    return tuple(kept), notes


def find_cited(
    cited_names: Sequence[CitedName], answers: Sequence[Answer], evidence: Sequence[Fact]
) -> dict[NodeId, int]:
    """The row of a fact for each answer that is named: the first one cited that mentions it."""
    rows: dict[NodeId, int] = {}
    for cited in cited_names:
        for answer in answers:
            if name_key(answer.node.name) == name_key(cited.name):
                for row in _list_rows_about(cited, answer.node, evidence):
                    rows.setdefault(answer.node.id, row)
    return rows


def _list_rows_about(cited: CitedName, node: Node, evidence: Sequence[Fact]) -> Iterator[int]:
    return (row for row in cited.facts if row < len(evidence) and node in evidence[row].nodes)


def _list_cited_rows(
    review: Review, answers: Sequence[Answer], evidence: Sequence[Fact]
) -> list[int]:
    """The facts that the answers stand on, and those that the review cites for one of them."""
    rows = {row for answer in answers for row in answer.evidence}
    for cited in review.ranked:
        for answer in answers:
            if name_key(answer.node.name) == name_key(cited.name):
                rows.update(_list_rows_about(cited, answer.node, evidence))
    return sorted(rows)


def _note_shown(review: Review, evidence: Sequence[Fact]) -> Iterator[str]:
    if review.shown_count < len(evidence):
        yield (
            f"the reasoner was shown {review.shown_count} of {len(evidence)} facts, "
            "the most probable ones"
        )


def _note_choice(
    verb: str, rows: Mapping[NodeId, int], names: Mapping[NodeId, str], evidence: Sequence[Fact]
) -> Iterator[str]:
    for node, row in rows.items():
        yield f"the reasoner {verb} {names[node]}, citing: {evidence[row].text}"


def _note_strange_names(review: Review, answers: Sequence[Answer]) -> Iterator[str]:
    """A note on names of the review that are no answers."""
    known = {name_key(answer.node.name) for answer in answers}
    strange = [cited.name for cited in review.ranked if name_key(cited.name) not in known]
    if strange:
        more = ", …" if len(strange) > _SHOWN_NAMES else ""
        yield f"the reasoner named what is no answer: {', '.join(strange[:_SHOWN_NAMES])}{more}"
