"""What `/v1/graphs` answers: the graphs of a service, and which of them are ready."""

from __future__ import annotations

from pydantic import BaseModel, Field

from trellis.domain.errors import TrellisError


class MissingPartBody(BaseModel):
    """A part that a graph needs and that is not ready."""

    part: str
    problem: str
    remedy: str

    @classmethod
    def of(cls, part: str, error: TrellisError) -> MissingPartBody:
        return cls(part=part, problem=error.problem, remedy=error.remedy)


class GraphBody(BaseModel):
    """A graph that is served. `missing`: its parts that are not ready; empty where it is."""

    name: str
    default: bool = Field(description="Whether `/v1/…` without a graph's name asks it.")
    ready: bool
    missing: list[MissingPartBody]


class GraphListBody(BaseModel):
    """The graphs of a service that the caller may ask, the default one first."""

    graphs: list[GraphBody]
