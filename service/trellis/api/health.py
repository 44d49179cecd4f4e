"""`/livez` and `/readyz`: whether the process runs, and whether it can answer."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from trellis.api import examples
from trellis.api.deps import HouseDep, ReadinessDep
from trellis.api.problems import document_errors, respond_with_error
from trellis.domain.errors import NotReadyError

router = APIRouter(tags=["operation"])


@router.get(
    "/livez",
    summary="Whether the process runs",
    responses={**document_errors(), 200: examples.ALIVE},
)
async def livez() -> dict[str, bool]:
    """Always true: an answer is the proof."""
    return {"alive": True}


@router.get(
    "/readyz",
    summary="Whether questions can be answered",
    response_model=dict[str, bool | list[str]],
    responses={**document_errors(503), 200: examples.READY},
)
async def readyz(request: Request, house: HouseDep, readiness: ReadinessDep) -> Response:
    """True, or a problem whose `missing` names each part that is not ready, and what to do.

    `notes`: what is slower than it could be, where anything is.
    """
    missing = await readiness.missing()
    if not missing:
        notes = list(await house.read_notes())
        return JSONResponse({"ready": True, **({"notes": notes} if notes else {})})
    names = ", ".join(one.name for one in missing)
    error = NotReadyError(f"not ready: {names}", "; ".join(one.error.remedy for one in missing))
    parts = [
        {"part": one.name, "problem": one.error.problem, "remedy": one.error.remedy}
        for one in missing
    ]
    return respond_with_error(error, request, missing=parts)
