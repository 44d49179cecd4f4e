"""Unsaid operators: `not`, `or`, `more than` and numbers that a question says, an answer does not.

An answer that leaves such a word out answers another question, however sure the model is of it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from trellis.domain.graphs.graph import Node
from trellis.linking.questions.operators import (
    OperatorKind,
    QuestionOperator,
    has_aggregate,
    has_comparison,
    has_order,
    has_superlative,
)
from trellis.steps.link.question_form import QuestionForm

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


def find_unsaid_operators(
    form: QuestionForm, said: Collection[OperatorKind]
) -> tuple[QuestionOperator, ...]:
    """The operators of a question that an answer does not say; `said`: those that it does."""
    return tuple(each for each in form.operators if each.kind not in said)


def explain_unsaid_by_relations(form: QuestionForm, reading: str) -> str:
    """Why an answer by relations alone is held back, for a note; empty where it is not.

    `reading`: what the answer says. The only operators that relations say are those of their names:
    `has highest point`, `older than`; the only numbers, those of nodes.
    """
    says: dict[OperatorKind, bool] = {
        "comparison": has_comparison(reading),
        "superlative": has_superlative(reading),
        "order": has_order(reading),
        "aggregate": has_aggregate(reading),
    }
    said = [kind for kind, is_said in says.items() if is_said]
    unsaid = [each.text for each in find_unsaid_operators(form, said)]
    return describe_unsaid(unsaid or _list_unsaid_numbers(form, reading), reading)


def _list_unsaid_numbers(form: QuestionForm, reading: str) -> list[str]:
    """The numbers of a question that are in no node's name and that an answer does not say."""
    names = [m for m in form.mentions if any(isinstance(link.target, Node) for link in m.links)]
    said = set(_NUMBER.findall(reading))
    return [
        match.group()
        for match in _NUMBER.finditer(form.text)
        if match.group() not in said and not any(m.start <= match.start() < m.end for m in names)
    ]


def describe_unsaid(texts: Sequence[str], answer: str) -> str:
    """What a question says and an answer does not, for a note; empty where that is nothing."""
    if not texts:
        return ""
    words = " and ".join(dict.fromkeys(f"“{text}”" for text in texts[:2]))
    found = f", and what was found does not: {answer}" if answer else ""
    return f"the question says {words}{found}"
