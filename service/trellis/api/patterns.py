"""`POST /v1/retrieve/patterns`: the subgraphs nearest to a pattern, without a model."""

from __future__ import annotations

from fastapi import APIRouter, Request

from trellis.access.audit import note_query, note_rows
from trellis.api import examples
from trellis.api.deps import AppDep, RuntimeDep
from trellis.api.problems import document_errors
from trellis.domain.budget import limit_time
from trellis.http.disconnects import run_unless_client_leaves
from trellis.wire.patterns import PatternMatchesBody, PatternRequest

router = APIRouter(prefix="/v1/retrieve", tags=["retrieval"])

_SEARCH_SHARE = 0.9  # of a request's time, so that what was found until then is still answered


@router.post(
    "/patterns",
    response_model=PatternMatchesBody,
    operation_id="search_patterns",
    summary="Subgraphs that match a pattern, nearest first",
    responses={**document_errors(400, 409, 413, 415, 422, 429, 503, 504), 200: examples.MATCHED},
)
async def patterns(
    asked: PatternRequest, request: Request, trellis_app: AppDep, runtime: RuntimeDep
) -> PatternMatchesBody:
    """The `k` subgraphs of the smallest graph semantic distance: the sum of the distances of nodes
    and relationships. Different nodes are mapped to different nodes, parallel edges to different
    relationships; equally near ones come in the order of their nodes' ids."""
    note_query(asked.model_dump_json())
    search, seconds = asked.read_search(), trellis_app.make_budget().seconds
    async with limit_time(seconds), runtime.turns.acquire():
        searching = trellis_app.graph.search_patterns(search, asked.k, _SEARCH_SHARE * seconds)
        matches = await run_unless_client_leaves(request, searching)
    note_rows(len(matches.matches))
    return PatternMatchesBody.of(matches)
