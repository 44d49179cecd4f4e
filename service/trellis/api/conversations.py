"""`/v1/conversations`: what was asked under one id."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Response

from trellis.access.audit import note_query, note_rows
from trellis.api.deps import AppDep, CallerDep
from trellis.api.problems import document_errors
from trellis.domain.errors import NotKeptError
from trellis.wire.asked import CONVERSATION_PATTERN

Id = Annotated[
    str,
    Path(
        description="The id that its questions named.",
        pattern=CONVERSATION_PATTERN,
        examples=["capitals"],
    ),
]

router = APIRouter(prefix="/v1", tags=["questions"])


@router.delete(
    "/conversations/{id}",
    status_code=204,
    response_class=Response,
    operation_id="delete_conversation",
    summary="Delete a conversation",
    responses=document_errors(404, 422, 503),
)
async def delete_conversation(id: Id, trellis_app: AppDep, caller: CallerDep) -> Response:
    """Delete all answers of a conversation of the caller's, with the feedback on them."""
    note_query(id)
    deleted = await trellis_app.store.delete_answers(caller.id, conversation=id)
    if not deleted:
        raise NotKeptError(
            "no conversation of that id is kept", "see /v1/answers for the answers that are"
        )
    note_rows(deleted)
    return Response(status_code=204)
