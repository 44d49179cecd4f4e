"""Errors in the shape of OpenAI's interface, for its routes alone."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from http import HTTPStatus
from typing import Any

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException

from trellis.api.description.problem_examples import EXAMPLES
from trellis.api.middleware.field_errors import describe_field_errors
from trellis.api.middleware.problems import document_errors
from trellis.domain.errors import InputError, TrellisError, UnknownModelError
from trellis.http.problems import build_retry_header
from trellis.wire.chat import ChatErrorBody

_READY_SECONDS = 5  # until a part of the service that is not ready is worth asking for again
_TYPES = {
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    429: "rate_limit_error",
}
_CODES = {401: "invalid_api_key", 429: "rate_limit_exceeded"}
_BAD_REQUEST = 400
_ERRORS = {"$ref": "#/components/schemas/ChatErrorsBody"}  # which `openapi` adds


def is_chat_path(path: str) -> bool:
    """Whether OpenAI's clients call a path."""
    return path.startswith(("/v1/models", "/v1/chat/"))


def document_chat_errors(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The OpenAPI `responses` of a route whose errors OpenAI's clients read; an unforeseen one is a
    problem."""
    described: dict[int | str, dict[str, Any]] = document_errors()
    return described | {status: _describe_status(status) for status in statuses}


def _describe_status(status: int) -> dict[str, Any]:
    told = EXAMPLES[status]
    error = ChatErrorBody(
        message=f"{told['detail']}; {told['remedy']}",
        type=_choose_type(status),
        code=_CODES.get(status),
    )
    content = {"schema": _ERRORS, "example": {"error": error.model_dump()}}
    return {
        "description": HTTPStatus(status).phrase,
        "content": {"application/json": content},
    }


class ChatRoute(APIRoute):
    """A route whose errors OpenAI's clients read."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def handle_with_errors(request: Request) -> Response:
            try:
                return await handle(request)
            except (TrellisError, RequestValidationError, HTTPException) as error:
                return render_chat_error(error)

        return handle_with_errors


def describe_failure(error: Exception) -> ChatErrorBody:
    """An error as OpenAI's clients know it; of an unforeseen one nothing leaves the service."""
    status, message = _choose_status(error), _write_message(error)
    kind = _choose_type(status)
    code = "model_not_found" if isinstance(error, UnknownModelError) else _CODES.get(status)
    return ChatErrorBody(message=message, type=kind, code=code)


def render_chat_error(error: Exception) -> JSONResponse:
    """An error as a response that OpenAI's clients read."""
    status = _choose_status(error)
    given = dict(error.headers or {}) if isinstance(error, HTTPException) else {}
    body = {"error": describe_failure(error).model_dump()}
    return JSONResponse(
        body, status, headers={**build_retry_header(status, _READY_SECONDS), **given}
    )


def _choose_type(status: int) -> str:
    return _TYPES.get(status, "invalid_request_error" if status < 500 else "server_error")


def _choose_status(error: Exception) -> int:
    if isinstance(error, RequestValidationError):
        return _BAD_REQUEST
    if isinstance(error, HTTPException):
        return error.status_code
    status = error.status if isinstance(error, TrellisError) else 500
    return _BAD_REQUEST if isinstance(error, InputError) and status == 422 else status


def _write_message(error: Exception) -> str:
    if isinstance(error, RequestValidationError):
        return "; ".join(it.detail for it in describe_field_errors(error.errors()))
    if isinstance(error, HTTPException):
        return str(error.detail)
    if isinstance(error, TrellisError):
        return str(error)
    return "an error that should not happen; the service's log has the details"
