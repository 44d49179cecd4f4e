"""The report: figures over a suite, and what every question came to."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from trellis.domain.errors import ServiceError
from trellis.domain.reasons import with_reason
from trellis.domain.reply import Reply
from trellis.evaluation.calibration import answerable, calibration_error, cases, judged
from trellis.evaluation.metrics import WRONG, Marks, marks, mean, percentile
from trellis.evaluation.run import Outcome

Report = dict[str, Any]


def report(method: str, outcomes: Sequence[Outcome]) -> Report:
    """`report.json`. Figures that need gold are means over the questions that have it; null
    where none has. Errors count as wrong. `executable` is null where no query was written.
    `steps`: seconds of each step, over the replies that came to it."""
    taken = _taken(outcomes)
    return {
        "method": method,
        "n": len(outcomes),
        **_correctness(outcomes),
        "coverage": mean([float(_answered(one)) for one in outcomes]),
        "faithful": mean([float(held) for one in outcomes for held in one.faithful]),
        "well_formed": mean([float(read) for one in outcomes for read in one.well_formed]),
        "executable": mean([float(ran) for one in outcomes for ran in one.executed.ran]),
        **_execution(outcomes),
        "calibration": _calibration(outcomes),
        "errors": sum(one.error is not None for one in outcomes),
        "seconds_per_question": _spread([one.seconds for one in outcomes]),
        "steps": {name: _spread(seconds) for name, seconds in taken.items()},
        "share_of_steps": _shares(taken),
        "questions": [_question(one) for one in outcomes],
    }


def write(body: Report, path: Path) -> None:
    """Write the report whole or not at all."""
    part = path.with_name(f".{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(json.dumps(body, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        part.replace(path)
    except OSError as error:
        problem = with_reason(f"{path} cannot be written", error)
        raise ServiceError(problem, "name another --out") from error


def _correctness(outcomes: Sequence[Outcome]) -> dict[str, float | None]:
    judged = [_marks(one) for one in outcomes if one.gold.answers is not None]
    return {
        field.name: mean([getattr(one, field.name) for one in judged]) for field in fields(Marks)
    }


def _execution(outcomes: Sequence[Outcome]) -> dict[str, float | None]:
    """`execution_match` over the questions that have a gold query; left out where none has."""
    judged = [float(one.executed.match) for one in outcomes if one.executed.match is not None]
    return {"execution_match": mean(judged)} if judged else {}


def _marks(outcome: Outcome) -> Marks:
    if outcome.reply is None:
        return WRONG
    return marks(_names(outcome.reply), outcome.gold.answers or ())


def _answered(outcome: Outcome) -> bool:
    return outcome.reply is not None and bool(outcome.reply.answers)


def _calibration(outcomes: Sequence[Outcome]) -> dict[str, float | None]:
    """How far the confidence can be believed, where gold is known.

    `ece`: expected calibration error (15 bins) of the confidence that the first answer, or what the
    query gives, given or held back, is right. `precision`: the share of those given that are;
    `recall`: those of all questions that have an answer. `refused`: the share of the others not
    answered.
    """
    seen, asked = cases(outcomes), [one for one in outcomes if judged(one)]
    sure = np.array([case.confidence for case in seen])
    given = [float(case.right) for case in seen if case.given]
    idle = [float(not _answered(one)) for one in asked if not answerable(one)]
    open_ = len(asked) - len(idle)
    return {
        "ece": calibration_error(sure, np.array([case.right for case in seen])) if seen else None,
        "precision": mean(given),
        "recall": sum(given) / open_ if open_ else None,
        "refused": mean(idle),
    }


def _names(reply: Reply) -> list[str]:
    return [answer.node.name for answer in reply.answers]


def _spread(seconds: Sequence[float]) -> dict[str, float | None]:
    return {
        "mean": mean(seconds),
        "p50": percentile(seconds, 0.5),
        "p95": percentile(seconds, 0.95),
    }


def _taken(outcomes: Sequence[Outcome]) -> dict[str, list[float]]:
    """The seconds of each step, one a reply, in the order in which steps were come to."""
    taken: dict[str, list[float]] = {}
    for one in outcomes:
        spent: dict[str, float] = {}
        for step in one.reply.steps if one.reply else ():
            spent[step.name] = spent.get(step.name, 0.0) + step.seconds
        for name, seconds in spent.items():
            taken.setdefault(name, []).append(seconds)
    return taken


def _shares(taken: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """The share of the time that each step took, over all questions."""
    spent = {name: sum(seconds) for name, seconds in taken.items()}
    total = sum(spent.values()) or 1.0
    return {name: seconds / total for name, seconds in spent.items()}


def _question(outcome: Outcome) -> dict[str, Any]:
    """The part of one question: always complete, with or without gold."""
    reply = outcome.reply
    body: dict[str, Any] = {
        "id": outcome.gold.id,
        "answers": _names(reply) if reply else [],
        "scores": [answer.score for answer in reply.answers] if reply else [],
        "ids": [answer.node.id for answer in reply.answers] if reply else [],
        "evidence": [[t.head.name, t.relation, t.tail.name] for t in reply.triples()]
        if reply
        else [],
        "seconds": outcome.seconds,
        "confidence": reply.confidence if reply else 0.0,
        "signs": dict(reply.signs) if reply else {},
    }
    if reply and reply.count is not None:
        body["count"] = reply.count
    if reply and reply.nearest:
        body["nearest"] = [answer.node.name for answer in reply.nearest]
    if reply and reply.cypher:
        body |= {"cypher": reply.cypher, "params": dict(reply.params)}
    if outcome.executed.match is not None:
        body["execution_match"] = outcome.executed.match
    if reply and reply.notes:
        body["notes"] = list(reply.notes)
    if outcome.error is not None:
        body["error"] = outcome.error
    return body
