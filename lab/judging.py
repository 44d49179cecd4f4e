"""Whether an outcome is right."""

from __future__ import annotations

import unicodedata
from typing import Literal

from trellis.domain.replies.reply import Reply
from trellis.evaluation.answer_nodes import choose_key, list_right_keys
from trellis.evaluation.run import Outcome
from trellis.questions.row import QuestionRow

Judgement = Literal["right", "wrong", "held"]


def judge_outcome(outcome: Outcome) -> Judgement:
    """`right`, `wrong`, or `held`: that nothing was given; where gold has no answer, that is
    right. Answers are compared as a set where gold lists them, else by the gold query's rows."""
    gold, reply = outcome.gold, outcome.reply
    if reply is None or (not reply.answers and reply.abstained):
        return "right" if gold.answers == () and not outcome.error else "held"
    if gold.answers is None:
        return "right" if outcome.execution.match else "wrong"
    right = {_fold_text(each) for each in list_right_keys(gold)}
    return "right" if {_fold_text(each) for each in _list_given(gold, reply)} == right else "wrong"


def is_found_first(outcome: Outcome) -> bool:
    """Whether what was found first is right, held back or not: the hit that papers count, whose
    systems always answer."""
    gold, reply = outcome.gold, outcome.reply
    if reply is None:
        return False
    nearest = [choose_key(gold, answer.node) for answer in reply.nearest]
    found = _list_given(gold, reply) or nearest
    right = {_fold_text(each) for each in list_right_keys(gold)}
    return bool(found) and _fold_text(found[0]) in right


def _list_given(gold: QuestionRow, reply: Reply) -> list[str]:
    """What a reply says: yes or no, how many where gold is a number, else the answers."""
    if reply.verdict is not None:
        return [reply.verdict]
    if reply.count is not None and len(gold.known_answers) == 1 and gold.known_answers[0].isdigit():
        return [str(reply.count)]
    return [choose_key(gold, answer.node) for answer in reply.answers]


def _fold_text(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().strip()
