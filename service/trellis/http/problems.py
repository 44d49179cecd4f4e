"""Errors as responses of `application/problem+json` (RFC 9457)."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from starlette.responses import JSONResponse

from trellis.domain.errors import BusyError, RateLimitError, TrellisError, UnsupportedMediaError
from trellis.wire.problems import MEDIA_TYPE, Problem, describe_error

_BUSY_SECONDS = 1  # until a server that is busy may have a turn again


def render_error(
    error: TrellisError, instance: str, ready_seconds: int, request_id: str = "", **members: Any
) -> JSONResponse:
    """A Trellis error as a response, with further members of the problem if any are given.

    `instance`: the path of the request. `ready_seconds`: after how many seconds a client should ask
    again when a part is not ready, as the header `Retry-After` says.
    """
    body = describe_error(error, instance, request_id)
    headers = build_retry_header(error.status, ready_seconds)
    if isinstance(error, BusyError | RateLimitError) and error.retry_seconds:
        headers["Retry-After"] = str(error.retry_seconds)
    if isinstance(error, UnsupportedMediaError):
        headers["Accept"] = "application/json"
    return render_problem(body, headers, **members)


def render_problem(
    body: Problem, headers: dict[str, str] | None = None, **members: Any
) -> JSONResponse:
    """A problem as a response, with further members if any are given."""
    content = {**body.write_members(), **members}
    return JSONResponse(content, body.status, headers=headers, media_type=MEDIA_TYPE)


def build_problem(
    status: int, detail: str, remedy: str, instance: str, request_id: str = ""
) -> Problem:
    """A problem that has no error class: its status alone tells the kind."""
    return Problem(
        type="about:blank",
        title=HTTPStatus(status).phrase,
        status=status,
        detail=detail,
        remedy=remedy,
        instance=instance,
        request_id=request_id,
    )


def build_retry_header(status: int, ready_seconds: int) -> dict[str, str]:
    """The header that says when to ask again, where the status asks for that."""
    seconds = {429: _BUSY_SECONDS, 503: ready_seconds}
    return {"Retry-After": str(seconds[status])} if status in seconds else {}
