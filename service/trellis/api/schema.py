"""`GET /v1/schema`: the labels, relationship types and properties of the live graph."""

from __future__ import annotations

from fastapi import APIRouter

from trellis.api import examples
from trellis.api.deps import HouseDep
from trellis.api.problems import document_errors
from trellis.domain.schema import Schema

router = APIRouter(prefix="/v1", tags=["graph"])


@router.get(
    "/schema",
    response_model=Schema,
    summary="Labels, relationship types and properties of the graph",
    responses={**document_errors(409, 503, 504), 200: examples.SCHEMA},
)
async def schema(house: HouseDep) -> Schema:
    """The live schema with counts, the values of properties that have few, and examples.

    It leaves out the service's reserved kinds, and kinds that the graph's configuration file hides.
    `estimated`: some counts of relationships are estimates from a sample, for the graph is large.
    """
    return await house.graph.schema()
