"""What OpenAI's chat interface is asked and answers, as far as a graph can answer it."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool
from pydantic.config import JsonDict

_ASKED: JsonDict = {
    "model": "trellis",
    "messages": [{"role": "user", "content": "What is the capital of France?"}],
}


class TextPart(BaseModel):
    """One part of a message; parts of other types than `text` are not read."""

    type: str
    text: str = ""


class ChatMessage(BaseModel):
    """One message; those of the system and of tools are not read."""

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: str | list[TextPart] | None = None

    @property
    def text(self) -> str:
        if isinstance(self.content, list):
            return "\n".join(part.text for part in self.content if part.type == "text")
        return self.content or ""


class StreamOptions(BaseModel):
    """Options of a stream."""

    include_usage: StrictBool = False


class ChatRequest(BaseModel):
    """A conversation whose last message of the user is answered; other fields are not read."""

    model_config = ConfigDict(json_schema_extra={"examples": [_ASKED]})

    model: str = Field(max_length=200, description="One of `/v1/models`.")
    messages: list[ChatMessage] = Field(min_length=1, max_length=2_000)
    stream: StrictBool = False
    stream_options: StreamOptions | None = None
    n: Literal[1] | None = None


class ChatModelBody(BaseModel):
    """A model by which questions can be asked."""

    id: str
    object: Literal["model"] = "model"
    created: int = 0
    owned_by: str = "trellis"
    name: str = ""


class ChatModelsBody(BaseModel):
    """All models."""

    object: Literal["list"] = "list"
    data: list[ChatModelBody]


class ChatAnswerBody(BaseModel):
    """The message of a completion."""

    role: Literal["assistant"] = "assistant"
    content: str = Field(description="The answer, with its facts as footnotes.")


class ChatChoiceBody(BaseModel):
    """The one choice of a completion."""

    index: Literal[0] = 0
    message: ChatAnswerBody
    finish_reason: Literal["stop"] = "stop"
    logprobs: None = None


class Usage(BaseModel):
    """Words and marks of what was asked and answered, where OpenAI counts tokens."""

    prompt_tokens: int
    completion_tokens: int
    total_tokens: int


class ChatErrorBody(BaseModel):
    """An error, in the shape of OpenAI's."""

    message: str
    type: str
    param: str | None = None
    code: str | None = None


class ChatErrorsBody(BaseModel):
    """What OpenAI's clients read where something is wrong."""

    error: ChatErrorBody


class CompletionBody(BaseModel):
    """A whole completion."""

    id: str
    object: Literal["chat.completion"]
    created: int = Field(description="Seconds since 1970.")
    model: str
    choices: list[ChatChoiceBody]
    usage: Usage
    trellis: dict[str, Any] | None = Field(
        None, description="The answer as `POST /v1/questions` gives it."
    )


Chunk = dict[str, Any]
"""A chunk of a completion, as JSON."""


def build_chunk(
    id: str,
    created: int,
    model: str,
    delta: dict[str, str],
    finish: str | None = None,
    extension: dict[str, Any] | None = None,
) -> Chunk:
    """A chunk of a completion that is streamed; the last one carries the extension, which is the
    answer as the service's own interface gives it."""
    choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
    head = _build_head(id, created, model)
    return {**head, "choices": [choice], **({"trellis": extension} if extension else {})}


def build_usage_chunk(id: str, created: int, model: str, usage: Usage) -> Chunk:
    """The chunk behind the last one, where usage is asked for."""
    return {**_build_head(id, created, model), "choices": [], "usage": usage.model_dump()}


def _build_head(id: str, created: int, model: str) -> Chunk:
    return {"id": id, "object": "chat.completion.chunk", "created": created, "model": model}
