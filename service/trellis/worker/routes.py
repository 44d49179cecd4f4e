"""The routes `POST /v1/decode` and `GET /v1/decoder` of a worker, and its health checks."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from pydantic import ValidationError
from sse_starlette import EventSourceResponse, JSONServerSentEvent

from trellis.domain.errors import (
    DecoderTimeoutError,
    InputError,
    NotReadyError,
    TooLargeError,
    TrellisError,
)
from trellis.domain.models.decoding import Sentence
from trellis.http.bodies import limit_received_bytes
from trellis.http.disconnects import run_unless_client_leaves
from trellis.http.events import SendEvent, stream_work
from trellis.http.problems import render_error
from trellis.wire.decoding import DecodeBody, DecodedBody, DecoderBody, SentenceBody
from trellis.wire.problems import describe_error
from trellis.worker.decode_service import DecodeService

_READY_SECONDS = 2  # until a worker that starts or drains is worth asking again


def create_routes(decode_service: DecodeService, decoder: DecoderBody) -> APIRouter:
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
        if decode_service.is_draining or decode_service.is_broken():
            why = "drains" if decode_service.is_draining else "has lost its engine"
            error = NotReadyError(f"the worker {why}", "ask another")
            return render_error(error, request.url.path, _READY_SECONDS)
        return JSONResponse({"status": "ready"})

    @router.post("/v1/decode")
    async def decode(request: Request) -> Response:
        try:
            body = _parse_body(await _read_body(request, limit))
            if body.stream:
                return _stream_sentences(decode_service, body, request.url.path)
            return JSONResponse(
                await run_unless_client_leaves(
                    request, _decode_body(decode_service, body, _ignore_sentence)
                )
            )
        except TrellisError as error:
            return render_error(error, request.url.path, _READY_SECONDS)

    return router


def _ignore_sentence(sentence: Sentence) -> None:
    """Ignore a sentence that has ended: the watch of an answer that is not streamed."""


async def _read_body(request: Request, limit: int) -> bytes:
    """The body of a request; raises TooLargeError where it has more than `limit` bytes."""
    refusal = TooLargeError(f"a body of more than {limit:,} bytes", "send a smaller language")
    receive = limit_received_bytes(request.receive, limit, refusal)
    return await Request(request.scope, receive).body()


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
    decode_service: DecodeService, body: DecodeBody, watch: Callable[[Sentence], None]
) -> dict[str, Any]:
    began = time.perf_counter()
    try:
        async with asyncio.timeout(body.timeout):
            name, sentences = await decode_service.decode(body, watch)
    except TimeoutError as error:
        problem = f"the deadline of {body.timeout:g} s passed"
        raise DecoderTimeoutError(problem, "allow more time, or a narrower search") from error
    bodies = [SentenceBody.of(sentence) for sentence in sentences]
    seconds = time.perf_counter() - began
    return DecodedBody(language=name, sentences=bodies, seconds=seconds).model_dump()


def _stream_sentences(decode_service: DecodeService, body: DecodeBody, path: str) -> Response:
    """Stream sentences as server-sent events as they end.

    A decode that is refused at once raises its error instead, for a plain problem response.
    """
    decode_service.check_body(body)
    return EventSourceResponse(_iterate_events(decode_service, body, path))


async def _iterate_events(
    decode_service: DecodeService, body: DecodeBody, path: str
) -> AsyncIterator[JSONServerSentEvent]:
    """The events `sentence`, then `decoded`, or `problem` where the decode fails."""

    async def decode_watched(send_event: SendEvent[JSONServerSentEvent]) -> JSONServerSentEvent:
        decoded = await _decode_body(
            decode_service,
            body,
            lambda ended: send_event(
                JSONServerSentEvent(SentenceBody.of(ended).model_dump(), event="sentence")
            ),
        )
        return JSONServerSentEvent(decoded, event="decoded")

    try:
        async with aclosing(stream_work(decode_watched)) as events:
            async for event in events:
                yield event
    except TrellisError as error:
        yield JSONServerSentEvent(describe_error(error, path).model_dump(), event="problem")
