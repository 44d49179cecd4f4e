"""`GET /v1/methods`: the ways to answer."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel

from trellis.api.deps import HouseDep

router = APIRouter(prefix="/v1", tags=["questions"])


class MethodBody(BaseModel):
    """One method; `default` answers where a question names none."""

    name: str
    about: str
    default: bool


@router.get("/methods", response_model=list[MethodBody], summary="The methods there are")
async def methods(house: HouseDep) -> list[MethodBody]:
    """All methods, the default first."""
    return [
        MethodBody(name=name, about=method.about, default=name == house.default)
        for name, method in house.methods.items()
    ]
