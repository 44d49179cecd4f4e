"""The cases of a calibration: replies of a suite, and whether they are right by its gold."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trellis.domain.replies.reply import Answer, CandidateOutcome, Reply
from trellis.evaluation.answer_nodes import choose_key, list_right_keys
from trellis.evaluation.run import Outcome
from trellis.linking.text import report_key
from trellis.questions.row import QuestionRow


@dataclass(frozen=True, slots=True)
class CalibrationCase:
    """A reply that found something: whether it is right, and the features of its confidence."""

    features: Mapping[str, float]
    confidence: float
    right: bool  # its query's rows or first answer match gold, even if it abstained
    answered: bool  # it did not abstain
    candidates: tuple[tuple[float, bool], ...]  # probability, and whether all it reaches is gold


def collect_cases(outcomes: Sequence[Outcome]) -> list[CalibrationCase]:
    """The cases of outcomes that have gold and whose replies found something or ran a query."""
    return [
        _build_case(outcome, outcome.reply)
        for outcome in outcomes
        if outcome.reply
        and has_gold(outcome)
        and (_list_first_answers(outcome.reply) or outcome.reply.cypher)
    ]


def has_gold(outcome: Outcome) -> bool:
    """Whether the question has gold: answers, or a query whose rows were compared."""
    return outcome.gold.answers is not None or outcome.execution.match is not None


def is_answerable(outcome: Outcome) -> bool:
    """Whether the graph answers the question, by its gold."""
    return bool(outcome.gold.answers) or outcome.execution.match is not None


def _build_case(outcome: Outcome, reply: Reply) -> CalibrationCase:
    return CalibrationCase(
        features=reply.features,
        confidence=reply.confidence,
        right=is_right_reply(outcome, reply),
        answered=not reply.abstained,
        candidates=tuple(
            (math.exp(tried.score), right)
            for tried, right in zip(
                reply.candidates, _judge_candidates(outcome, reply), strict=True
            )
            if tried.answer_count is not None
        ),
    )


def is_right_reply(outcome: Outcome, reply: Reply) -> bool:
    """Whether the rows of its query match gold; if they were not compared, all its answers do, or
    of a reply without a query the first."""
    if outcome.execution.match is not None:
        return outcome.execution.match
    gold, first = _list_gold_keys(outcome), _list_first_answers(reply)
    found = [report_key(choose_key(outcome.gold, answer.node)) for answer in first]
    if reply.cypher:  # a query gives all answers; of those held back, only the first are known
        return set(found) == gold if reply.answers or not found else set(found) <= gold
    return found[0] in gold if found else not gold


def _judge_candidates(outcome: Outcome, reply: Reply) -> Sequence[bool]:
    """Whether each candidate is right: by its rows if they were compared, else by its nodes."""
    if outcome.execution.matches:
        return outcome.execution.matches
    gold = _list_gold_keys(outcome)
    return [_finds_only_gold(outcome.gold, tried, gold) for tried in reply.candidates]


def _list_gold_keys(outcome: Outcome) -> set[str]:
    return set(map(report_key, list_right_keys(outcome.gold)))


def _list_first_answers(reply: Reply) -> tuple[Answer, ...]:
    """The answers of the reply; if it abstained, those it would have given."""
    return reply.answers or reply.nearest


def _finds_only_gold(asked: QuestionRow, tried: CandidateOutcome, gold: set[str]) -> bool:
    return bool(tried.first_nodes) and all(
        report_key(choose_key(asked, node)) in gold for node in tried.first_nodes
    )
