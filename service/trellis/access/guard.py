"""Lets a request in or refuses it, and writes down what became of it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from urllib.parse import parse_qs

from trellis.access.audit import AuditNote
from trellis.access.callers import Caller, build_unknown_caller
from trellis.access.keys import KeyRing
from trellis.access.oidc import TokenIssuer
from trellis.access.rates import RateLimiter, RateState
from trellis.access.routes import find_rule, is_open
from trellis.access.spending import SecondsBudget
from trellis.access.tokens import KeyToken, hide_token, holds_token
from trellis.domain.errors import (
    KeyInAddressError,
    KeyRefusedError,
    KeyRequiredError,
    WrongHostError,
)
from trellis.store.audit import AuditTable
from trellis.store.tables import AuditRow

_KEY_PARAMETERS = frozenset({"key", "api_key", "apikey", "access_token", "token"})
_AUDIT_SECONDS = 5.0  # that an answer waits for its audit row
_LONGEST_PATH = 300
_LONGEST_HOST = 100
_PORT = re.compile(r":\d*$")
_LONGEST_HEADER = 8_000
_HOW = "send it as the header `Authorization: Bearer trl_…`"


@dataclass(frozen=True, slots=True)
class AccessRequest:
    """A request as it arrives: `path` as the routes have it, `graph` the one that it is about.

    `authorization`: all headers of that name. `address`: where it comes from. `host`: the name and
    port that it is sent to.
    """

    verb: str
    path: str
    graph: str
    query: str
    authorization: Sequence[str]
    address: str
    host: str = ""


@dataclass(slots=True)
class Admission:
    """What was found out of a request: who asks, and what is left of the limits.

    `caller` is None until one is recognised.
    """

    caller: Caller | None = None
    rates: Sequence[RateState] = field(default_factory=tuple)


@dataclass(frozen=True, slots=True)
class Guard:
    """What decides on requests. `keeps_texts`: whether audit rows hold what was asked. `hosts`: the
    names that the service goes by; none: any. `spending`: what queries of callers may take."""

    is_key_required: bool
    keys: KeyRing
    issuer: TokenIssuer | None
    rates: RateLimiter
    audit: AuditTable
    keeps_texts: bool
    hosts: frozenset[str] = frozenset()
    spending: SecondsBudget = field(default_factory=SecondsBudget)

    async def admit(self, request: AccessRequest, admission: Admission) -> None:
        """Fill in the admission; raises an AccessError, or what keeps a key from being checked."""
        self._check_host(request.host)
        _check_address(request.path, request.query)
        if is_open(request.path):
            admission.caller = build_unknown_caller(request.address)
            return
        admission.caller = await self._recognise(request)
        if self.is_key_required:
            rule = find_rule(request.path)
            admission.caller.check_scope(rule.scopes)
            if rule.is_of_graph:
                admission.caller.check_graph(request.graph)
        admission.rates = await self.rates.count_request(admission.caller)

    def _check_host(self, host: str) -> None:
        """Raise WrongHostError where a request is sent to another name: a site that resolves its
        own name to this address would else ask in its visitor's place (DNS rebinding)."""
        name = _PORT.sub("", host.lower())
        if self.hosts and name not in self.hosts:
            raise WrongHostError(
                f"the service does not go by the name {name[:_LONGEST_HOST]!r}",
                "ask it by one of its own, or add this one to TRELLIS_ALLOWED_HOSTS",
            )

    async def can_anybody_ask(self) -> bool:
        """Whether no key is asked for, or there is a valid one, or an issuer gives tokens."""
        return (
            not self.is_key_required
            or self.issuer is not None
            or bool(await self.keys.list_valid_keys())
        )

    async def _recognise(self, request: AccessRequest) -> Caller:
        if not self.is_key_required:
            return build_unknown_caller(request.address)
        token = _read_bearer(request.authorization)
        key = KeyToken.read_text(token)
        if key is not None:
            return await self.keys.check_token(key, request.address)
        if self.issuer is not None and token.count(".") == 2:
            return await self.issuer.check_token(token, request.address)
        raise KeyRefusedError("the key is not known here", _HOW)

    async def write_audit(
        self, request: AccessRequest, caller: Caller, note: AuditNote, status: int, seconds: float
    ) -> None:
        """Keep a row of a request, only of callers who showed a key; returns when it is stored, or
        when a slow store has had its time, while the row is still being stored."""
        if not caller.is_known:
            return
        text = _cut_text(note.query) if self.keeps_texts and note.query else None
        row = AuditRow(
            at=datetime.now(UTC),
            caller=caller.id,
            graph=_cut_text(request.graph, 100),
            verb=request.verb[:20],
            path=_cut_text(hide_token(request.path), _LONGEST_PATH),
            query_hash=note.query_hash,
            query=text,
            rows=note.rows,
            outcome=note.error or str(status or "left"),
            seconds=seconds,
        )
        stored = self.audit.start_saving(row)
        with suppress(TimeoutError):
            async with asyncio.timeout(_AUDIT_SECONDS):
                await stored.wait()


def _cut_text(text: str, longest: int | None = None) -> str:
    """The text as any database can keep it: without NUL, and no longer than its column."""
    return text.replace("\0", "�")[:longest]


def _check_address(path: str, query: str) -> None:
    """Raise KeyInAddressError where a key stands in the path or in the query string, however it is
    named and however often it is encoded."""
    names = {name.lower() for name in parse_qs(query, keep_blank_values=True)}
    if holds_token(path) or holds_token(query) or not names.isdisjoint(_KEY_PARAMETERS):
        raise KeyInAddressError(
            "a key stands in the address, where logs and histories keep it",
            f"revoke it if it is a real one, and {_HOW} with a new one",
        )


def _read_bearer(headers: Sequence[str]) -> str:
    """The bearer token; KeyRequiredError where there is none, KeyRefusedError for several."""
    if not headers:
        raise KeyRequiredError("this service asks for a key", _HOW)
    scheme, _, token = headers[0].partition(" ")
    if len(headers) > 1 or scheme.lower() != "bearer" or len(token) > _LONGEST_HEADER:
        raise KeyRefusedError("the header `Authorization` is not one bearer token", _HOW)
    return token.strip(" ")
