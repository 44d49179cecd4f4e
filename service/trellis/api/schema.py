"""`GET /v1/schema`: what the live graph consists of."""

from __future__ import annotations

from fastapi import APIRouter

from trellis.api import examples
from trellis.api.deps import HouseDep
from trellis.api.problems import documented
from trellis.domain.schema import Schema

router = APIRouter(prefix="/v1", tags=["graph"])


@router.get(
    "/schema",
    response_model=Schema,
    summary="Labels, relationship types and properties of the graph",
    responses={**documented(409, 503, 504), 200: examples.SCHEMA},
)
async def schema(house: HouseDep) -> Schema:
    """The live schema with counts, the values of properties that have few, and examples.

    Nothing of ours is in it, and nothing that the graph's own file hides. `estimated`: the graph is
    so large that some counts of relationships come of a sample.
    """
    return await house.graph.schema()
