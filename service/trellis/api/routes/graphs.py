"""`GET /v1/graphs`: the graphs that are served, and which of them are ready."""

from __future__ import annotations

from fastapi import APIRouter

from trellis.api.deps import CallerDep, GraphsDep
from trellis.api.description import examples
from trellis.api.middleware.problems import document_errors
from trellis.wire.graphs import GraphBody, GraphListBody, MissingPartBody

router = APIRouter(prefix="/v1", tags=["graph"])


@router.get(
    "/graphs",
    response_model=GraphListBody,
    operation_id="list_graphs",
    summary="The graphs there are",
    responses={**document_errors(), 200: examples.GRAPHS},
)
async def graphs(served: GraphsDep, caller: CallerDep) -> GraphListBody:
    """The graphs that the caller may ask, the default one first. Each is asked below
    `/v1/graphs/{graph}/`, by the routes of the default one below `/v1/`."""
    asked = served.list_open_to(caller)
    looked = await served.find_missing_parts(asked)
    bodies = [
        GraphBody(
            name=graph.name,
            default=graph is served.default,
            ready=not missing,
            missing=[MissingPartBody.of(one.name, one.error) for one in missing],
        )
        for graph, missing in zip(asked, looked, strict=True)
    ]
    return GraphListBody(graphs=bodies)
