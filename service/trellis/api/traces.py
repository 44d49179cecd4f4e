"""`POST /v1/retrieve/traces`: the traces of a schema graph, without a model."""

from __future__ import annotations

from fastapi import APIRouter, Request

from trellis.access.audit import note_query, note_rows
from trellis.api import examples
from trellis.api.deps import AppDep, RuntimeDep
from trellis.api.problems import document_errors
from trellis.app.trellis_app import TrellisApp
from trellis.domain.budget import limit_time
from trellis.domain.traces import Traces
from trellis.http.disconnects import run_unless_client_leaves
from trellis.linking.text import name_key
from trellis.wire.traces import TraceRequest, TracesBody

router = APIRouter(prefix="/v1/retrieve", tags=["retrieval"])

_SEARCH_SHARE = 0.9  # of a request's time, so that what was found until then is still answered


@router.post(
    "/traces",
    response_model=TracesBody,
    operation_id="search_traces",
    summary="Traces of a schema graph from its best anchors",
    responses={**document_errors(400, 409, 413, 415, 422, 429, 503, 504), 200: examples.TRACED},
)
async def traces(
    asked: TraceRequest, request: Request, trellis_app: AppDep, runtime: RuntimeDep
) -> TracesBody:
    """Depth-first from the node with the best anchor, whatever the direction: the best relationship
    at each edge, or all whose T-score reaches the threshold. A node of the schema graph is one node
    in a trace, and dead ends are left."""
    note_query(asked.model_dump_json())
    seconds = trellis_app.make_budget().seconds
    async with limit_time(seconds), runtime.turns.acquire():
        tracing = _search_traces(asked, trellis_app, _SEARCH_SHARE * seconds)
        found = await run_unless_client_leaves(request, tracing)
    note_rows(len(found.traces))
    return TracesBody.of(found)


async def _search_traces(asked: TraceRequest, trellis_app: TrellisApp, seconds: float) -> Traces:
    keys = [name_key(name) for name in asked.list_names()]
    named = await trellis_app.graph.find_by_key(keys) if keys else {}
    return await trellis_app.graph.search_traces(asked.read_search(named), seconds)
