"""One decoding worker over HTTP, as `wire/decoding.py` describes it, and its failures as errors."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import asdict, dataclass
from typing import TypeVar

import httpx
from cachetools import LRUCache
from pydantic import BaseModel, ValidationError

from trellis.automata.tokens.vocabulary import Tokens
from trellis.domain.errors import DecoderError, DecoderTimeoutError, TrellisError
from trellis.domain.models.decoding import Search, Sentence
from trellis.domain.reasons import with_reason
from trellis.wire.decoding import (
    BegunBody,
    DecodeBody,
    DecodedBody,
    DecoderBody,
    LanguageBody,
    SearchBody,
)
from trellis.wire.problems import Problem, rebuild_error

BodyT = TypeVar("BodyT", bound=BaseModel)

REMEDY = "check TRELLIS_WORKER_URL and that a worker runs there (`trellis worker`)"
_KEY = "set TRELLIS_WORKER_KEY to the worker's key"
_SLOW = "raise TRELLIS_WORKER_TIMEOUT, or add a worker"

_CONNECT_SECONDS = 3.0
_IDLE_SECONDS = 2.0  # below what servers wait (5), so that none closes a connection in use
_ASIDE_SECONDS = 3.0
_LONGEST_ASIDE = 30.0
_LANGUAGES = 4_096
_BUSY = 429
_AWAY = (502, 503)  # it starts or drains, or the proxy in front of it says so
_OURS = "urn:trellis:problem:"


@dataclass(frozen=True, slots=True)
class DecodeCall:
    """One decode: the prompt's tokens, the encoded language and its hash, the search, a deadline.

    `vocabulary`: fingerprint of the tokenizer. `adapter`: the worker's adapter that decodes; empty:
    the model itself. `deadline`: in the event loop's time. `growth`: what the language has grown by
    since it was encoded. `parts`: after how many parts sentences stop. `begun`: what they go on
    from.
    """

    prompt: Tokens
    language_data: bytes
    language_hash: str
    search: Search
    vocabulary: str
    deadline: float
    adapter: str = ""
    growth: tuple[bytes, ...] = ()
    parts: int | None = None
    begun: Sequence[Sentence] = ()

    def name_language(self, name: str) -> LanguageBody:
        """The language by reference."""
        return LanguageBody.model_construct(hash=name, data=None, growth=list(self.growth))

    def send_language(self) -> LanguageBody:
        """The language by value."""
        return LanguageBody.model_construct(data=self.language_data, growth=list(self.growth))

    def seconds_left(self) -> float:
        """Seconds until the deadline."""
        return self.deadline - asyncio.get_running_loop().time()

    def build_body(self, language: LanguageBody) -> DecodeBody:
        """The request body, with the language by value or by reference."""
        return DecodeBody(
            prompt=list(self.prompt),
            language=language,
            search=SearchBody(**asdict(self.search)),
            adapter=self.adapter,
            vocabulary=self.vocabulary,
            timeout=max(self.seconds_left(), 0.001),
            parts=self.parts,
            begun=[BegunBody.of(each) for each in self.begun],
        )


class UnansweredError(Exception):
    """A replica did not answer; another one may.

    `pause_seconds`: for how long not to ask it. `connection_lost`: the connection broke after the
    request was sent, so that the worker may have begun to decode.
    """

    def __init__(
        self, error: TrellisError, pause_seconds: float, *, connection_lost: bool = False
    ) -> None:
        super().__init__(str(error))
        self.error = error
        self.pause_seconds = pause_seconds
        self.connection_lost = connection_lost


class Replica:
    """One worker with its own pool of connections, its load, and the languages that it holds."""

    def __init__(self, url: str, key: str) -> None:
        self.url = url
        self.in_flight = 0
        self._agreed_at: float | None = None
        self.sent_bytes = 0
        self._names: LRUCache[str, str] = LRUCache(_LANGUAGES)
        self._aside_until = 0.0
        self._http = httpx.AsyncClient(
            base_url=url,
            headers={"Authorization": f"Bearer {key}"} if key else {},
            timeout=httpx.Timeout(None, connect=_CONNECT_SECONDS),
            limits=httpx.Limits(max_keepalive_connections=64, keepalive_expiry=_IDLE_SECONDS),
        )

    async def close(self) -> None:
        await self._http.aclose()

    @property
    def is_aside(self) -> bool:
        """Whether it failed a moment ago, and is not to be asked."""
        return time.monotonic() < self._aside_until

    def set_aside(self, seconds: float) -> None:
        """Do not ask it for some seconds, and forget what it served: another worker may return."""
        self._aside_until = time.monotonic() + seconds
        self._names.clear()
        self._agreed_at = None

    @property
    def has_agreed(self) -> bool:
        """Whether it is known to serve the same model as the others, since it last failed."""
        return self._agreed_at is not None

    def mark_agreed(self) -> None:
        """Note that it serves the same model as the others."""
        self._agreed_at = time.monotonic()

    @contextmanager
    def count_in_flight(self) -> Iterator[None]:
        """Count a request as in flight while the block runs."""
        self.in_flight += 1
        try:
            yield
        finally:
            self.in_flight -= 1

    def find_language_name(self, language_hash: str) -> str | None:
        """The worker's name of a language, if it is known to hold it."""
        return self._names.get(language_hash)

    def forget_language(self, language_hash: str, trust: float) -> None:
        """Note that it no longer holds a language: it held too many, or was restarted.

        After a restart it may serve another model, so it has to be asked again, unless that was
        done less than `trust` seconds ago.
        """
        self._names.pop(language_hash, None)
        if self._agreed_at is not None and time.monotonic() - self._agreed_at >= trust:
            self._agreed_at = None

    async def describe_worker(self, deadline: float) -> DecoderBody:
        """What the worker serves. Raises UnansweredError, DecoderError or DecoderTimeoutError."""
        async with self._open_response("GET", "/v1/decoder", None, deadline) as response:
            return self._parse_body(DecoderBody, await response.aread())

    async def check_ready(self, deadline: float) -> None:
        """Raises as `describe_worker` where the worker takes no decodes now."""
        async with self._open_response("GET", "/readyz", None, deadline):
            return

    async def decode_call(self, call: DecodeCall, language: LanguageBody) -> DecodedBody:
        """The decoded sentences; raises as `describe_worker`, or the error of a refusal."""
        sent = call.build_body(language).model_dump_json(exclude_none=True).encode()
        self.sent_bytes += len(sent)
        async with self._open_response("POST", "/v1/decode", sent, call.deadline) as response:
            decoded = self._parse_body(DecodedBody, await response.aread())
        self._names[call.language_hash] = decoded.language
        return decoded

    @asynccontextmanager
    async def _open_response(
        self, verb: str, path: str, content: bytes | None, deadline: float
    ) -> AsyncIterator[httpx.Response]:
        """A successful response, its body not yet read; raises what the failure means."""
        headers = {"Content-Type": "application/json"} if content else {}
        try:
            async with (
                asyncio.timeout_at(deadline),
                self._http.stream(verb, path, content=content, headers=headers) as response,
            ):
                if not response.is_success:
                    await response.aread()
                    self._raise_refusal(response)
                yield response
        except TimeoutError as error:
            problem = f"the worker at {self.url} did not answer in time"
            raise DecoderTimeoutError(problem, _SLOW) from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            unconnected = isinstance(error, httpx.ConnectError | httpx.ConnectTimeout)
            problem = with_reason(f"the worker at {self.url} cannot be reached", error)
            failed = DecoderError(problem, REMEDY)
            raise UnansweredError(
                failed, _ASIDE_SECONDS, connection_lost=not unconnected
            ) from error

    def _raise_refusal(self, response: httpx.Response) -> None:
        """Raise the error of a refusal; UnansweredError where another worker may answer."""
        error = self._build_error(response)
        if response.status_code == _BUSY:
            raise UnansweredError(error, 0.0)
        if response.status_code in _AWAY:
            raise UnansweredError(error, _parse_retry_after(response))
        raise error

    def _build_error(self, response: httpx.Response) -> TrellisError:
        """A refusal as an error: the worker's own where it sent one."""
        where = f"the worker at {self.url} answered {response.status_code} {response.reason_phrase}"
        if response.status_code in (401, 403):
            return DecoderError(where, _KEY)
        try:
            body = Problem.model_validate_json(response.content)
        except ValidationError:
            return DecoderError(where, REMEDY)
        if not body.type.startswith(_OURS):
            return DecoderError(f"{where}: {body.detail}", body.remedy or REMEDY)
        return rebuild_error(body)

    def _parse_body(self, kind: type[BodyT], content: bytes) -> BodyT:
        """The body of a response; DecoderError where it is not of that class."""
        try:
            return kind.model_validate_json(content)
        except ValidationError as error:
            problem = f"the worker at {self.url} did not answer as a decoding worker does"
            raise DecoderError(problem, REMEDY) from error


def _parse_retry_after(response: httpx.Response) -> float:
    """Seconds after which the worker wants to be asked again, within limits."""
    after = response.headers.get("retry-after", "")
    return min(float(after), _LONGEST_ASIDE) if after.isdecimal() else _ASIDE_SECONDS
