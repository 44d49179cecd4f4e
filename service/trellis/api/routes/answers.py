"""`/v1/answers` and `/v1/conversations`: what was answered before, and feedback on it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Header, Path, Query, Response
from fastapi.responses import JSONResponse

from trellis.access.audit import note_query, note_rows
from trellis.access.callers import Caller
from trellis.api.deps import AppDep, CallerDep
from trellis.api.description import examples
from trellis.api.middleware.problems import document_errors
from trellis.api.routes.csv_rows import respond_with_csv
from trellis.app.trellis_app import TrellisApp
from trellis.domain.errors import NotAcceptableError, NotKeptError
from trellis.http.media_types import choose_media_type
from trellis.logs import set_private_texts as private
from trellis.store.tables import AnswerRow
from trellis.wire.asked import CONVERSATION_PATTERN, FeedbackRequest
from trellis.wire.bodies import ReplyBody
from trellis.wire.claims import ClaimBody
from trellis.wire.csv_text import MEDIA_TYPE as CSV
from trellis.wire.kept_answers import AnswerPageBody, AnswerSummaryBody, FeedbackReceiptBody

Id = Annotated[str, Path(description="An answer's id, or `latest`.", examples=["latest"])]
Limit = Annotated[int, Query(ge=1, le=100, examples=[5])]
_FINDABLE = r"^[^\x00]*$"  # PostgreSQL compares no text with NUL
Words = Annotated[
    str,
    Query(
        max_length=200,
        pattern=_FINDABLE,
        description="Only answers whose question holds each of these words, in any case.",
    ),
]
InConversation = Annotated[
    str | None,
    Query(pattern=CONVERSATION_PATTERN, description="Only answers of this conversation."),
]
Before = Annotated[int | None, Query(ge=1, le=2**31 - 1, description="`next` of the page before.")]
ConversationId = Annotated[
    str,
    Path(
        description="The id that its questions named.",
        pattern=CONVERSATION_PATTERN,
        examples=["capitals"],
    ),
]

router = APIRouter(prefix="/v1", tags=["questions"])


@router.get(
    "/answers",
    response_model=AnswerPageBody,
    operation_id="list_answers",
    summary="Answers given, latest first",
    responses={**document_errors(422, 503), 200: examples.KEPT},
)
async def answers(
    trellis_app: AppDep,
    caller: CallerDep,
    limit: Limit = 20,
    before: Before = None,
    query: Words = "",
    conversation: InConversation = None,
) -> AnswerPageBody:
    """A page of the answers that the store keeps: all, or those given to a key without `admin`."""
    private(query)
    rows = await trellis_app.store.list_answers(
        limit, before, caller.asker, words=query, conversation=conversation
    )
    note_rows(len(rows))
    kept = [
        AnswerSummaryBody(
            id=row.id,
            asked_at=_read_time(row),
            question=row.question,
            method=row.method,
            seconds=row.seconds,
            answers=_list_answers(row.body),
            abstained=row.body.get("abstained", False),
            conversation=row.conversation,
        )
        for row in rows
    ]
    return AnswerPageBody(answers=kept, next=rows[-1].number if len(rows) == limit else None)


@router.delete(
    "/answers",
    status_code=204,
    response_class=Response,
    operation_id="delete_answers",
    summary="Delete all your answers",
    responses=document_errors(503),
)
async def delete_all(trellis_app: AppDep, caller: CallerDep) -> Response:
    """Delete all answers that were given to the caller, with the feedback on them; those given to
    others stay, whatever the caller may see."""
    note_rows(await trellis_app.store.delete_answers(caller.id))
    return Response(status_code=204)


@router.get(
    "/answers/{id}",
    response_model=ReplyBody | ClaimBody,
    operation_id="read_answer",
    summary="One answer, whole",
    responses={**document_errors(404, 406, 422, 503), 200: examples.ANSWERED_OR_ROWS},
)
async def answer(
    id: Id,
    trellis_app: AppDep,
    caller: CallerDep,
    accept: Annotated[str, Header(include_in_schema=False)] = "",
) -> Response:
    """The answer as it was given; with `Accept: text/csv` its rows as CSV."""
    media_type = choose_media_type(accept, ("application/json", CSV))
    row = await _find_row(id, trellis_app, caller)
    body = {"asked_at": _write_time(row), **row.body}  # what was kept long ago lacks it
    if media_type != CSV:
        return JSONResponse(body)
    if "answers" not in body:
        raise NotAcceptableError("a verdict on a claim has no rows", "accept application/json")
    return respond_with_csv(ReplyBody.model_validate(body))


@router.delete(
    "/answers/{id}",
    status_code=204,
    response_class=Response,
    operation_id="delete_answer",
    summary="Delete an answer",
    responses=document_errors(404, 422, 503),
)
async def delete_one(id: Id, trellis_app: AppDep, caller: CallerDep) -> Response:
    """Delete an answer that the caller may see, with the feedback on it."""
    row = await _find_row(id, trellis_app, caller)
    note_query(row.id)
    note_rows(await trellis_app.store.delete_answers(caller.asker, id=row.id))
    return Response(status_code=204)


@router.post(
    "/answers/{id}/feedback",
    response_model=FeedbackReceiptBody,
    status_code=201,
    operation_id="send_feedback",
    summary="Say whether an answer is right",
    responses={**document_errors(400, 404, 413, 415, 422, 503), 201: examples.NOTED},
)
async def feedback(
    id: Id, said: FeedbackRequest, trellis_app: AppDep, caller: CallerDep
) -> FeedbackReceiptBody:
    """Keep feedback beside the answer; an answer may have several."""
    private(*said.expected, said.comment)
    row = await _find_row(id, trellis_app, caller)
    note_query(row.id)
    note = await trellis_app.store.save_feedback(row.id, said.right, said.expected, said.comment)
    return FeedbackReceiptBody(id=row.id, noted_at=note.noted_at)


@router.delete(
    "/conversations/{id}",
    status_code=204,
    response_class=Response,
    operation_id="delete_conversation",
    summary="Delete a conversation",
    responses=document_errors(404, 422, 503),
)
async def delete_conversation(
    id: ConversationId, trellis_app: AppDep, caller: CallerDep
) -> Response:
    """Delete all answers of a conversation of the caller's, with the feedback on them."""
    note_query(id)
    deleted = await trellis_app.store.delete_answers(caller.id, conversation=id)
    if not deleted:
        raise NotKeptError(
            "no conversation of that id is kept", "see /v1/answers for the answers that are"
        )
    note_rows(deleted)
    return Response(status_code=204)


def _read_time(row: AnswerRow) -> datetime:
    return row.asked_at.replace(tzinfo=row.asked_at.tzinfo or UTC)  # SQLite has none


def _write_time(row: AnswerRow) -> str:
    """When an answer was asked, as bodies write it."""
    return _read_time(row).isoformat().replace("+00:00", "Z")


def _list_answers(body: dict[str, Any]) -> list[str]:
    """The names of an answer; of a claim its verdict."""
    if "verdict" in body and "answers" not in body:
        return [body["verdict"]]
    return [answer["name"] for answer in body["answers"]]


async def _find_row(id: str, trellis_app: TrellisApp, caller: Caller) -> AnswerRow:
    """The answer, if it was given to this caller, or the caller may see those of others too."""
    if id == "latest":
        row = next(iter(await trellis_app.store.list_answers(1, asker=caller.asker)), None)
    else:
        row = await trellis_app.store.find_answer(id, caller.asker) if id.isprintable() else None
    if row is None:
        raise NotKeptError("no answer of that id is kept", "see /v1/answers for those that are")
    return row
