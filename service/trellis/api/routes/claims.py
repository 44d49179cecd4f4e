"""`POST /v1/claims`: verifies a claim against the graph."""

from __future__ import annotations

import time
import uuid
from datetime import UTC, datetime

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from trellis.access.audit import note_query, note_rows
from trellis.access.callers import Caller
from trellis.api.deps import AppDep, CallerDep, GraphRuntime, RuntimeDep
from trellis.api.description import examples
from trellis.api.middleware.problems import document_errors
from trellis.app.trellis_app import TrellisApp
from trellis.domain.errors import StoreError
from trellis.domain.limits.budget import limit_time
from trellis.http.disconnects import run_unless_client_leaves
from trellis.logs import log
from trellis.logs import set_private_texts as private
from trellis.wire.claims import ClaimBody, ClaimRequest

router = APIRouter(prefix="/v1", tags=["claims"])


@router.post(
    "/claims",
    response_model=ClaimBody,
    operation_id="verify_claim",
    summary="Verify a claim against the graph",
    responses={
        **document_errors(400, 409, 413, 415, 422, 429, 502, 503, 504),
        200: examples.VERIFIED,
    },
)
async def verify(
    asked: ClaimRequest,
    request: Request,
    trellis_app: AppDep,
    runtime: RuntimeDep,
    caller: CallerDep,
) -> Response:
    """`supported`, `refuted` or `not_enough_evidence`, with the facts for or against."""
    private(asked.claim)
    note_query(asked.claim)
    body = await run_unless_client_leaves(
        request, _verify_claim(asked, trellis_app, runtime, caller)
    )
    note_rows(len(body.evidence))
    return JSONResponse(body.model_dump(mode="json", exclude_none=True))


async def _verify_claim(
    asked: ClaimRequest, trellis_app: TrellisApp, runtime: GraphRuntime, caller: Caller
) -> ClaimBody:
    """Verify the claim within a question's budget, which includes waiting, and keep the verdict."""
    claim = trellis_app.make_claim(asked.claim)
    budget = trellis_app.make_budget()
    asked_at, began = datetime.now(UTC), time.perf_counter()
    async with limit_time(budget.seconds), runtime.turns.acquire():
        reply = await trellis_app.verify(claim, budget)
    seconds = time.perf_counter() - began
    log.info(
        "claim",
        verdict=reply.verdict,
        confidence=round(reply.confidence, 3),
        ms={step.name: round(step.seconds * 1000, 1) for step in reply.steps},
    )
    body = ClaimBody.of(str(uuid.uuid4()), reply).model_copy(update={"asked_at": asked_at})
    kept = body.model_dump(mode="json", exclude_none=True)
    try:
        await trellis_app.store.save_answer(
            body.id, claim, "claims", seconds, kept, caller.id, asked_at=asked_at
        )
    except StoreError as error:
        return body.model_copy(update={"notes": [*body.notes, f"not kept: {error.problem}"]})
    return body
