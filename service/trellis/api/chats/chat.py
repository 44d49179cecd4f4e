"""`/v1/models` and `/v1/chat/completions`: for whoever has a client of OpenAI's interface.

A model is a method: `trellis` (the default), `trellis-gcr` and so on. Earlier messages are what a
question may refer to. Errors have OpenAI's shape.
"""

from __future__ import annotations

import asyncio
import json
import time
import uuid
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Request, Response
from fastapi.responses import JSONResponse
from sse_starlette import EventSourceResponse, ServerSentEvent

from trellis.access.audit import note_query
from trellis.access.callers import Caller
from trellis.api.chats.chat_errors import ChatRoute, describe_failure, document_chat_errors
from trellis.api.chats.chat_tasks import answer_task, find_question
from trellis.api.deps import AppDep, CallerDep, GraphRuntime, RuntimeDep, take_deadline
from trellis.api.description import examples
from trellis.api.routes.events import START_SECONDS
from trellis.api.routes.questions import answer_question, count_failures
from trellis.app.trellis_app import TrellisApp
from trellis.domain.errors import QuestionError, TrellisError, UnknownModelError
from trellis.domain.replies.conversation import LONGEST_HISTORY
from trellis.http.disconnects import run_unless_client_leaves, wait_unless_client_leaves
from trellis.linking.names.spans import parse_question
from trellis.logs import log
from trellis.logs import set_private_texts as private
from trellis.methods.registry import AUTO
from trellis.wire.answer_text import read_answer_names, write_answer_text
from trellis.wire.asked import QuestionRequest, TurnBody
from trellis.wire.bodies import ReplyBody
from trellis.wire.chat import (
    ChatAnswerBody,
    ChatChoiceBody,
    ChatMessage,
    ChatModelBody,
    ChatModelsBody,
    ChatRequest,
    CompletionBody,
    Usage,
    build_chunk,
    build_usage_chunk,
)

router = APIRouter(prefix="/v1", route_class=ChatRoute, tags=["chat"])

_NAME = "trellis"
_MOST_TURNS = 8


@dataclass(frozen=True, slots=True)
class _Exchange:
    """One request and what its answers are labelled with."""

    asked: ChatRequest
    question: str
    method: str | None
    id: str = field(default_factory=lambda: f"chatcmpl-{uuid.uuid4().hex}")
    created: int = field(default_factory=lambda: int(time.time()))


@dataclass(frozen=True, slots=True)
class _Told:
    """The text of an answer, and the whole of it where the graph was asked."""

    text: str
    reply: ReplyBody | None = None

    @property
    def extension(self) -> dict[str, Any] | None:
        return self.reply.model_dump(mode="json", exclude_none=True) if self.reply else None


@router.get(
    "/models",
    operation_id="list_models",
    summary="The models by which the graph can be asked",
    responses={**document_chat_errors(503), 200: examples.MODELS},
)
async def models(trellis_app: AppDep) -> ChatModelsBody:
    """The models by which the graph can be asked."""
    return ChatModelsBody(data=await _list_models(trellis_app))


@router.get(
    "/models/{id}",
    operation_id="read_model",
    summary="One of these models",
    responses={**document_chat_errors(404, 503), 200: examples.MODEL},
)
async def model(
    id: Annotated[str, Path(examples=["trellis"])], trellis_app: AppDep
) -> ChatModelBody:
    """One of them."""
    for body in await _list_models(trellis_app):
        if body.id == id:
            return body
    raise _build_unknown_model(id)


@router.post(
    "/chat/completions",
    response_model=CompletionBody,
    operation_id="complete_chat",
    summary="Answer the last message of a chat",
    responses={
        **document_chat_errors(400, 404, 409, 413, 415, 429, 502, 503, 504),
        200: examples.COMPLETED,
    },
    dependencies=[Depends(take_deadline)],
)
async def complete(
    asked: ChatRequest,
    request: Request,
    trellis_app: AppDep,
    runtime: RuntimeDep,
    caller: CallerDep,
) -> Response:
    """The answer to the user's last message, as OpenAI's clients read it: whole, or with `stream`
    as chunks. Earlier messages are what it may refer to; other fields are not read."""
    exchange = _read_exchange(asked, trellis_app)

    async def answer() -> _Told:
        return await _answer_exchange(exchange, trellis_app, runtime, caller)

    if asked.stream:
        runtime.turns.check_capacity()
        answering = asyncio.ensure_future(answer())
        await wait_unless_client_leaves(request, answering, START_SECONDS)
        return EventSourceResponse(_stream_chunks(exchange, answering))
    told = await run_unless_client_leaves(request, answer())
    body = CompletionBody(
        id=exchange.id,
        object="chat.completion",
        created=exchange.created,
        model=asked.model,
        choices=[ChatChoiceBody(message=ChatAnswerBody(content=told.text))],
        usage=_count_usage(asked, told.text),
        trellis=told.extension,
    )
    return JSONResponse(body.model_dump(exclude=None if told.reply else {"trellis"}))


