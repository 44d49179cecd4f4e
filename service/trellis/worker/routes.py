"""The routes `POST /v1/decode` and `GET /v1/decoder` of a worker, and its health checks."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from pydantic import ValidationError
from sse_starlette import EventSourceResponse, ServerSentEvent

from trellis.domain.decoding import Sentence
from trellis.domain.errors import (
    DecoderTimeoutError,
    InputError,
    LeftError,
    NotReadyError,
    TooLargeError,
    TrellisError,
)
from trellis.wire.decoding import DecodeBody, DecodedBody, DecoderBody, SentenceBody
from trellis.wire.problems import MEDIA_TYPE, describe_error
from trellis.worker.desk import DecodeDesk

_AGAIN = {429: "1", 503: "2"}


def create_routes(desk: DecodeDesk, decoder: DecoderBody) -> APIRouter:
    """The router with the worker's own routes; `decoder`: the body of `GET /v1/decoder`."""
    router = APIRouter()
    limit = 2 * decoder.language_limit + 1_000_000  # room for base64 and the other fields

    @router.get("/v1/decoder")
    async def show_decoder() -> DecoderBody:
        return decoder

    @router.get("/livez")
    async def show_liveness() -> dict[str, str]:
        return {"status": "alive"}

    @router.get("/readyz")
    async def show_readiness(request: Request) -> Response:
        if desk.is_draining or desk.is_broken():
            why = "drains" if desk.is_draining else "has lost its engine"
            return _build_problem_response(
                NotReadyError(f"the worker {why}", "ask another"), request
            )
        return JSONResponse({"status": "ready"})

    @router.post("/v1/decode")
    async def decode(request: Request) -> Response:
        try:
            body = _parse_body(await _read_body(request, limit))
            if body.stream:
                return await _stream_sentences(desk, body, request)
            return JSONResponse(
                await _run_unless_client_leaves(request, _decode_body(desk, body, _ignore_sentence))
            )
        except TrellisError as error:
            return _build_problem_response(error, request)

    return router


def _ignore_sentence(sentence: Sentence) -> None:
    """Ignore a sentence that has ended: the watch of an answer that is not streamed."""


async def _read_body(request: Request, limit: int) -> bytes:
    """The body of a request; raises TooLargeError where it has more than `limit` bytes."""
    data = bytearray()
    async for chunk in request.stream():
        data += chunk
        if len(data) > limit:
            raise TooLargeError(f"a body of more than {limit:,} bytes", "send a smaller language")
    return bytes(data)


def _parse_body(data: bytes) -> DecodeBody:
    try:
        return DecodeBody.model_validate_json(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "the body"
        raise InputError(
            f"{where}: {first['msg']}", "send the fields of trellis.wire.decoding.DecodeBody"
        ) from error


async def _decode_body(
    desk: DecodeDesk, body: DecodeBody, watch: Callable[[Sentence], None]
) -> dict[str, Any]:
    began = time.perf_counter()
    try:
        async with asyncio.timeout(body.timeout):
            name, sentences = await desk.decode(body, watch)
    except TimeoutError as error:
        problem = f"the deadline of {body.timeout:g} s passed"
        raise DecoderTimeoutError(problem, "allow more time, or a narrower search") from error
    bodies = [SentenceBody.of(sentence) for sentence in sentences]
    seconds = time.perf_counter() - began
    return DecodedBody(language=name, sentences=bodies, seconds=seconds).model_dump()


async def _run_unless_client_leaves(
    request: Request, work: Awaitable[dict[str, Any]]
) -> dict[str, Any]:
    """The result of `work`, which is cancelled (LeftError) when the client goes away."""
    task = asyncio.ensure_future(work)
    gone = asyncio.ensure_future(_wait_for_disconnect(request))
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        raise LeftError("whoever asked went away", "")
    finally:
        for ending in (task, gone):
            ending.cancel()
            with suppress(asyncio.CancelledError, TrellisError):
                await ending


async def _wait_for_disconnect(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _stream_sentences(desk: DecodeDesk, body: DecodeBody, request: Request) -> Response:
    """Stream sentences as server-sent events as they end.

    A decode that is refused at once raises its error instead, for a plain problem response.
    """
    desk.check_body(body)
    queue: asyncio.Queue[ServerSentEvent | None] = asyncio.Queue()

    def send_event(event: str, data: Any) -> None:
        queue.put_nowait(ServerSentEvent(json.dumps(data, ensure_ascii=False), event=event))

    async def decode_into_queue() -> None:
        try:
            decoded = await _decode_body(
                desk,
                body,
                lambda ended: send_event("sentence", SentenceBody.of(ended).model_dump()),
            )
            send_event("decoded", decoded)
        except TrellisError as error:
            send_event("problem", describe_error(error, request.url.path).model_dump())
        finally:
            queue.put_nowait(None)

    async def iterate_events() -> AsyncIterator[ServerSentEvent]:
        task = asyncio.ensure_future(decode_into_queue())
        try:
            while (event := await queue.get()) is not None:
                yield event
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    return EventSourceResponse(iterate_events())


def _build_problem_response(error: TrellisError, request: Request) -> JSONResponse:
    body = describe_error(error, request.url.path)
    headers = {"Retry-After": _AGAIN[body.status]} if body.status in _AGAIN else None
    return JSONResponse(body.model_dump(), body.status, headers, MEDIA_TYPE)
