"""`POST /v1/links`: the nodes that the names in a text may stand for."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import APIRouter, Request

from trellis.api import examples
from trellis.api.deps import DeskDep, HouseDep
from trellis.api.problems import documented
from trellis.api.work import unless_left
from trellis.domain.budget import in_time
from trellis.domain.errors import ModelError
from trellis.domain.links import Mention
from trellis.house.house import House
from trellis.logs import asked as private
from trellis.steps.paths.settings import PathSettings
from trellis.steps.shared.link import link
from trellis.wire.asked import ToLink
from trellis.wire.bodies import Linked, MentionBody

router = APIRouter(prefix="/v1", tags=["retrieval"])


@router.post(
    "/links",
    response_model=Linked,
    summary="Link a text's names to nodes",
    responses={**documented(400, 409, 413, 422, 429, 503, 504), 200: examples.LINKED},
)
async def links(asked: ToLink, request: Request, house: HouseDep, desk: DeskDep) -> Linked:
    """Exact, full-text and vector search, fused; links of a mention come best first."""
    private(asked.question)
    question = house.question(asked.question)
    async with in_time(house.budget().seconds), desk.turns.turn():
        mentions = await unless_left(request, _linked(question.text, house))
    return Linked(mentions=[MentionBody.of(mention) for mention in mentions])


async def _linked(text: str, house: House) -> Sequence[Mention]:
    return await link(text, house.graph, house.embedder, await _wording(house))


async def _wording(house: House) -> tuple[str, ...]:
    """The words of questions that are no names, from the path model's card.

    Empty without a usable model: linking works without them.
    """
    try:
        source = await house.models.find_source(PathSettings.task)
        return (await source.card.get()).settings(PathSettings).wording if source else ()
    except ModelError:
        return ()
