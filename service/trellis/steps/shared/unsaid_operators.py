"""Unsaid operators: what a question says by `not`, `or`, `more than` and an answer does not.

An answer that leaves such a word out answers another question, however sure the model is of it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from trellis.domain.graph import Node
from trellis.domain.links import Link, Mention
from trellis.linking.operators import (
    OperatorKind,
    QuestionOperator,
    find_operators,
    has_aggregate,
    has_superlative,
)
from trellis.linking.spans import Span


def find_unsaid_operators(
    question: str, mentions: Sequence[Mention], said: Collection[OperatorKind]
) -> tuple[QuestionOperator, ...]:
    """The operators of a question that an answer does not say; `said`: those that it does."""
    operators = find_operators(question, find_name_spans(mentions))
    return tuple(each for each in operators if each.kind not in said)


def explain_unsaid_by_relations(question: str, mentions: Sequence[Mention], reading: str) -> str:
    """Why an answer by relations alone is held back, for a note; empty where it is not.

    `reading`: what the answer says. The only operators that relations say are those of their names:
    `has highest point`.
    """
    says: dict[OperatorKind, bool] = {
        "superlative": has_superlative(reading),
        "aggregate": has_aggregate(reading),
    }
    said = [kind for kind, is_said in says.items() if is_said]
    unsaid = find_unsaid_operators(question, mentions, said)
    return describe_unsaid_operators(unsaid, reading) if unsaid else ""


def find_name_spans(mentions: Sequence[Mention]) -> list[Span]:
    """The spans of a question that are names, and say no operator."""
    return [Span(m.start, m.end) for m in mentions if any(map(_is_name, m.links))]


def _is_name(link: Link) -> bool:
    """Whether a link is to a node or a text; a number or a day is none, wherever it is stored."""
    if isinstance(link.target, Node):
        return True
    return isinstance(link.target.value, str) and link.how not in ("date", "time")


def describe_unsaid_operators(operators: Sequence[QuestionOperator], answer: str) -> str:
    """Why an answer is held back, for a note; `answer`: what it would have said."""
    words = " and ".join(dict.fromkeys(f"“{operator.text}”" for operator in operators[:2]))
    found = f", and what was found does not: {answer}" if answer else ""
    return f"the question says {words}{found}"
