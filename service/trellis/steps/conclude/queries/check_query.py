"""Check a query: why the one that is believed does not answer the question, and what it leaves out.

Each reason is a text for a note, which says what was asked and what was found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trellis.automata.cypher.meaning.query import QueryGraph
from trellis.domain.graphs.graph import Node
from trellis.domain.ports import Queries
from trellis.steps.align.answer_types.asked_kind import explain_no_time
from trellis.steps.align.answer_types.asked_one import FoundAnswers
from trellis.steps.align.queries.answer_kinds import explain_other_answer
from trellis.steps.align.queries.held_back import explain_held_back, explain_named_again
from trellis.steps.align.queries.held_in_time import explain_query_not_held
from trellis.steps.align.unshown_properties import find_unread_properties, note_unshown
from trellis.steps.conclude.queries.check_values import (
    find_foreign_units,
    find_ties,
    find_unknown_values,
)
from trellis.steps.describe.queries.read_meaning import QueryMeaning
from trellis.steps.ground.queries.answer_cells import list_answers
from trellis.steps.ground.queries.run_queries import QueryRun
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.link.second_question import note_second_question


@dataclass(frozen=True, slots=True)
class BelievedQuery:
    """The query that is believed to answer a question, and what it gave.

    `meaning`: None where it cannot be read. `reading`: what it asks for, in plain English; empty
    where that is not known.
    """

    form: QuestionForm
    run: QueryRun
    meaning: QueryMeaning | None
    reading: str

    @property
    def first(self) -> Sequence[Node]:
        """Up to two of its answers."""
        return list_answers(self.run.rows, self.form.schema, 2) if self.run.rows else ()

    @property
    def graph(self) -> QueryGraph | None:
        """The query's pattern and what it gives of it, where it can be read."""
        return self.meaning.graph if self.meaning else None


@dataclass(frozen=True, slots=True)
class CheckedQuery:
    """`reason`: why the query is no answer; empty where it is one. `found_other`: whether that is
    because it gives something else than was asked for. `unread`: the properties that the question
    names and the query leaves out."""

    reason: str
    found_other: bool
    unread: tuple[str, ...]
    notes: tuple[str, ...]


async def check_query(
    believed: BelievedQuery, queries: Queries, *, is_general: bool
) -> CheckedQuery:
    """Compare what a query asks for and gave with the question.

    `is_general`: whether nobody trained the model for the graph; what its query leaves out is then
    a reason, and no note alone.
    """
    other = _explain_other(believed)
    reason = (
        find_foreign_units(believed.form, believed.meaning)
        or await find_unknown_values(queries, believed.meaning)
        or _explain_misfit(believed)
        or other
    )
    unread = find_unread_properties(believed.form, believed.graph)
    unsaid = note_unshown(unread)
    if is_general:
        reason = reason or unsaid
    told = _note_second(believed) or ("" if reason == unsaid else unsaid)
    ties = await find_ties(queries, believed.run, believed.meaning)
    notes = tuple(note for note in (ties, told) if note)
    return CheckedQuery(reason, bool(reason) and reason == other, unread, notes)


def _explain_other(believed: BelievedQuery) -> str:
    """Why what a query gives is something else than what is asked for."""
    form, first, reading = believed.form, believed.first, believed.reading
    named = explain_named_again(form.mentions, believed.meaning, first, reading)
    return (
        named
        or explain_no_time(form, first[:1], reading)
        or explain_other_answer(form, believed.meaning, reading)
    )


def _explain_misfit(believed: BelievedQuery) -> str:
    """Why what a query says does not fit the question."""
    rows = believed.run.rows
    found = FoundAnswers(len(rows.rows) if rows else 0, believed.reading)
    misfit = explain_held_back(believed.form, believed.meaning, found)
    return misfit or explain_query_not_held(believed.form, believed.meaning)


def _note_second(believed: BelievedQuery) -> str:
    """That a question asks for two things, where its query gives one."""
    is_single = believed.graph is not None and len(believed.graph.items) == 1
    return note_second_question(believed.form.text) if is_single else ""