def _read_exchange(asked: ChatRequest, trellis_app: TrellisApp) -> _Exchange:
    """What is asked, checked; raises UnknownModelError and QuestionError."""
    private(*(message.text for message in asked.messages[-2 * _MOST_TURNS :]))
    method = _find_method(asked.model, trellis_app)
    if asked.messages[-1].role != "user":
        raise QuestionError("the last message is not the user's", "send a question as the last one")
    text = asked.messages[-1].text
    note_query(text)
    if answer_task(text) is None:
        trellis_app.make_question(find_question(text))
    return _Exchange(asked, text, method)


async def _answer_exchange(
    exchange: _Exchange, trellis_app: TrellisApp, runtime: GraphRuntime, caller: Caller
) -> _Told:
    task = answer_task(exchange.question)
    if task is not None:
        return _Told(task)
    asked = QuestionRequest(
        question=find_question(exchange.question),
        method=exchange.method,
        history=_read_turns(exchange.asked.messages[:-1], trellis_app.settings.question_limit),
    )
    with count_failures(runtime, trellis_app, asked.method):
        reply = await answer_question(asked, trellis_app, runtime, caller)
    return _Told(write_answer_text(reply), reply)


def _read_turns(messages: list[ChatMessage], question_limit: int) -> list[TurnBody]:
    """The last questions of the user with their answers; what is too long is left out."""
    turns: list[TurnBody] = []
    room = LONGEST_HISTORY
    for message, following in zip(messages, [*messages[1:], None], strict=False):
        text = find_question(message.text)
        if message.role != "user" or len(text) > question_limit or answer_task(text):
            continue
        answered = following is not None and following.role == "assistant"
        names = read_answer_names(following.text) if following and answered else None
        cut = None if names is None else [name[:500] for name in names[:100]]
        turns.append(TurnBody(question=text, answers=cut))
    kept: list[TurnBody] = []
    for turn in reversed(turns[-_MOST_TURNS:]):
        room -= turn.as_turn().length
        if room < 0:
            break
        kept.insert(0, turn)
    return kept


async def _stream_chunks(
    exchange: _Exchange, answering: asyncio.Future[_Told]
) -> AsyncIterator[ServerSentEvent]:
    """The chunks of a completion: the role, the paragraphs, the end with the extension."""
    id, created, model = exchange.id, exchange.created, exchange.asked.model
    yield _encode(build_chunk(id, created, model, {"role": "assistant", "content": ""}))
    try:
        told = await answering
    except Exception as error:
        if not isinstance(error, TrellisError):
            log.error("unhandled", path="/v1/chat/completions", exc_info=error)
        yield _encode({"error": describe_failure(error).model_dump()})
        return
    for piece in _split_paragraphs(told.text):
        yield _encode(build_chunk(id, created, model, {"content": piece}))
    yield _encode(build_chunk(id, created, model, {}, "stop", told.extension))
    options = exchange.asked.stream_options
    if options and options.include_usage:
        usage = _count_usage(exchange.asked, told.text)
        yield _encode(build_usage_chunk(id, created, model, usage))
    yield ServerSentEvent("[DONE]")


def _split_paragraphs(text: str) -> list[str]:
    """The text in pieces that together are the whole."""
    return [f"{piece}\n" for piece in text.split("\n")[:-1]] + [text.rpartition("\n")[2]]


def _encode(body: dict[str, Any]) -> ServerSentEvent:
    return ServerSentEvent(json.dumps(body, ensure_ascii=False))


def _count_usage(asked: ChatRequest, text: str) -> Usage:
    """The words and marks of all messages and of the answer."""
    prompt = sum(len(parse_question(message.text).atoms) for message in asked.messages)
    completion = len(parse_question(text).atoms)
    return Usage(
        prompt_tokens=prompt, completion_tokens=completion, total_tokens=prompt + completion
    )


async def _list_models(trellis_app: TrellisApp) -> list[ChatModelBody]:
    """`trellis`, and a model for each method that can answer."""
    ready = await trellis_app.pipelines.find_ready_methods()
    return [
        ChatModelBody(id=_NAME, name="Trellis"),
        *(ChatModelBody(id=f"{_NAME}-{it.name}", name=f"Trellis, {it.name}") for it in ready),
    ]


def _find_method(model: str, trellis_app: TrellisApp) -> str | None:
    """The method of a model; None is the default. Raises UnknownModelError."""
    name = model.removeprefix(f"{_NAME}-")
    if model == _NAME:
        return None
    if name == model or name not in (AUTO, *trellis_app.methods):
        raise _build_unknown_model(model)
    return name


def _build_unknown_model(model: str) -> UnknownModelError:
    return UnknownModelError(f"there is no model {model!r}", "see /v1/models for those there are")
