"""Whether an outcome is right."""

from __future__ import annotations

from typing import Literal

from trellis.evaluation.answer_nodes import choose_key, list_right_keys
from trellis.evaluation.run import Outcome

Judgement = Literal["right", "wrong", "held"]


def judge_outcome(outcome: Outcome) -> Judgement:
    """`right`, `wrong`, or `held`: that nothing was given; where gold has no answer, that is
    right. A gold query is compared by its rows, other gold by the answers' names."""
    given = outcome.reply.answers if outcome.reply else ()
    is_given = bool(given) or bool(outcome.reply and not outcome.reply.abstained)
    if not is_given:
        return "right" if outcome.gold.answers == () else "held"
    if outcome.gold.cypher:
        return "right" if outcome.execution.match else "wrong"
    keys = {choose_key(outcome.gold, answer.node) for answer in given}
    return "right" if keys == {*list_right_keys(outcome.gold)} else "wrong"


def is_first_right(outcome: Outcome) -> bool:
    """Whether the first answer is a right one, by its name; nothing given is not."""
    given = outcome.reply.answers if outcome.reply else ()
    return bool(given) and choose_key(outcome.gold, given[0].node) in list_right_keys(outcome.gold)
