"""`/livez` and `/readyz`: whether the process runs, and whether it can answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from trellis.access.guard import Guard
from trellis.api.deps import GraphsDep
from trellis.api.description import examples
from trellis.api.middleware.problems import document_errors, respond_with_error
from trellis.api.served import ServedGraphs
from trellis.app.readiness import MissingPart
from trellis.domain.errors import NotReadyError

router = APIRouter(tags=["operation"])


@router.get(
    "/livez",
    operation_id="check_alive",
    summary="Whether the process runs",
    responses={**document_errors(), 200: examples.ALIVE},
)
async def livez() -> dict[str, bool]:
    """Always true: an answer is the proof."""
    return {"alive": True}


@router.get(
    "/readyz",
    operation_id="check_ready",
    summary="Whether questions can be answered",
    response_model=dict[str, bool | list[str] | list[dict[str, str]]],
    responses={**document_errors(503), 200: examples.READY},
)
async def readyz(request: Request, served: GraphsDep) -> Response:
    """True where questions can be answered, of one graph at least; else a problem. `missing` names
    each part that is not ready, and what to do.

    `degraded`: what fails while answers go on, as a store that takes no writes. `notes`: what is
    slower than it could be, where anything is.
    """
    looked = await served.find_missing_parts(list(served))
    missing = {graph.name: parts for graph, parts in zip(served, looked, strict=True) if parts}
    listed = _list_parts(missing, is_one_of_many=len(served) > 1)
    if len(missing) == len(served):
        return _respond_not_ready(request, missing, listed)
    ready = [graph for graph in served if graph.name not in missing]
    notes = list(
        dict.fromkeys([note for it in ready for note in await it.trellis_app.read_notes()])
    )
    listings = {"missing": listed, "degraded": _list_degraded(request, served), "notes": notes}
    further = {name: value for name, value in listings.items() if value}
    return JSONResponse({"ready": True, **further})


def _list_degraded(request: Request, served: ServedGraphs) -> list[dict[str, str]]:
    """The stores that take no writes, each problem once."""
    guard: Guard = request.app.state.guard
    healths = [*(it.trellis_app.store.health for it in served), guard.audit.health]
    problems = {it.problem.problem: it.problem.remedy for it in healths if it.problem}
    return [
        {"part": "store", "problem": problem, "remedy": remedy}
        for problem, remedy in problems.items()
    ]


def _list_parts(
    missing: Mapping[str, Sequence[MissingPart]], *, is_one_of_many: bool
) -> list[dict[str, str]]:
    """The parts that are missing; each says of which graph, where there are several."""
    return [
        {
            **({"graph": graph} if is_one_of_many else {}),
            "part": one.name,
            "problem": one.error.problem,
            "remedy": one.error.remedy,
        }
        for graph, parts in missing.items()
        for one in parts
    ]


def _respond_not_ready(
    request: Request,
    missing: Mapping[str, Sequence[MissingPart]],
    listed: list[dict[str, str]],
) -> Response:
    parts = [one for some in missing.values() for one in some]
    names = ", ".join(dict.fromkeys(one.name for one in parts))
    remedies = "; ".join(dict.fromkeys(one.error.remedy for one in parts))
    return respond_with_error(
        NotReadyError(f"not ready: {names}", remedies), request, missing=listed
    )
