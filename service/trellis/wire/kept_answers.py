"""What `/v1/answers` answers: the answers that are kept, in brief, and a receipt of feedback."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, Field


class AnswerSummaryBody(BaseModel):
    """One answer that was given, in brief."""

    id: str
    asked_at: datetime
    question: str
    method: str
    seconds: float
    answers: list[str]
    abstained: bool
    conversation: str | None = Field(None, description="The conversation that it belongs to.")


class AnswerPageBody(BaseModel):
    """Answers, latest first; `next` is the `before` of the page that follows."""

    answers: list[AnswerSummaryBody]
    next: int | None = None


class FeedbackReceiptBody(BaseModel):
    """Feedback that was kept, and the answer that it is about."""

    id: str = Field(description="The answer's id.")
    noted_at: datetime
