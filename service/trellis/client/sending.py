"""Sends requests, with retries where the service asks for them; failures are Trellis errors."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from typing import Any
from urllib.parse import quote

import httpx
from pydantic import ValidationError
from tenacity import (
    AsyncRetrying,
    RetryCallState,
    retry_if_result,
    stop_after_attempt,
    wait_random_exponential,
)

from trellis.domain.errors import OutOfTimeError, TrellisError, UnreachableError
from trellis.domain.reasons import with_reason
from trellis.wire.problems import Problem, rebuild_error

RETRIED_STATUSES = frozenset({429, 503})

_CONNECT_SECONDS = 5.0
_LONGEST_WAIT = 30.0
_backing_off = wait_random_exponential(multiplier=0.25, max=_LONGEST_WAIT)

_BETWEEN = re.compile(r"\r\n\r\n|\n\n|\r\r")
_LINES = re.compile(r"\r\n|\n|\r")  # not `splitlines`: JSON may hold U+2028 as it is


class Sender:
    """One pool of connections to a service."""

    def __init__(
        self,
        url: str,
        timeout: float,
        attempts: int,
        key: str = "",
        graph: str | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self.url = url.rstrip("/")
        self._timeout = timeout
        self._attempts = attempts
        self._root = f"/v1/graphs/{quote(graph, safe='')}/" if graph else "/v1/"
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        with self._translate_errors():
            self._http = httpx.AsyncClient(
                base_url=self.url,
                headers=headers,
                timeout=httpx.Timeout(timeout, connect=min(timeout, _CONNECT_SECONDS)),
                transport=transport,
            )

    async def close(self) -> None:
        await self._http.aclose()

    def build_request(
        self,
        verb: str,
        path: str,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        query: Mapping[str, Any] | None = None,
    ) -> httpx.Request:
        """A request for a path; one below `/v1/` is about the graph that is asked."""
        if path.startswith("/v1/"):
            path = self._root + path.removeprefix("/v1/")
        return self._http.build_request(verb, path, json=body, headers=headers, params=query)

    async def send_request(
        self, verb: str, path: str, body: Any = None, query: Mapping[str, Any] | None = None
    ) -> bytes:
        """The body of the response."""
        with self._translate_errors():
            response = await self._send_with_retries(
                self.build_request(verb, path, body, query=query)
            )
            return await response.aread()

    @asynccontextmanager
    async def stream_response(self, request: httpx.Request) -> AsyncIterator[AsyncIterator[str]]:
        """The text of the response, in pieces as they come."""
        with self._translate_errors():
            response = await self._send_with_retries(request)
            try:
                yield response.aiter_text()
            finally:
                await response.aclose()

    async def _send_with_retries(self, request: httpx.Request) -> httpx.Response:
        """A successful response, its body not yet read; raises the error of any other."""
        retrying = AsyncRetrying(
            stop=stop_after_attempt(self._attempts),
            wait=_choose_wait,
            retry=retry_if_result(lambda response: response.status_code in RETRIED_STATUSES),
            retry_error_callback=_last_response,
        )
        response: httpx.Response = await retrying(self._send_once, request)
        if response.is_success:
            return response
        raise _read_error(response)

    async def _send_once(self, request: httpx.Request) -> httpx.Response:
        response = await self._http.send(request, stream=True)
        if not response.is_success:
            await response.aread()
        return response

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        try:
            yield
        except httpx.TimeoutException as error:
            raise OutOfTimeError(
                f"{self.url} said nothing for {self._timeout:g} s", "ask for less, or wait longer"
            ) from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise UnreachableError(
                with_reason(f"no service answers at {self.url}", error),
                "is it running there? Start one with `trellis serve`",
            ) from error


def _choose_wait(state: RetryCallState) -> float:
    """Seconds to wait: as long as the service says, and a random time that grows."""
    after = _last_response(state).headers.get("retry-after", "")
    return min(_LONGEST_WAIT, (float(after) if after.isdecimal() else 0.0) + _backing_off(state))


def _last_response(state: RetryCallState) -> httpx.Response:
    assert state.outcome is not None
    response: httpx.Response = state.outcome.result()
    return response


def _read_error(response: httpx.Response) -> TrellisError:
    """The error of a response: the service's own where it sent one, else UnreachableError."""
    try:
        return rebuild_error(Problem.model_validate_json(response.content))
    except ValidationError:
        return UnreachableError(
            f"{response.request.url} answered {response.status_code} {response.reason_phrase}",
            "is it a Trellis service that answers there?",
        )


async def read_events(texts: AsyncIterator[str]) -> AsyncIterator[tuple[str, str]]:
    """Name and data of each event; comments (pings) are skipped."""
    waiting = ""
    async for text in texts:
        *whole, waiting = _BETWEEN.split(waiting + text)
        for block in whole:
            fields = [line.partition(":")[::2] for line in _LINES.split(block)]
            event = {name: value.removeprefix(" ") for name, value in fields}
            if "event" in event:
                yield event["event"], event.get("data", "")
