"""`GET /v1/schema`: the labels, relationship types and properties of the live graph, and
questions to begin with."""

from __future__ import annotations

from fastapi import APIRouter, Response

from trellis.api.deps import AppDep
from trellis.api.description import examples
from trellis.api.middleware.problems import document_errors
from trellis.app.openings import list_openings
from trellis.domain.graphs.schema import Schema
from trellis.wire.openings import OpeningsBody

router = APIRouter(prefix="/v1", tags=["graph"])


@router.get(
    "/schema",
    response_model=Schema,
    operation_id="read_schema",
    summary="Labels, relationship types and properties of the graph",
    responses={**document_errors(409, 503, 504), 200: examples.SCHEMA},
)
async def schema(trellis_app: AppDep) -> Schema:
    """The live schema with counts, the values of properties that have few, and examples.

    It leaves out the service's reserved kinds, and kinds that the graph's configuration file hides.
    `estimated`: some counts of relationships are estimates from a sample, for the graph is large.
    """
    return await trellis_app.graph.schema()


@router.get(
    "/schema/examples",
    response_model=OpeningsBody,
    operation_id="list_openings",
    summary="Questions to begin with",
    responses={**document_errors(409, 503, 504), 200: examples.OPENINGS},
)
async def openings(trellis_app: AppDep, response: Response) -> OpeningsBody:
    """Example questions of the graph's configuration file, and one for each of the most frequent
    kinds of relationship, about a node that has one."""
    response.headers["Cache-Control"] = "private, max-age=300"
    return await list_openings(trellis_app)
