"""Compares a report with an earlier one: which of the same questions got worse."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trellis.domain.errors import FileFormatError
from trellis.domain.reasons import with_reason
from trellis.evaluation.answer_nodes import list_right_keys
from trellis.evaluation.metrics import score_answers
from trellis.evaluation.report import Report
from trellis.questions.row import QuestionRow

_REMEDY = "give the report of an earlier `trellis evaluate` over the same file"
_LEAST = 1e-9


@dataclass(frozen=True, slots=True)
class ChangedQuestion:
    """One question whose answers got worse or better by their F1; claims by their verdict."""

    id: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    gold: tuple[str, ...]

    def describe_change(self) -> str:
        """What was answered, what is, and what is right, on one line."""
        texts = (", ".join(names) or "nothing" for names in (self.before, self.after, self.gold))
        return "{}: was {}; is {}; right is {}".format(self.id, *texts)


@dataclass(frozen=True, slots=True)
class ReportComparison:
    """How two reports differ over the questions that are in both and have gold."""

    compared: int
    worse: tuple[ChangedQuestion, ...]
    better: tuple[ChangedQuestion, ...]


def read_report(path: Path) -> Report:
    """An earlier report; FileFormatError where it is none."""
    try:
        body = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise FileFormatError(with_reason(f"{path} cannot be read", error), _REMEDY) from error
    questions = body.get("questions") if isinstance(body, dict) else None
    if not isinstance(questions, list) or not all(map(_is_entry, questions)):
        raise FileFormatError(f"{path} is no report", _REMEDY)
    report: Report = body
    return report


def compare_reports(gold: Sequence[QuestionRow], old: Report, new: Report) -> ReportComparison:
    """How the answers changed; FileFormatError where no question is in both reports."""
    before, after = _index_entries(old), _index_entries(new)
    worse: list[ChangedQuestion] = []
    better: list[ChangedQuestion] = []
    compared = 0
    for row in gold:
        right = _list_gold(row)
        if right is None or row.id not in before or row.id not in after:
            continue
        compared += 1
        first, second = before[row.id], after[row.id]
        changed = ChangedQuestion(row.id, _list_given(row, first), _list_given(row, second), right)
        scores = _score(row, first), _score(row, second)
        if scores[1] < scores[0] - _LEAST:
            worse.append(changed)
        elif scores[1] > scores[0] + _LEAST:
            better.append(changed)
    if not compared:
        raise FileFormatError("the reports share no question whose right answer is known", _REMEDY)
    return ReportComparison(compared, tuple(worse), tuple(better))


def _is_entry(entry: Any) -> bool:
    answers = entry.get("answers") if isinstance(entry, dict) else None
    return isinstance(answers, list) and isinstance(entry.get("id"), str)


def _index_entries(report: Report) -> Mapping[str, Mapping[str, Any]]:
    return {entry["id"]: entry for entry in report["questions"]}


def _list_gold(row: QuestionRow) -> tuple[str, ...] | None:
    """What is right; None where that is not known."""
    if row.claim:
        return None if row.label is None else (str(row.label),)
    return row.answers


def _list_given(row: QuestionRow, entry: Mapping[str, Any]) -> tuple[str, ...]:
    if row.claim:
        return (str(entry["verdict"]),) if entry.get("verdict") else ()
    return tuple(map(str, entry["answers"]))


def _score(row: QuestionRow, entry: Mapping[str, Any]) -> float:
    """The F1 of one question's answers; an error is wrong, also where nothing is right."""
    if entry.get("error") is not None:
        return 0.0
    if row.answer_nodes is not None:
        return score_answers(list(map(str, entry.get("ids", ()))), list_right_keys(row)).f1
    return score_answers(_list_given(row, entry), _list_gold(row) or ()).f1
