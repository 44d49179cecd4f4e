"""Errors as `application/problem+json` (RFC 9457), each with a remedy."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from trellis.access.audit import note_error
from trellis.api.description.problem_examples import EXAMPLES
from trellis.api.graph_paths import get_asked_path
from trellis.api.middleware.field_errors import describe_field_errors
from trellis.api.middleware.verbs import list_verbs
from trellis.api.page import respond_with_missing_page
from trellis.domain.errors import QuestionError, TrellisError
from trellis.http.problems import build_problem, render_error, render_problem
from trellis.logs import get_request_id
from trellis.wire.problems import MEDIA_TYPE, Problem

_READY_SECONDS = 5  # until a part of the service that is not ready is worth asking for again
_PROBLEM = {"$ref": "#/components/schemas/Problem"}  # which `openapi` adds


def document_errors(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The OpenAPI `responses` of a route that may end in these errors; 500 is always added."""
    return {
        status: {
            "description": HTTPStatus(status).phrase,
            "content": {MEDIA_TYPE: {"schema": _PROBLEM, "example": EXAMPLES[status]}},
        }
        for status in (*statuses, 500)
    }


def install_error_handlers(app: FastAPI) -> None:
    """Make every error of `app` end as a problem document."""
    app.add_exception_handler(TrellisError, _handle_trellis_error)
    app.add_exception_handler(RequestValidationError, _handle_validation_error)
    app.add_exception_handler(HTTPException, _handle_http_exception)


async def _handle_trellis_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, TrellisError)
    note_error(error)
    return respond_with_error(error, request)


def respond_with_error(error: TrellisError, request: Request, **members: Any) -> JSONResponse:
    """A Trellis error as the response to a request, with further members if any are given."""
    return render_error(
        error, get_asked_path(request.scope), _READY_SECONDS, get_request_id(), **members
    )


async def _handle_validation_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    details = error.errors()
    kinds = {detail["type"] for detail in details}
    if "json_invalid" in kinds:
        remedy = "send one JSON object in UTF-8"
        return render_problem(_build_problem_of(request, 400, "the body is not JSON", remedy))
    if "string_unicode" in kinds:
        surrogate = QuestionError(
            "the text holds lone surrogates, which are no characters", "send plain text in UTF-8"
        )
        return respond_with_error(surrogate, request)
    problems = describe_field_errors(details)
    detail = "; ".join(it.detail for it in problems)
    remedy = "send the fields that /docs describes"
    body = _build_problem_of(request, 422, detail, remedy)
    return render_problem(body.model_copy(update={"errors": problems}))


async def _handle_http_exception(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == HTTPStatus.NOT_FOUND and _is_shown_to_a_person(request):
        return respond_with_missing_page()
    headers = dict(error.headers or {})
    detail, remedy = {
        400: ("the body cannot be read", "send one JSON object in UTF-8"),
        404: ("there is nothing at this address", "see /docs for the addresses there are"),
        405: (f"this address does not take {request.method}", "see /docs for what it takes"),
        408: (str(error.detail), "send it at once"),
        413: (str(error.detail), "send less, or raise TRELLIS_BODY_LIMIT"),
    }.get(error.status_code, (str(error.detail), ""))
    if "Allow" in headers:  # of the first route of the address
        headers["Allow"] = ", ".join(list_verbs(request.scope))
        remedy = f"it takes {headers['Allow']}"
    return render_problem(_build_problem_of(request, error.status_code, detail, remedy), headers)


def _is_shown_to_a_person(request: Request) -> bool:
    """Whether a browser asks for a page, which lists `text/html` before all else; programs do not,
    nor does who asks for anything."""
    return request.headers.get("accept", "").startswith("text/html")


def _build_problem_of(request: Request, status: int, detail: str, remedy: str) -> Problem:
    return build_problem(status, detail, remedy, get_asked_path(request.scope), get_request_id())
