"""The report: figures over a suite, and the outcome of every question."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from trellis.domain.replies.claims import ClaimReply
from trellis.evaluation.answer_nodes import choose_key, list_right_keys
from trellis.evaluation.calibration import calibration_error
from trellis.evaluation.calibration_cases import (
    collect_cases,
    has_gold,
    is_answerable,
    is_right_reply,
)
from trellis.evaluation.metrics import WRONG, AnswerMetrics, mean, percentile, score_answers
from trellis.evaluation.run import Outcome
from trellis.questions.writing import write_whole
from trellis.wire.evidence import list_statements

Report = dict[str, Any]


def build_report(
    method: str, outcomes: Sequence[Outcome], alone: Mapping[str, Sequence[Outcome]] | None = None
) -> Report:
    """The body of `report.json`; `alone`: the outcomes of other methods by themselves, which
    are reported beside those of `auto`.

    Figures that need gold are means over the questions that have it, and null if none has. Errors
    count as wrong. `executable` is null if no query was written. `steps`: seconds of each step over
    the replies that have it.
    """
    taken = _collect_step_seconds(outcomes)
    return {
        "method": method,
        "n": len(outcomes),
        **_average_metrics(outcomes),
        "coverage": mean([float(_is_answered(it)) for it in outcomes]),
        "faithful": mean([float(is_true) for it in outcomes for is_true in it.faithful]),
        "well_formed": mean([float(is_read) for it in outcomes for is_read in it.well_formed]),
        "executable": mean([float(has_run) for it in outcomes for has_run in it.execution.runs]),
        **_average_execution(outcomes),
        **_average_verdicts(outcomes),
        "calibration": _measure_calibration(outcomes),
        **_describe_choices(outcomes, alone or {}),
        "errors": sum(it.error is not None for it in outcomes),
        "seconds_per_question": _summarise_seconds([it.seconds for it in outcomes]),
        "steps": {name: _summarise_seconds(seconds) for name, seconds in taken.items()},
        "share_of_steps": _compute_step_shares(taken),
        "questions": [describe_outcome(it) for it in outcomes],
    }


def _describe_choices(
    outcomes: Sequence[Outcome], alone: Mapping[str, Sequence[Outcome]]
) -> dict[str, Any]:
    """`choice`, where methods were chosen among: how many replies are of each method, and how many
    methods were asked for one (`asked`, mean).

    `alone`: the outcomes of each method by itself, question by question; with them `right` is the
    share of questions answered right by `auto`, by each method, and by the best for each question
    (`oracle`), and `p50` are the seconds of each.
    """
    choices = [it.reply.choice for it in outcomes if it.reply and it.reply.choice]
    if not choices:
        return {}
    body: dict[str, Any] = {
        "methods": dict(Counter(it.reply.method for it in outcomes if it.reply)),
        "asked": mean([float(len(choice.opinions)) for choice in choices]),
    }
    if not alone:
        return {"choice": body}
    runs = {"auto": outcomes, **alone}
    right = {name: [_is_answered_right(it) for it in run] for name, run in runs.items()}
    best = [any(each) for each in zip(*(right[name] for name in alone), strict=True)]
    gold = [number for number, it in enumerate(outcomes) if has_gold(it)]
    body["right"] = {
        name: mean([float(flags[number]) for number in gold])
        for name, flags in {**right, "oracle": best}.items()
    }
    body["p50"] = {name: percentile([it.seconds for it in run], 0.5) for name, run in runs.items()}
    return {"choice": body}


def _is_answered_right(outcome: Outcome) -> bool:
    """Whether a reply claims something, and this is right."""
    reply = outcome.reply
    return reply is not None and not reply.abstained and is_right_reply(outcome, reply)


def write_report(body: Report, path: Path) -> None:
    """Write the report whole or not at all; ServiceError if it cannot be written."""
    text = json.dumps(body, ensure_ascii=False, indent=1) + "\n"
    write_whole(text, path)


def _average_metrics(outcomes: Sequence[Outcome]) -> dict[str, float | None]:
    scores = [_score_outcome(outcome) for outcome in outcomes if outcome.gold.answers is not None]
    return {
        field.name: mean([getattr(score, field.name) for score in scores])
        for field in fields(AnswerMetrics)
    }


def _average_execution(outcomes: Sequence[Outcome]) -> dict[str, float | None]:
    """`execution_match` over the questions that have a gold query; left out if none has."""
    matches = [it.execution.match for it in outcomes if it.execution.match is not None]
    return {"execution_match": mean(list(map(float, matches)))} if matches else {}


def _average_verdicts(outcomes: Sequence[Outcome]) -> dict[str, float | None]:
    """`accuracy` over the claims that have a label; left out if none has."""
    labelled = [it for it in outcomes if it.gold.claim and it.gold.label is not None]
    right = [float(bool(it.claim and it.claim.verdict == it.gold.label)) for it in labelled]
    return {"accuracy": mean(right)} if labelled else {}


def _score_outcome(outcome: Outcome) -> AnswerMetrics:
    if outcome.reply is None:
        return WRONG
    given = [choose_key(outcome.gold, answer.node) for answer in outcome.reply.answers]
    return score_answers(given, list_right_keys(outcome.gold))


def _is_answered(outcome: Outcome) -> bool:
    if outcome.claim:
        return True
    return outcome.reply is not None and bool(outcome.reply.answers)


def _measure_calibration(outcomes: Sequence[Outcome]) -> dict[str, float | None]:
    """How far the confidence can be trusted, over the questions that have gold.

    `ece`: expected calibration error (15 bins) of the confidence that the first answer or the
    query's rows are right, replies that abstain included. `precision`: the share of given answers
    that are right; `recall`: the right ones as a share of the answerable questions. `refused`: the
    share of unanswerable questions that were not answered.
    """
    seen, asked = collect_cases(outcomes), [it for it in outcomes if has_gold(it)]
    right = np.array([case.right for case in seen])
    confidences = np.array([case.confidence for case in seen])
    given = [float(case.right) for case in seen if case.answered]
    refusals = [float(not _is_answered(it)) for it in asked if not is_answerable(it)]
    findable = len(asked) - len(refusals)
    return {
        "ece": calibration_error(confidences, right) if seen else None,
        "precision": mean(given),
        "recall": sum(given) / findable if findable else None,
        "refused": mean(refusals),
    }


def _summarise_seconds(seconds: Sequence[float]) -> dict[str, float | None]:
    return {
        "mean": mean(seconds),
        "p50": percentile(seconds, 0.5),
        "p95": percentile(seconds, 0.95),
    }


def _collect_step_seconds(outcomes: Sequence[Outcome]) -> dict[str, list[float]]:
    """The seconds of each step, a list with one item a reply; steps in the order they first ran."""
    by_step: dict[str, list[float]] = {}
    for outcome in outcomes:
        sums: dict[str, float] = {}
        told = outcome.reply or outcome.claim
        for step in told.steps if told else ():
            sums[step.name] = sums.get(step.name, 0.0) + step.seconds
        for name, seconds in sums.items():
            by_step.setdefault(name, []).append(seconds)
    return by_step


def _compute_step_shares(taken: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """The share of the time that each step took, over all questions."""
    sums = {name: sum(seconds) for name, seconds in taken.items()}
    total = sum(sums.values()) or 1.0
    return {name: seconds / total for name, seconds in sums.items()}


def describe_outcome(outcome: Outcome) -> dict[str, Any]:
    """The entry of one question or claim, complete with or without gold."""
    reply = outcome.reply
    if outcome.claim:
        return _describe_claim(outcome, outcome.claim)
    answers = reply.answers if reply else ()
    body: dict[str, Any] = {
        "id": outcome.gold.id,
        "answers": [answer.node.name for answer in answers],
        "scores": [answer.score for answer in answers],
        "ids": [answer.node.id for answer in answers],
        "evidence": list(map(list, list_statements(reply.statements()))) if reply else [],
        "seconds": outcome.seconds,
        "confidence": reply.confidence if reply else 0.0,
        "signs": dict(reply.features) if reply else {},
    }
    if reply and reply.reading:
        body["reading"] = reply.reading
    if reply and reply.verdict:
        body["verdict"] = reply.verdict
    if reply and reply.count is not None:
        body["count"] = reply.count
    if reply and reply.nearest:
        body["nearest"] = [answer.node.name for answer in reply.nearest]
    if reply and reply.choice:
        body["chosen"] = reply.method
        body["asked"] = [opinion.method for opinion in reply.choice.opinions]
    if reply and reply.cypher:
        body |= {"cypher": reply.cypher, "params": dict(reply.params)}
    if outcome.execution.match is not None:
        body["execution_match"] = outcome.execution.match
    if reply and reply.notes:
        body["notes"] = list(reply.notes)
    if outcome.error is not None:
        body["error"] = outcome.error
    return body


def _describe_claim(outcome: Outcome, reply: ClaimReply) -> dict[str, Any]:
    """The entry of one claim."""
    body: dict[str, Any] = {
        "id": outcome.gold.id,
        "answers": [],
        "scores": [],
        "ids": [],
        "verdict": reply.verdict,
        "confidence": reply.confidence,
        "evidence": [[t.head.name, t.relation, t.tail.name] for t in reply.evidence],
        "reading": reply.reading,
        "seconds": outcome.seconds,
    }
    return body | ({"notes": list(reply.notes)} if reply.notes else {})
