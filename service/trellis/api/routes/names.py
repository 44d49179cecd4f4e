"""`GET /v1/names`: names of the graph that complete what somebody types."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from trellis.api.deps import AppDep
from trellis.api.description import examples
from trellis.api.middleware.problems import document_errors
from trellis.domain.limits.budget import limit_time
from trellis.logs import set_private_texts as private
from trellis.wire.evidence import NodeBody
from trellis.wire.retrieval import NamesBody

router = APIRouter(prefix="/v1", tags=["retrieval"])

Start = Annotated[
    str, Query(min_length=2, max_length=200, description="How the names begin.", examples=["Ken"])
]
Limit = Annotated[int, Query(ge=1, le=50, examples=[5])]


@router.get(
    "/names",
    response_model=NamesBody,
    operation_id="list_names",
    summary="Names that begin so",
    responses={**document_errors(409, 422, 503, 504), 200: examples.NAMES},
)
async def names(trellis_app: AppDep, start: Start, limit: Limit = 10) -> NamesBody:
    """The nodes whose names begin with a text, in any case, the shortest names first."""
    private(start)
    async with limit_time(trellis_app.make_budget().seconds):
        nodes = await trellis_app.graph.find_by_start(start, limit)
    return NamesBody(names=list(map(NodeBody.of_node, nodes)))
