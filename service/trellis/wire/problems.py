"""Trellis errors as `application/problem+json` (RFC 9457), and back."""

from __future__ import annotations

import re
from typing import Any

from pydantic import BaseModel, Field

from trellis.domain import errors
from trellis.domain.errors import InputError, TrellisError

MEDIA_TYPE = "application/problem+json"
_URN = "urn:trellis:problem:"


class FieldProblem(BaseModel):
    """What is wrong with one field of a body, or with one parameter of the address."""

    detail: str = Field(examples=["limit must be at least 1"])
    pointer: str | None = Field(None, description="The field of the body, as JSON pointer.")
    parameter: str | None = Field(None, description="The parameter of the address.")


class Problem(BaseModel):
    """What went wrong, and what to do."""

    type: str = Field(examples=["urn:trellis:problem:question"])
    title: str = Field(examples=["Unusable question"])
    status: int = Field(examples=[422])
    detail: str = Field(examples=["the question is empty"])
    remedy: str = Field("", examples=["ask something, such as a name and a relation"])
    instance: str = Field("", examples=["/v1/questions"])
    request_id: str = Field("", description="As in `X-Request-ID` and in the service's log.")
    errors: list[FieldProblem] | None = Field(None, description="Each field that is at fault.")

    def write_members(self) -> dict[str, Any]:
        """The members that a problem document has."""
        return self.model_dump(exclude_none=True)


def describe_error(error: TrellisError, instance: str, request_id: str = "") -> Problem:
    """A Trellis error as a problem; `instance`: the path of the request."""
    return Problem(
        type=make_urn(type(error)),
        title=error.title,
        status=error.status,
        detail=error.problem,
        remedy=error.remedy,
        instance=instance,
        request_id=request_id,
    )


def make_urn(error_class: type[TrellisError]) -> str:
    """`urn:trellis:problem:unknown-topic` for UnknownTopicError."""
    words = re.findall(r"[A-Z][a-z0-9]*", error_class.__name__.removesuffix("Error"))
    return _URN + "-".join(words).lower()


def rebuild_error(problem_body: Problem) -> TrellisError:
    """The error of a problem, of its own class where that is known; a note names the request."""
    other = InputError if 400 <= problem_body.status < 500 else TrellisError
    error = _KINDS.get(problem_body.type, other)(problem_body.detail, problem_body.remedy)
    error.status, error.title = problem_body.status, problem_body.title
    if problem_body.request_id:
        error.add_note(f"request {problem_body.request_id}")
    return error


_KINDS = {
    make_urn(kind): kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, TrellisError)
}
