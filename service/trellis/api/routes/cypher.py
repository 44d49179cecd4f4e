"""`POST /v1/cypher/explain` and `/v1/cypher/run`: the client's own Cypher, behind the gate."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fastapi import APIRouter, Request

from trellis.access.audit import note_query, note_rows
from trellis.api.deps import AppDep, CallerDep, GraphRuntime, RuntimeDep, SpendingDep
from trellis.api.description import examples
from trellis.api.middleware.problems import document_errors
from trellis.domain.errors import RefusedQueryError, TrellisError
from trellis.domain.limits.budget import limit_time
from trellis.domain.limits.many_rows import work_through_rows
from trellis.domain.replies.events import enter_step
from trellis.domain.structures.cypher import QueryLimits
from trellis.graph.gate.parameters import DEEPEST
from trellis.http.disconnects import run_unless_client_leaves
from trellis.logs import set_private_texts as private
from trellis.wire.cypher import CypherRequest, ExplanationBody, RowsBody

router = APIRouter(prefix="/v1/cypher", tags=["cypher"])


@router.post(
    "/explain",
    response_model=ExplanationBody,
    operation_id="explain_query",
    summary="Whether a query may run, and its plan",
    responses={**document_errors(400, 413, 415, 422, 429, 503, 504), 200: examples.EXPLAINED},
)
async def explain(
    asked: CypherRequest,
    request: Request,
    caller: CallerDep,
    spending: SpendingDep,
    trellis_app: AppDep,
    runtime: RuntimeDep,
) -> ExplanationBody:
    """The gate's verdict; a refusal is a verdict, not an error. The query is not run."""
    private(asked.query, *iterate_texts(asked.params))
    note_query(asked.query)
    with count_outcome(runtime, "explain") as outcome:
        if refused := trellis_app.queries.judge_text(asked.to_query()):
            outcome.append("refused")
            return ExplanationBody.of(refused)
        async with limit_time(trellis_app.make_budget().seconds), runtime.query_turns.acquire():
            enter_step("explain")
            with spending.spend(caller):
                verdict = await run_unless_client_leaves(
                    request, trellis_app.queries.explain(asked.to_query())
                )
        outcome.append("allowed" if verdict.is_allowed else "refused")
    return ExplanationBody.of(verdict)


@router.post(
    "/run",
    response_model=RowsBody,
    operation_id="run_query",
    summary="Run a query that only reads",
    responses={**document_errors(400, 403, 413, 415, 422, 429, 503, 504), 200: examples.RAN},
)
async def run(
    asked: CypherRequest,
    request: Request,
    caller: CallerDep,
    spending: SpendingDep,
    trellis_app: AppDep,
    runtime: RuntimeDep,
) -> RowsBody:
    """The query's rows, read in a transaction that cannot write.

    The query ends when the client leaves. One whose text is refused waits for no turn.
    """
    private(asked.query, *iterate_texts(asked.params))
    note_query(asked.query)
    with count_outcome(runtime, "run") as outcome:
        if refused := trellis_app.queries.judge_text(asked.to_query()):
            raise RefusedQueryError(refused.reason, refused.remedy)
        async with limit_time(trellis_app.make_budget().seconds), runtime.query_turns.acquire():
            enter_step("run")
            with spending.spend(caller) as seconds:
                running = trellis_app.queries.run(asked.to_query(), QueryLimits(seconds=seconds))
                rows = await run_unless_client_leaves(request, running)
        note_rows(len(rows.rows))
        outcome.append("cut" if rows.cut else "whole")
    return await work_through_rows(len(rows.rows), RowsBody.of, rows)


@contextmanager
def count_outcome(runtime: GraphRuntime, operation: str) -> Iterator[list[str]]:
    """Count how an operation ends: the text put into the list, or the name of the error."""
    outcome: list[str] = []
    try:
        yield outcome
    except TrellisError as error:
        outcome.append(type(error).__name__)
        raise
    except asyncio.CancelledError:
        outcome.append("left")
        raise
    finally:
        runtime.metrics.count_cypher(operation, outcome[0] if outcome else "failed")


def iterate_texts(value: Any, depth: int = DEEPEST) -> Iterator[str]:
    """The texts within a parameter, to keep them out of the log.

    The gate refuses values nested deeper than `depth`.
    """
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list) and depth >= 0:
        for item in value.values() if isinstance(value, dict) else value:
            yield from iterate_texts(item, depth - 1)
