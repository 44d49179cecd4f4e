"""`POST /v1/cypher/explain` and `/v1/cypher/run`: the client's own Cypher, behind the gate."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fastapi import APIRouter, Request

from trellis.api import examples
from trellis.api.deps import Desk, DeskDep, HouseDep
from trellis.api.problems import documented
from trellis.api.work import unless_left
from trellis.domain.budget import in_time
from trellis.domain.errors import TrellisError
from trellis.domain.events import entering
from trellis.graph.gate.parameters import DEEPEST
from trellis.logs import asked as private
from trellis.wire.cypher import Explained, Ran, ToCypher

router = APIRouter(prefix="/v1/cypher", tags=["cypher"])


@router.post(
    "/explain",
    response_model=Explained,
    summary="Whether a query may run, and its plan",
    responses={**documented(400, 413, 422, 429, 503, 504), 200: examples.EXPLAINED},
)
async def explain(asked: ToCypher, request: Request, house: HouseDep, desk: DeskDep) -> Explained:
    """The gate's verdict; a refusal is a verdict, not an error. The query is not run."""
    private(asked.query, *texts_in(asked.params))
    with counted(desk, "explain") as outcome:
        async with in_time(house.budget().seconds), desk.turns.turn():
            entering("explain")
            verdict = await unless_left(request, house.queries.explain(asked.asked()))
        outcome.append("allowed" if verdict.allowed else "refused")
    return Explained.of(verdict)


@router.post(
    "/run",
    response_model=Ran,
    summary="Run a query that only reads",
    responses={**documented(400, 403, 413, 422, 429, 503, 504), 200: examples.RAN},
)
async def run(asked: ToCypher, request: Request, house: HouseDep, desk: DeskDep) -> Ran:
    """The query's rows, read in a transaction that cannot write.

    The query ends when the client leaves.
    """
    private(asked.query, *texts_in(asked.params))
    with counted(desk, "run") as outcome:
        async with in_time(house.budget().seconds), desk.turns.turn():
            entering("run")
            rows = await unless_left(request, house.queries.run(asked.asked()))
        outcome.append("cut" if rows.cut else "whole")
    return Ran.of(rows)


@contextmanager
def counted(desk: Desk, what: str) -> Iterator[list[str]]:
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
        desk.metrics.cypher.labels(what, outcome[0] if outcome else "failed").inc()


def texts_in(value: Any, depth: int = DEEPEST) -> Iterator[str]:
    """The texts within a parameter, to keep them out of the log.

    The gate refuses values nested deeper than `depth`.
    """
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list) and depth >= 0:
        for one in value.values() if isinstance(value, dict) else value:
            yield from texts_in(one, depth - 1)
