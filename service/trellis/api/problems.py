"""Every error as `application/problem+json` (RFC 9457), with what to do about it."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from trellis.domain.errors import QuestionError, TrellisError
from trellis.logs import request_id
from trellis.wire.problems import MEDIA_TYPE, Problem, problem


def documented(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The `responses` of a route that may end in these errors, or in one that nobody foresaw."""
    return {
        status: {
            "description": HTTPStatus(status).phrase,
            "content": {MEDIA_TYPE: {"schema": Problem.model_json_schema()}},
        }
        for status in (*statuses, 500)
    }


def rendered(body: Problem, headers: dict[str, str] | None = None, **more: Any) -> JSONResponse:
    """A problem as a response; `more` are its further members."""
    content = {**body.model_dump(), **more}
    return JSONResponse(content, body.status, headers=headers, media_type=MEDIA_TYPE)


def install(app: FastAPI) -> None:
    """Have every error of `app` end as a problem."""
    app.add_exception_handler(TrellisError, _of_ours)
    app.add_exception_handler(RequestValidationError, _of_validation)
    app.add_exception_handler(HTTPException, _of_http)


async def _of_ours(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, TrellisError)
    return rendered(problem(error, request.url.path, request_id()), retry_after(error.status))


def retry_after(status: int) -> dict[str, str]:
    """When to try again what was refused for now: at once full, or not there."""
    return {429: {"Retry-After": "1"}, 503: {"Retry-After": "5"}}.get(status, {})


async def _of_validation(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    found = error.errors()
    kinds = {one["type"] for one in found}
    if "json_invalid" in kinds:
        return _http(400, "the body is not JSON", "send one JSON object in UTF-8", request)
    if "string_unicode" in kinds:
        surrogate = QuestionError(
            "the text holds lone surrogates, which are no characters", "send plain text in UTF-8"
        )
        return rendered(problem(surrogate, request.url.path, request_id()))
    places = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in found)
    return _http(422, _clean(places), "send the fields that /docs describes", request)


async def _of_http(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    remedy = {
        400: "send one JSON object in UTF-8",
        404: "see /docs for the addresses there are",
        405: "see /docs for the methods there are",
        413: "send less, or raise TRELLIS_BODY_LIMIT",
    }.get(error.status_code, "")
    headers = dict(error.headers or {})
    return _http(error.status_code, str(error.detail), remedy, request, headers)


def unexpected(instance: str) -> Problem:
    """An error that nobody foresaw: nothing of it goes out."""
    return Problem(
        type="about:blank",
        title=HTTPStatus(500).phrase,
        status=500,
        detail="an error that should not happen; the service goes on",
        remedy="try again; the service's log has the details",
        instance=instance,
        request_id=request_id(),
    )


def _http(
    status: int, detail: str, remedy: str, request: Request, headers: dict[str, str] | None = None
) -> JSONResponse:
    title = HTTPStatus(status).phrase
    body = Problem(
        type="about:blank",
        title=title,
        status=status,
        detail=detail,
        remedy=remedy,
        instance=request.url.path,
        request_id=request_id(),
    )
    return rendered(body, headers)


def _clean(text: str) -> str:
    """Text that can be sent whatever a request put into it."""
    return text.encode("utf-8", "replace").decode()
