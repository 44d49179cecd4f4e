"""`GET /v1/methods`: the ways to answer."""

from __future__ import annotations

from fastapi import APIRouter

from trellis.api.deps import AppDep
from trellis.api.description import examples
from trellis.api.middleware.problems import document_errors
from trellis.app.listing import list_methods
from trellis.wire.bodies import MethodBody

router = APIRouter(prefix="/v1", tags=["questions"])


@router.get(
    "/methods",
    response_model=list[MethodBody],
    operation_id="list_methods",
    summary="The methods there are",
    responses={**document_errors(), 200: examples.METHODS},
)
async def methods(trellis_app: AppDep) -> list[MethodBody]:
    """All methods with their models, those that are ready first; for others what is missing."""
    return await list_methods(trellis_app)
