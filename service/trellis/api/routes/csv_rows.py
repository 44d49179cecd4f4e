"""Responses of `text/csv`: the rows of an answer."""

from __future__ import annotations

from fastapi import Response

from trellis.wire.bodies import ReplyBody
from trellis.wire.csv_text import MEDIA_TYPE, write_csv


def respond_with_csv(body: ReplyBody) -> Response:
    """The rows in UTF-8; headers say which answer they are of, and what rows cannot say."""
    headers = {"Trellis-Answer": body.id, "Trellis-Abstained": str(body.abstained).lower()}
    if body.total:
        headers["Trellis-Total"] = str(body.total)
    headers["Content-Disposition"] = f'inline; filename="answer-{body.id}.csv"'
    return Response(write_csv(body), media_type=f"{MEDIA_TYPE}; charset=utf-8", headers=headers)
