"""Every error as `application/problem+json` (RFC 9457), with what to do about it."""

from __future__ import annotations

import logging
import re
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from trellis.domain.errors import QuestionError, TrellisError

log = logging.getLogger("trellis.api")

MEDIA_TYPE = "application/problem+json"


class Problem(BaseModel):
    """What went wrong, and what to do."""

    type: str = Field(examples=["urn:trellis:problem:question"])
    title: str = Field(examples=["Unusable question"])
    status: int = Field(examples=[422])
    detail: str = Field(examples=["the question is empty"])
    remedy: str = Field(examples=["ask something, such as a name and a relation"])
    instance: str = Field(examples=["/v1/questions"])


class NotKeptError(TrellisError):
    """No answer of that id."""

    status = 404
    title = "No such answer"


def documented(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The `responses` of a route that may end in these errors."""
    return {
        status: {
            "description": HTTPStatus(status).phrase,
            "content": {MEDIA_TYPE: {"schema": Problem.model_json_schema()}},
        }
        for status in statuses
    }


def problem(error: TrellisError, instance: str) -> Problem:
    """An error of ours as a problem."""
    words = re.findall(r"[A-Z][a-z0-9]*", type(error).__name__.removesuffix("Error"))
    return Problem(
        type="urn:trellis:problem:" + "-".join(words).lower(),
        title=error.title,
        status=error.status,
        detail=error.problem,
        remedy=error.remedy,
        instance=instance,
    )


def rendered(body: Problem, headers: dict[str, str] | None = None, **more: Any) -> JSONResponse:
    """A problem as a response; `more` are its further members."""
    content = {**body.model_dump(), **more}
    return JSONResponse(content, body.status, headers=headers, media_type=MEDIA_TYPE)


def install(app: FastAPI) -> None:
    """Have every error of `app` end as a problem."""
    app.add_exception_handler(TrellisError, _of_ours)
    app.add_exception_handler(RequestValidationError, _of_validation)
    app.add_exception_handler(HTTPException, _of_http)
    app.add_exception_handler(Exception, _of_anything)


async def _of_ours(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, TrellisError)
    headers = {"Retry-After": "5"} if error.status == 503 else None
    return rendered(problem(error, request.url.path), headers)


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
        return rendered(problem(surrogate, request.url.path))
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


async def _of_anything(request: Request, error: Exception) -> JSONResponse:
    log.error("unhandled error on %s", request.url.path, exc_info=error)
    return rendered(unexpected(request.url.path))


def unexpected(instance: str) -> Problem:
    """An error that nobody foresaw: nothing of it goes out."""
    return Problem(
        type="about:blank",
        title=HTTPStatus(500).phrase,
        status=500,
        detail="an error that should not happen; the service goes on",
        remedy="try again; the service's log has the details",
        instance=instance,
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
    )
    return rendered(body, headers)


def _clean(text: str) -> str:
    """Text that can be sent whatever a request put into it."""
    return text.encode("utf-8", "replace").decode()
