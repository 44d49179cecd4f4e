"""One decoding worker over HTTP, as `wire/decoding.py` describes it, and how its failures read."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import asdict, dataclass
from typing import TypeVar

import httpx
from cachetools import LRUCache
from pydantic import BaseModel, ValidationError

from trellis.automata.vocabulary import Tokens
from trellis.domain.decoding import Search
from trellis.domain.errors import DecoderError, DecoderTimeoutError, TrellisError
from trellis.domain.reasons import with_reason
from trellis.wire.decoding import DecodeBody, DecodedBody, DecoderBody, LanguageBody, SearchBody
from trellis.wire.problems import Problem, rebuilt

Answer = TypeVar("Answer", bound=BaseModel)

REMEDY = "check TRELLIS_WORKER_URL and that a worker runs there (`trellis worker`)"
_KEY = "set TRELLIS_WORKER_KEY to the worker's key"
_SLOW = "raise TRELLIS_WORKER_TIMEOUT, or add a worker"

_CONNECT_SECONDS = 3.0
_IDLE_SECONDS = 2.0  # fewer than servers wait (5), so that none closes what is being used
_ASIDE_SECONDS = 3.0
_LONGEST_ASIDE = 30.0
_LANGUAGES = 4_096
_BUSY = 429
_AWAY = (502, 503)  # it starts, or drains; or the proxy before it says so
_OURS = "urn:trellis:problem:"


@dataclass(frozen=True, slots=True)
class Call:
    """One decode: the prompt's tokens, the encoded language and its hash, and until when.

    `adapter`: which of the worker's adapters decodes; empty: the model itself.
    """

    prompt: Tokens
    data: bytes
    hash: str
    search: Search
    vocabulary: str
    deadline: float  # in the event loop's time
    adapter: str = ""

    def left(self) -> float:
        """Seconds that are left."""
        return self.deadline - asyncio.get_running_loop().time()

    def body(self, language: LanguageBody) -> DecodeBody:
        return DecodeBody(
            prompt=list(self.prompt),
            language=language,
            search=SearchBody(**asdict(self.search)),
            adapter=self.adapter,
            vocabulary=self.vocabulary,
            timeout=max(self.left(), 0.001),
        )


class UnansweredError(Exception):
    """A replica did not answer; another may. `seconds`: for how long to leave it alone.

    `lost`: the connection broke after the request was sent, so that work may have been done.
    """

    def __init__(self, error: TrellisError, seconds: float, *, lost: bool = False) -> None:
        super().__init__(str(error))
        self.error = error
        self.seconds = seconds
        self.lost = lost


class Replica:
    """One worker with its own pool of connections, and what is known of it."""

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
    def aside(self) -> bool:
        """Whether it failed a moment ago."""
        return time.monotonic() < self._aside_until

    def set_aside(self, seconds: float) -> None:
        """Leave it alone for a while; whatever comes back may be another worker."""
        self._aside_until = time.monotonic() + seconds
        self._names.clear()
        self._agreed_at = None

    @property
    def agreed(self) -> bool:
        """Whether it was found to serve what the others serve, since it was last away."""
        return self._agreed_at is not None

    def agree(self) -> None:
        """It serves what the others serve."""
        self._agreed_at = time.monotonic()

    @contextmanager
    def working(self) -> Iterator[None]:
        """Counted as in flight meanwhile."""
        self.in_flight += 1
        try:
            yield
        finally:
            self.in_flight -= 1

    def name(self, hash: str) -> str | None:
        """What it calls a language that it holds, as far as is known."""
        return self._names.get(hash)

    def forget(self, hash: str, trust: float) -> None:
        """It does not hold a language any more: it had too many, or was started again.

        So what it serves is to be asked anew, where that was last done over `trust` seconds ago.
        """
        self._names.pop(hash, None)
        if self._agreed_at is not None and time.monotonic() - self._agreed_at >= trust:
            self._agreed_at = None

    async def describe(self, deadline: float) -> DecoderBody:
        """What it serves. Raises UnansweredError, DecoderError or DecoderTimeoutError."""
        async with self._answer("GET", "/v1/decoder", None, deadline) as response:
            return self._read(DecoderBody, await response.aread())

    async def check(self, deadline: float) -> None:
        """Raises as `describe` where it takes no decode now."""
        async with self._answer("GET", "/readyz", None, deadline):
            return

    async def decode(self, call: Call, language: LanguageBody) -> DecodedBody:
        """As `describe`; also raises what the worker refuses with, as errors of ours."""
        sent = call.body(language).model_dump_json(exclude_none=True).encode()
        self.sent_bytes += len(sent)
        async with self._answer("POST", "/v1/decode", sent, call.deadline) as response:
            found = self._read(DecodedBody, await response.aread())
        self._names[call.hash] = found.language
        return found

    @asynccontextmanager
    async def _answer(
        self, verb: str, path: str, sent: bytes | None, deadline: float
    ) -> AsyncIterator[httpx.Response]:
        """An answer that is no refusal, its body still to be read."""
        headers = {"Content-Type": "application/json"} if sent else {}
        try:
            async with (
                asyncio.timeout_at(deadline),
                self._http.stream(verb, path, content=sent, headers=headers) as response,
            ):
                if not response.is_success:
                    await response.aread()
                    self._refused(response)
                yield response
        except TimeoutError as error:
            problem = f"the worker at {self.url} did not answer in time"
            raise DecoderTimeoutError(problem, _SLOW) from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            refused = isinstance(error, httpx.ConnectError | httpx.ConnectTimeout)
            problem = with_reason(f"the worker at {self.url} cannot be reached", error)
            failed = DecoderError(problem, REMEDY)
            raise UnansweredError(failed, _ASIDE_SECONDS, lost=not refused) from error

    def _refused(self, response: httpx.Response) -> None:
        """Raise what a refusal means."""
        error = self._error(response)
        if response.status_code == _BUSY:
            raise UnansweredError(error, 0.0)
        if response.status_code in _AWAY:
            raise UnansweredError(error, _retry_after(response))
        raise error

    def _error(self, response: httpx.Response) -> TrellisError:
        where = f"the worker at {self.url} answered {response.status_code} {response.reason_phrase}"
        if response.status_code in (401, 403):
            return DecoderError(where, _KEY)
        try:
            told = Problem.model_validate_json(response.content)
        except ValidationError:
            return DecoderError(where, REMEDY)
        if not told.type.startswith(_OURS):
            return DecoderError(f"{where}: {told.detail}", told.remedy or REMEDY)
        return rebuilt(told)

    def _read(self, kind: type[Answer], content: bytes) -> Answer:
        try:
            return kind.model_validate_json(content)
        except ValidationError as error:
            problem = f"the worker at {self.url} did not answer as a decoding worker does"
            raise DecoderError(problem, REMEDY) from error


def _retry_after(response: httpx.Response) -> float:
    said = response.headers.get("retry-after", "")
    return min(float(said), _LONGEST_ASIDE) if said.isdecimal() else _ASIDE_SECONDS
