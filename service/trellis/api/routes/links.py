"""`POST /v1/links`: the nodes that the names in a text may stand for."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import APIRouter, Request

from trellis.access.audit import note_query, note_rows
from trellis.api.deps import AppDep, RuntimeDep
from trellis.api.description import examples
from trellis.api.middleware.problems import document_errors
from trellis.app.trellis_app import TrellisApp
from trellis.domain.errors import ModelError
from trellis.domain.graphs.links import Mention
from trellis.domain.limits.budget import limit_time
from trellis.http.disconnects import run_unless_client_leaves
from trellis.logs import set_private_texts as private
from trellis.steps.link.link import link_mentions
from trellis.steps.retrieve.paths.settings import PathSettings
from trellis.wire.asked import LinkRequest
from trellis.wire.bodies import MentionBody
from trellis.wire.retrieval import MentionsBody

router = APIRouter(prefix="/v1", tags=["retrieval"])


@router.post(
    "/links",
    response_model=MentionsBody,
    operation_id="link_names",
    summary="Link a text's names to nodes",
    responses={**document_errors(400, 409, 413, 415, 422, 429, 503, 504), 200: examples.LINKED},
)
async def links(
    asked: LinkRequest, request: Request, trellis_app: AppDep, runtime: RuntimeDep
) -> MentionsBody:
    """Exact, full-text and vector search, fused; links of a mention come best first."""
    private(asked.question)
    note_query(asked.question)
    question = trellis_app.make_question(asked.question)
    async with limit_time(trellis_app.make_budget().seconds), runtime.turns.acquire():
        mentions = await run_unless_client_leaves(request, _link_text(question.text, trellis_app))
    note_rows(len(mentions))
    return MentionsBody(mentions=[MentionBody.of(mention) for mention in mentions])


async def _link_text(text: str, trellis_app: TrellisApp) -> Sequence[Mention]:
    return await link_mentions(
        text, trellis_app.graph, trellis_app.embedder, await _find_wording(trellis_app)
    )


async def _find_wording(trellis_app: TrellisApp) -> tuple[str, ...]:
    """The words of questions that are no names, from the path model's card.

    Empty without a usable model: linking works without them.
    """
    try:
        source = await trellis_app.models.find_source(PathSettings.task)
        return (await source.card.get()).settings(PathSettings).wording if source else ()
    except ModelError:
        return ()
