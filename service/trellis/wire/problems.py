"""Trellis errors as `application/problem+json` (RFC 9457), and back."""

from __future__ import annotations

import re

from pydantic import BaseModel, Field

from trellis.domain import errors
from trellis.domain.errors import InputError, TrellisError

MEDIA_TYPE = "application/problem+json"
_URN = "urn:trellis:problem:"


class Problem(BaseModel):
    """What went wrong, and what to do."""

    type: str = Field(examples=["urn:trellis:problem:question"])
    title: str = Field(examples=["Unusable question"])
    status: int = Field(examples=[422])
    detail: str = Field(examples=["the question is empty"])
    remedy: str = Field("", examples=["ask something, such as a name and a relation"])
    instance: str = Field("", examples=["/v1/questions"])
    request_id: str = Field("", description="As in `X-Request-ID` and in the service's log.")


def problem(error: TrellisError, instance: str, request_id: str = "") -> Problem:
    """A Trellis error as a problem; `instance`: the path of the request."""
    return Problem(
        type=urn(type(error)),
        title=error.title,
        status=error.status,
        detail=error.problem,
        remedy=error.remedy,
        instance=instance,
        request_id=request_id,
    )


def urn(kind: type[TrellisError]) -> str:
    """`urn:trellis:problem:unknown-topic` for UnknownTopicError."""
    words = re.findall(r"[A-Z][a-z0-9]*", kind.__name__.removesuffix("Error"))
    return _URN + "-".join(words).lower()


def rebuilt(told: Problem) -> TrellisError:
    """The error of a problem, of its own class where that is known; a note names the request."""
    other = InputError if 400 <= told.status < 500 else TrellisError
    error = _KINDS.get(told.type, other)(told.detail, told.remedy)
    error.status, error.title = told.status, told.title
    if told.request_id:
        error.add_note(f"request {told.request_id}")
    return error


_KINDS = {
    urn(kind): kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, TrellisError)
}
