"""The protocol between the service and a decoding worker: `POST /v1/decode` and its companions.

    GET  /v1/decoder     what the worker serves: `DecoderBody`
    GET  /readyz         200, or 503 while it drains or has lost its engine
    POST /v1/decode      `DecodeBody` → `DecodedBody`, or server-sent events where `stream` is set:
                         `sentence` (a `SentenceBody`, as it ends: it may still be outranked), then
                         `decoded` (a `DecodedBody`), or `problem` (a `Problem`) where it breaks off

Refusals are problems (`wire/problems.py`), by error class:

    401                           a key is wanted (`Authorization: Bearer …`)
    404 UnknownLanguageError      a language by hash that the worker does not hold: send its bytes
    409 VocabularyMismatchError   the asker's vocabulary is not the worker's
    413 TooLargeError             a language, or a body, over the worker's limit
    422 CodecError, InputError    a language that is damaged or hostile; a search without a
                                  meaning; an adapter that the worker does not serve
    429 BusyError                 as many decodes run and wait as the worker takes (Retry-After)
    503 NotReadyError             the worker starts, or drains and takes nothing new (Retry-After)
    504 DecoderTimeoutError       the deadline passed; nothing is decoded any more

A decode changes nothing, so the same request may be sent again anywhere.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any, Self

from pydantic import Base64Bytes, BaseModel, Field, model_validator

from trellis.domain.models.decoding import Mode, Search, Sentence, Support

Hash = Annotated[str, Field(pattern="^[0-9a-f]{32}$")]
TokenId = Annotated[int, Field(ge=0)]


class TemplateBody(BaseModel):
    """A prompt as text: `question` is put where `template` says `{question}`.

    Both are encoded without special tokens: what looks like one is plain text.
    """

    template: str = "{question}"
    question: str


class LanguageBody(BaseModel):
    """A language by value (`data`, as `automata.codec` encodes it), or by reference (`hash`), and
    what it has grown by since, which belongs to the request alone."""

    hash: Hash | None = Field(None, description="Of a language that this worker was sent before.")
    data: Base64Bytes | None = Field(None, description="The encoded language, in base64.")
    growth: list[Base64Bytes] = Field(
        [], max_length=64, description="What it has grown by, in order (`automata.codec.chains`)."
    )

    @model_validator(mode="after")
    def _check_one_given(self) -> Self:
        if (self.hash is None) == (self.data is None):
            raise ValueError("give either `hash` or `data`")
        return self


class SearchBody(BaseModel):
    """How to decode: the fields of `domain.models.decoding.Search`."""

    mode: Mode = "beam"
    width: int = 10
    max_tokens: int = 1_024
    temperature: float = 1.0
    length_penalty: float = 0.0
    seed: int = 0
    diversity: float = 0.0
    margin: float = 0.0
    groups: int = 0

    def to_search(self) -> Search:
        """The search as a value of the domain; InputError where a field is out of range."""
        return Search(**self.model_dump())


class SupportBody(BaseModel):
    """How much of the model's probability the language left (`domain.models.decoding.Support`)."""

    total: float = Field(0.0, le=0, allow_inf_nan=False)
    least: float = Field(0.0, le=0, allow_inf_nan=False)
    at: int = Field(0, ge=0)

    @classmethod
    def of(cls, sentence: Sentence) -> Self:
        return cls(**asdict(sentence.support or Support()))

    def to_support(self) -> Support:
        """The support as a value of the domain."""
        return Support(self.total, self.least, self.at)


class BegunBody(BaseModel):
    """A sentence that was begun: its tokens, and what it scored so far."""

    tokens: list[TokenId]
    score: float = Field(le=1e-6, allow_inf_nan=False)
    choices: int = Field(ge=0)
    support: SupportBody = SupportBody()

    @classmethod
    def of(cls, sentence: Sentence) -> Self:
        return cls(
            tokens=list(sentence.tokens),
            score=sentence.score,
            choices=sentence.choices,
            support=SupportBody.of(sentence),
        )

    def to_sentence(self) -> Sentence:
        tokens, support = tuple(self.tokens), self.support.to_support()
        return Sentence("", tokens, (), self.score, self.choices, support)


class DecodeBody(BaseModel):
    """One prompt, the language to decode in, and how."""

    prompt: list[TokenId] | TemplateBody
    language: LanguageBody
    search: SearchBody = SearchBody()
    adapter: str = Field("", description="Of `DecoderBody.adapters`; empty: the model itself.")
    vocabulary: str | None = Field(None, description="The asker's fingerprint, to be compared.")
    timeout: float | None = Field(None, gt=0, description="Seconds until nobody waits any more.")
    stream: bool = False
    parts: int | None = Field(
        None, ge=1, description="Where a language grows: its sentences stop after so many parts."
    )
    begun: list[BegunBody] = Field(
        [], max_length=1_024, description="Sentences to go on from; empty: from the start."
    )


class SentenceBody(BaseModel):
    """One sentence: its text, its tokens, its score (renormalised log-probability)."""

    text: str
    tokens: list[int]
    score: float
    choices: int
    support: SupportBody = SupportBody()

    @classmethod
    def of(cls, sentence: Sentence) -> Self:
        return cls(
            text=sentence.text,
            tokens=list(sentence.tokens),
            score=sentence.score,
            choices=sentence.choices,
            support=SupportBody.of(sentence),
        )


class DecodedBody(BaseModel):
    """The sentences, best first; `language` is the hash to name it by next time."""

    language: Hash
    sentences: list[SentenceBody]
    seconds: float = Field(description="From the request to the last sentence.")


class DecoderBody(BaseModel):
    """What a worker serves: all that a client needs to read what it writes."""

    card: dict[str, Any] = Field(description="The model's card, as `ModelCard`'s fields.")
    adapters: dict[str, str] = Field(
        {}, description="By task, the adapter that does it; empty where one model does all."
    )
    vocabulary: str = Field(description="Fingerprint of the tokenizer.")
    tokenizer: str = Field(description="The tokenizer, as Hugging Face's tokenizer.json.")
    ends: list[int] = Field(description="Ids that end a text.")
    size: int = Field(description="Token ids, padding included.")
    language_limit: int = Field(description="Bytes that an encoded language may have.")
    chat_template: str = Field("", description="Of a general model: its chat template, in Jinja.")
    chat_tokens: dict[str, str] = Field({}, description="Special tokens that the template names.")
    context: int = Field(0, description="Of a general model: the tokens that it can read.")
