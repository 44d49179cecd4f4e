"""`POST /v1/questions`: a question answered, at once or as a stream of events."""

from __future__ import annotations

import time
import uuid
from typing import Annotated, Any

from fastapi import APIRouter, Header, Response
from fastapi.responses import JSONResponse
from sse_starlette import EventSourceResponse

from trellis.api.bodies import Answered, Asked
from trellis.api.deps import HouseDep, MetricsDep
from trellis.api.events import events
from trellis.api.metrics import Metrics
from trellis.api.problems import documented
from trellis.domain.errors import StoreError, TrellisError
from trellis.domain.events import Watch, unwatched
from trellis.domain.values import Question, Reply
from trellis.wiring import House

router = APIRouter(prefix="/v1", tags=["questions"])

_STREAM: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/event-stream": {}}, "description": "The answer, or its events"}
}


@router.post(
    "/questions",
    response_model=Answered,
    summary="Answer a question from the graph",
    responses={**_STREAM, **documented(400, 409, 413, 422, 502, 503, 504)},
)
async def ask(
    asked: Asked,
    house: HouseDep,
    metrics: MetricsDep,
    accept: Annotated[str, Header(include_in_schema=False)] = "",
) -> Response:
    """Answers with their evidence. With `Accept: text/event-stream` it comes as events:
    `links`, `candidates`, `evidence`, `answer` and `done`, or `error`."""
    question = house.question(asked.question, asked.topics, asked.limit)

    async def answer(watch: Watch = unwatched) -> Answered:
        reply, seconds = await _answered(house, metrics, question, asked.method, watch)
        return await _kept(house, reply, seconds)

    if "text/event-stream" in accept:
        return EventSourceResponse(events(answer))
    return JSONResponse((await answer()).model_dump(mode="json", exclude_none=True))


async def _answered(
    house: House, metrics: Metrics, question: Question, method: str | None, watch: Watch
) -> tuple[Reply, float]:
    started = time.perf_counter()
    try:
        reply = await house.answer(question, method, watch)
    except TrellisError as error:
        name = method or house.default
        metrics.failed(name if name in house.methods else "unknown", error)
        raise
    seconds = time.perf_counter() - started
    metrics.answered(reply, seconds)
    return reply, seconds


async def _kept(house: House, reply: Reply, seconds: float) -> Answered:
    """The answer under a new id, kept in the store; a store that fails loses no answer."""
    body = Answered.of(str(uuid.uuid4()), reply)
    kept = body.model_dump(mode="json", exclude_none=True)
    try:
        await house.store.keep(body.id, reply.question, reply.method, seconds, kept)
    except StoreError as error:
        return body.model_copy(update={"notes": [*body.notes, f"not kept: {error.problem}"]})
    return body
