"""Find verdict: yes or no, where a query asks whether something is so."""

from __future__ import annotations

from dataclasses import replace

from trellis.domain.graphs.graph import Node
from trellis.domain.replies.reply import Answer, Judgement, YesNo
from trellis.steps.describe.queries.read_meaning import read_meaning
from trellis.steps.ground.queries.run_queries import QueryRun


def find_verdict(run: QueryRun) -> YesNo | None:
    """What the one row of a query says that asks whether its pattern matches; None of others."""
    rows = run.rows.rows if run.rows else ()
    if len(rows) != 1 or len(rows[0]) != 1 or not isinstance(rows[0][0], bool):
        return None
    meaning = read_meaning(run.query)
    if meaning is None or not meaning.asks_whether:
        return None
    return "yes" if rows[0][0] else "no"


def name_verdict(judgement: Judgement, verdict: YesNo | None) -> Judgement:
    """The judgement with its answer, `true` or `false`, under the name of the verdict."""
    if verdict is None:
        return judgement
    return replace(
        judgement,
        answers=tuple(_name_answer(answer, verdict) for answer in judgement.answers),
        nearest=tuple(_name_answer(answer, verdict) for answer in judgement.nearest),
    )


def _name_answer(answer: Answer, verdict: YesNo) -> Answer:
    return replace(answer, node=Node("", verdict))
