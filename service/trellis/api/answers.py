"""`GET /v1/answers`: what was asked and answered before."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from trellis.api.bodies import Answered
from trellis.api.deps import HouseDep
from trellis.api.problems import NotKeptError, documented

router = APIRouter(prefix="/v1", tags=["questions"])


class Kept(BaseModel):
    """One answer that was given, in brief."""

    id: str
    asked_at: datetime
    question: str
    method: str
    seconds: float
    answers: list[str]
    abstained: bool


class KeptPage(BaseModel):
    """Answers, latest first; `next` is the `before` of the page that follows."""

    answers: list[Kept]
    next: int | None = None


@router.get(
    "/answers",
    response_model=KeptPage,
    summary="Answers given, latest first",
    responses=documented(422, 503),
)
async def answers(
    house: HouseDep,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    before: Annotated[int | None, Query(ge=1, le=2**31, description="`next` of a page")] = None,
) -> KeptPage:
    """A page of what the store keeps."""
    rows = await house.store.recent(limit, before)
    kept = [
        Kept(
            id=row.id,
            asked_at=row.asked_at,
            question=row.question,
            method=row.method,
            seconds=row.seconds,
            answers=[answer["name"] for answer in row.body["answers"]],
            abstained=row.body["abstained"],
        )
        for row in rows
    ]
    return KeptPage(answers=kept, next=rows[-1].number if len(rows) == limit else None)


@router.get(
    "/answers/{id}",
    response_model=Answered,
    summary="One answer, whole",
    responses=documented(404, 503),
)
async def answer(id: str, house: HouseDep) -> Response:
    """The answer as it was given."""
    row = await house.store.find(id) if id.isprintable() else None
    if row is None:
        raise NotKeptError("no answer of that id is kept", "see /v1/answers for those that are")
    return JSONResponse(row.body)
