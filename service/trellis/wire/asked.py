"""Bodies of requests, version 1. The examples run unchanged on the bundled graph."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import ConfigDict, Field, StrictBool, field_validator
from pydantic.config import JsonDict

from trellis.domain.replies.conversation import MOST_TURNS, Turn
from trellis.domain.replies.question import PATTERN
from trellis.wire.bodies import ReplyBody
from trellis.wire.request_bodies import RequestBody

_TEXT: JsonDict = {"minLength": 1, "maxLength": 2_000, "pattern": PATTERN}
Text = Annotated[str, Field(json_schema_extra=_TEXT)]
"""A text that `domain.replies.question.readable` accepts; the check is made there."""


def require_number(value: object) -> object:
    """Accept JSON numbers only; pydantic alone would also accept `"5"` and `true`."""
    if isinstance(value, bool | str):
        raise ValueError("must be a number")
    return value


CONVERSATION_PATTERN = r"^[A-Za-z0-9._:-]{1,64}$"
"""What the id of a conversation looks like."""

_MOST_ANSWERS = 100  # that a turn may name
_MOST_TOPICS = 20
_TOPICS = (
    "Names to start from as they stand in the graph, instead of linking; or ids of nodes, as in "
    "`choices`, which say which of several nodes of one name is meant."
)


def _build_example_config(*examples: JsonDict) -> ConfigDict:
    return ConfigDict(json_schema_extra={"examples": list(examples)})


class BudgetBody(RequestBody):
    """The most that a question may cost; lower limits of the service still hold."""

    seconds: float | None = Field(None, ge=1, le=3_600, description="From asking to answering.")
    rows: int | None = Field(None, ge=1, le=1_000_000, description="Nodes a path may reach.")
    tokens: int | None = Field(None, ge=8, le=4_096, description="Tokens of one candidate.")

    _numbers = field_validator("seconds", "rows", "tokens", mode="before")(require_number)


class TurnBody(RequestBody):
    """An earlier question of the conversation, and what is known of its answer."""

    question: Text
    answers: list[Annotated[str, Field(max_length=2_000)]] | None = Field(
        None, max_length=_MOST_ANSWERS, description="The names that answered it; unset: not known."
    )
    topics: list[Text] | None = Field(None, max_length=_MOST_TOPICS, description=_TOPICS)
    reading: str = Field("", max_length=10_000, description="How it was understood.")

    @classmethod
    def of_reply(cls, reply: ReplyBody) -> Self:
        """The turn that an answer leaves behind."""
        names = [answer.name for answer in reply.answers[:_MOST_ANSWERS]]
        links = [link for mention in reply.mentions for link in mention.links]
        chosen = [link.id for link in links if link.how == "given" and link.id]
        return cls(
            question=reply.asked or reply.question,
            answers=names,
            topics=chosen[:_MOST_TOPICS] or None,
            reading=reply.reading,
        )

    def as_turn(self) -> Turn:
        answers = None if self.answers is None else tuple(self.answers)
        return Turn(self.question, answers, tuple(self.topics or ()), self.reading)


class QuestionRequest(RequestBody):
    """A question, and how to answer it."""

    model_config = _build_example_config(
        {"question": "What is the capital of France?"},
        {
            "question": "Which rivers flow through Germany?",
            "method": "gcr",
            "topics": ["Germany"],
            "limit": 10,
            "budget": {"seconds": 10, "rows": 100},
        },
        {
            "question": "And of Germany?",
            "history": [{"question": "What is the capital of France?", "answers": ["Paris"]}],
        },
        {"question": "What is the capital of France?", "conversation": "capitals"},
    )

    question: Text = Field(description="The question, in plain language.")
    method: str | None = Field(None, description="One of `/v1/methods`; unset: the default.")
    topics: list[Text] | None = Field(
        None, min_length=1, max_length=_MOST_TOPICS, description=_TOPICS
    )
    limit: int | None = Field(None, ge=1, description="The most answers to give.")
    budget: BudgetBody | None = None
    history: list[TurnBody] | None = Field(
        None,
        max_length=MOST_TURNS,
        description="Earlier questions, the oldest first, that this one may refer to.",
    )
    conversation: str | None = Field(
        None,
        pattern=CONVERSATION_PATTERN,
        description="An id of your own, under which questions are kept: where there is no "
        "`history`, a question may refer to those that were asked under it.",
    )

    _numbers = field_validator("limit", mode="before")(require_number)


class LinkRequest(RequestBody):
    """A text whose names are to be linked."""

    model_config = _build_example_config(
        {"question": "Which country borders both France and Poland?"}
    )

    question: Text


class RetrievalRequest(RequestBody):
    """Where to start, and how far to go."""

    model_config = _build_example_config(
        {"question": "What is around Berlin?"},
        {"question": "What is around it?", "topics": ["Berlin"], "hops": 1, "limit": 5},
    )

    question: Text
    topics: list[Text] | None = Field(
        None, min_length=1, max_length=_MOST_TOPICS, description=_TOPICS
    )
    hops: int = Field(2, ge=1, le=4)
    limit: int = Field(100, ge=1, le=10_000, description="The most paths to give.")

    _numbers = field_validator("hops", "limit", mode="before")(require_number)


_STORABLE = r"^[^\x00]*$"  # PostgreSQL keeps no text with NUL


class FeedbackRequest(RequestBody):
    """What the asker thinks of an answer."""

    model_config = _build_example_config(
        {"right": True}, {"right": False, "expected": ["Paris"], "comment": "It is not Lyon."}
    )

    right: StrictBool = Field(description="Whether the answer is right.")
    expected: list[Annotated[str, Field(max_length=500, pattern=_STORABLE)]] = Field(
        [], max_length=100, description="The names that would have been right."
    )
    comment: str = Field("", max_length=2_000, pattern=_STORABLE)
