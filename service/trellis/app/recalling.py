"""Gives a reply again while all that it depends on is the same."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable
from datetime import date
from typing import TYPE_CHECKING

from trellis.app.calibrations import read_calibration
from trellis.domain.limits.budget import Budget, count_waiting, measure_time_left
from trellis.domain.replies.question import Question
from trellis.domain.replies.reply import Reply
from trellis.methods.registry import AUTO, find_method

if TYPE_CHECKING:
    from trellis.app.trellis_app import TrellisApp

_WHOLE_TIME = 0.9
"""The share of the most time that a question may take, which a reply must have had to be kept."""


async def recall_answer(
    trellis_app: TrellisApp,
    question: Question,
    method: str | None,
    budget: Budget,
    find: Callable[[], Awaitable[Reply]],
) -> Reply:
    """The reply that was given before to the same question, else the one that `find` gives.

    The same: asked for with the same topics and limits, to be answered by the same models with the
    same calibrations, on the same day, of a graph to which nothing was committed since.
    """
    if trellis_app.answers is None:
        return await find()
    makers = await _list_makers(trellis_app, method)
    request = (question, budget.rows, budget.tokens, date.today(), *makers)
    most = trellis_app.settings.question_timeout
    return await trellis_app.answers.get(
        request,
        find,
        is_busy=count_waiting() > 0,
        may_keep=measure_time_left() > _WHOLE_TIME * most,
    )


async def _list_makers(trellis_app: TrellisApp, method: str | None) -> list[Hashable]:
    """The method that is named, or all, with their models and how sure they may be of these."""
    if method in (None, AUTO):
        states = await trellis_app.pipelines.describe_methods()
    else:
        states = [
            await trellis_app.pipelines.describe_method(find_method(trellis_app.methods, method))
        ]
    makers: list[Hashable] = [method or AUTO]
    for state in filter(lambda it: it.is_ready, states):
        source = await trellis_app.models.require_source(state.method.tasks[0].name)
        fitted = await read_calibration(source, state.method.name, trellis_app.store)
        makers += (state.method.name, *sorted(state.models.items()), repr(fitted))
    return makers
