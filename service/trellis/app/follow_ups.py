"""Answers questions that may refer to earlier ones of a conversation."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial

from trellis.app.guiding import explain_what_can_be_asked, hold_back_other_language
from trellis.app.trellis_app import TrellisApp
from trellis.domain.limits.budget import Budget, limit_time
from trellis.domain.replies.conversation import Turn, check_history
from trellis.domain.replies.events import Watch, enter_step, ignore_event
from trellis.domain.replies.question import Question
from trellis.domain.replies.reply import Reply
from trellis.steps.link.follow_ups.resolve_follow_up import resolve_follow_up
from trellis.steps.link.given_nodes import find_chosen_nodes
from trellis.store.tables import AnswerRow

_MOST_OPTIONS = 3  # whole questions that are asked to see which one was meant
_MOST_KEPT = 8  # turns of a kept conversation that are read


async def answer_in_conversation(
    trellis_app: TrellisApp,
    question: Question,
    turns: Sequence[Turn],
    method: str | None = None,
    watch: Watch = ignore_event,
    budget: Budget | None = None,
) -> Reply:
    """The reply to a question after earlier ones; `asked` holds the whole question of a follow-up.

    Topics that are given replace what the question may refer to. Where it cannot be told what it
    refers to, or it is not in English, the reply abstains and says why. Raises HistoryError.
    """
    check_history(turns)
    async with limit_time((budget or trellis_app.make_budget()).seconds):
        enter_step("link")
        if foreign := await hold_back_other_language(trellis_app, question, method):
            return foreign
    if not turns or question.topics:
        return await explain_what_can_be_asked(
            trellis_app, await trellis_app.answer(question, method, watch, budget)
        )
    spend = budget or trellis_app.make_budget()
    async with limit_time(spend.seconds):
        enter_step("resolve")
        whole = await resolve_follow_up(
            question.text, turns, trellis_app.graph, trellis_app.embedder
        )
        if whole.problem:
            asking = partial(trellis_app.answer, method=method, budget=spend)
            only = await _find_only_answer(question, whole.options, asking)
            return only or await _abstain(trellis_app, question, method, whole.problem)
        text = trellis_app.make_question(whole.text).text
        chosen = await find_chosen_nodes(text, turns, trellis_app.graph)
        whole_question = replace(
            question, text=text, topics=tuple(node.id for node in chosen) or None
        )
        reply = await trellis_app.answer(whole_question, method, watch, spend)
    if text != question.text:
        reply = replace(reply, question=question.text, asked=reply.asked or text)
    return await explain_what_can_be_asked(trellis_app, reply)


async def _find_only_answer(
    question: Question, options: Sequence[str], answer: Callable[[Question], Awaitable[Reply]]
) -> Reply | None:
    """The reply to the only one of some whole questions that the graph answers; None where it
    answers several of them, or none."""
    if len(options) > _MOST_OPTIONS:
        return None
    replies = [await answer(replace(question, text=text)) for text in options]
    answered = [number for number, reply in enumerate(replies) if reply.answers]
    if len(answered) != 1:
        return None
    [number] = answered
    others = " and ".join(f"“{text}”" for text in options if text != options[number])
    note = f"understood as “{options[number]}”: the graph does not answer {others}"
    reply = replies[number]
    notes = (*reply.notes, note)
    return replace(reply, question=question.text, asked=options[number], notes=notes)


async def read_conversation(trellis_app: TrellisApp, id: str, asker: str) -> list[Turn]:
    """The last turns that are kept of somebody's conversation, the oldest first; StoreError."""
    rows = await trellis_app.store.list_conversation(id, _MOST_KEPT, asker)
    return [_read_turn(row) for row in rows]


def _read_turn(row: AnswerRow) -> Turn:
    names = tuple(answer["name"] for answer in row.body.get("answers", ()))
    links = [link for mention in row.body.get("mentions", ()) for link in mention["links"]]
    chosen = tuple(link["id"] for link in links if link["how"] == "given" and link["id"])
    text = row.body.get("asked") or row.question
    return Turn(text, names, chosen, row.body.get("reading", ""))


async def _abstain(
    trellis_app: TrellisApp, question: Question, method: str | None, problem: str
) -> Reply:
    """A reply that says why the question was not asked."""
    name = method or (await trellis_app.pipelines.list_ready_methods())[0].name
    silent = Reply(question.text, name, (), (), 0.0, abstained=True)
    return replace(silent, held_back=problem, notes=(problem,))
