"""`POST /v1/links`: what the names in a text may stand for."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel, Field

from trellis.api.bodies import MentionBody
from trellis.api.deps import HouseDep
from trellis.api.problems import documented
from trellis.domain.errors import ModelError
from trellis.steps.link import link
from trellis.wiring import House

router = APIRouter(prefix="/v1", tags=["retrieval"])


class ToLink(BaseModel):
    """A text whose names are to be linked."""

    question: str = Field(examples=["Which country borders both France and Poland?"])


class Linked(BaseModel):
    """The mentions found, in the order of the text, none overlapping."""

    mentions: list[MentionBody]


@router.post(
    "/links",
    response_model=Linked,
    summary="Link a text's names to nodes",
    responses=documented(400, 409, 413, 422, 503, 504),
)
async def links(asked: ToLink, house: HouseDep) -> Linked:
    """Exact, full-text and vector search, fused; links of a mention come best first."""
    text = house.question(asked.question).text
    found = await link(text, house.graph, house.embedder, await _wording(house))
    return Linked(mentions=[MentionBody.of(mention) for mention in found])


async def _wording(house: House) -> tuple[str, ...]:
    """The questions' own words, where a model says which; linking goes without one."""
    try:
        return (await house.model.get()).card.wording
    except ModelError:
        return ()
