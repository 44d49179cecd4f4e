"""Unsaid operators: `not`, `or`, `more than` and numbers that a question says, an answer does not.

An answer that leaves such a word out answers another question, however sure the model is of it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from trellis.domain.graph import Node
from trellis.domain.links import Link, Mention
from trellis.linking.operators import (
    OperatorKind,
    QuestionOperator,
    find_operators,
    has_aggregate,
    has_comparison,
    has_superlative,
)
from trellis.linking.spans import Span

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


def find_unsaid_operators(
    question: str, mentions: Sequence[Mention], said: Collection[OperatorKind]
) -> tuple[QuestionOperator, ...]:
    """The operators of a question that an answer does not say; `said`: those that it does."""
    operators = find_operators(question, find_name_spans(mentions))
    return tuple(each for each in operators if each.kind not in said)


def explain_unsaid_by_relations(question: str, mentions: Sequence[Mention], reading: str) -> str:
    """Why an answer by relations alone is held back, for a note; empty where it is not.

    `reading`: what the answer says. The only operators that relations say are those of their names:
    `has highest point`, `older than`; the only numbers, those of nodes.
    """
    says: dict[OperatorKind, bool] = {
        "comparison": has_comparison(reading),
        "superlative": has_superlative(reading),
        "aggregate": has_aggregate(reading),
    }
    said = [kind for kind, is_said in says.items() if is_said]
    unsaid = [each.text for each in find_unsaid_operators(question, mentions, said)]
    return describe_unsaid(unsaid or _list_unsaid_numbers(question, mentions, reading), reading)


def _list_unsaid_numbers(question: str, mentions: Sequence[Mention], reading: str) -> list[str]:
    """The numbers of a question that are in no node's name and that an answer does not say."""
    names = [m for m in mentions if any(isinstance(link.target, Node) for link in m.links)]
    said = set(_NUMBER.findall(reading))
    return [
        match.group()
        for match in _NUMBER.finditer(question)
        if match.group() not in said and not any(m.start <= match.start() < m.end for m in names)
    ]


def find_name_spans(mentions: Sequence[Mention]) -> list[Span]:
    """The spans of a question that are names, and say no operator."""
    return [Span(m.start, m.end) for m in mentions if any(map(_is_name, m.links))]


def _is_name(link: Link) -> bool:
    """Whether a link is to a node or a text; a number or a day is none, wherever it is stored."""
    if isinstance(link.target, Node):
        return True
    return isinstance(link.target.value, str) and link.how not in ("date", "time")


def describe_unsaid(texts: Sequence[str], answer: str) -> str:
    """What a question says and an answer does not, for a note; empty where that is nothing."""
    if not texts:
        return ""
    words = " and ".join(dict.fromkeys(f"“{text}”" for text in texts[:2]))
    found = f", and what was found does not: {answer}" if answer else ""
    return f"the question says {words}{found}"
