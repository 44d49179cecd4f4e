"""The guard under hundreds of odd requests: nobody gets in by a way that was not thought of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from trellis.access.callers import SCOPES, Scope
from trellis.access.guard import AccessRequest, Admission, Guard
from trellis.access.keys import KeyRing
from trellis.access.rates import RateLimiter
from trellis.access.tokens import KeyToken
from trellis.cli.operation.serve import list_own_hosts
from trellis.domain.errors import (
    KeyInAddressError,
    KeyRefusedError,
    KeyRequiredError,
    ScopeError,
    WrongHostError,
)
from trellis.store.audit import AuditTable
from trellis.store.database import Database
from trellis.store.keys import KeyTable

_PIECES = (
    *("/", "//", "/v1", "/v1/", "questions", "/..", "/.", "%2e", "\0", "é", "\n", ";", "?", "#"),
    *("/livez", "/readyz", "/docs", "/openapi.json", "/metrics", "/page/", "/graphs"),
    *("/cypher/run", "/answers", "/latest", "/feedback", "/schema", "LIVEZ", " "),
)
_OPEN = {"/", "/livez", "/readyz", "/docs", "/redoc", "/openapi.json"}
_OPEN_FOLDERS = ("/docs/", "/page/", "/static-offline-docs/")


@pytest.fixture
def guard(database: Database) -> Guard:
    ring, audit = KeyRing(KeyTable(database)), AuditTable(database)
    return Guard(True, ring, None, RateLimiter(""), audit, False)


def request(path: str, authorization: Sequence[str] = (), query: str = "") -> AccessRequest:
    return AccessRequest("GET", path, "atlas", query, authorization, "10.0.0.1")


def make_path(random: Random) -> str:
    return "/" + "".join(random.choices(_PIECES, k=random.randint(0, 4))).lstrip("/")


def is_open_to_all(path: str) -> bool:
    """What the documentation says, in other words than the code's."""
    is_below = any(path.startswith(it) and "\n" not in path for it in _OPEN_FOLDERS)
    return path in _OPEN or (is_below and path != "/page/")


async def test_without_a_key_nobody_gets_past_what_is_open(guard: Guard) -> None:
    random, outcomes = Random(5), set()
    headers: list[list[str]] = [[], [""], ["Bearer "], ["bearer x"], ["\0"], ["Bearer a.b.c", "x"]]
    for _ in range(1_000):
        path = make_path(random)
        asked = request(path, random.choice([*headers, [f"Bearer {KeyToken.create()}"]]))
        admission = Admission()
        try:
            await guard.admit(asked, admission)
        except (KeyRequiredError, KeyRefusedError) as refused:
            assert not is_open_to_all(path), path
            assert admission.caller is None
            outcomes.add(type(refused))
        else:
            assert is_open_to_all(path), path
            outcomes.add(None)
    assert outcomes == {KeyRequiredError, KeyRefusedError, None}


@pytest.mark.parametrize("scope", SCOPES)
async def test_a_key_of_one_scope_opens_its_own_paths_alone(guard: Guard, scope: Scope) -> None:
    token = await guard.keys.create_key("one", [scope])
    paths: dict[str, Scope] = {
        **dict.fromkeys(("/v1/questions", "/v1/claims", "/v1/answers/latest"), "ask"),
        **dict.fromkeys(("/v1/links", "/v1/retrieve/paths"), "retrieve"),
        "/v1/cypher/run": "cypher",
        "/v1/answers/x/feedback": "feedback",
        **dict.fromkeys(("/metrics", "/v1", "/v1/", "/v2/questions", "/v1/questions/"), "admin"),
        **dict.fromkeys(("/v1/answers/x/y", "/v1/retrieve/", "/v1/questions\n"), "admin"),
    }
    for path, wanted in paths.items():
        asked = request(path, [f"Bearer {token}"])
        if wanted == scope:
            await guard.admit(asked, Admission())
        else:
            with pytest.raises(ScopeError):
                await guard.admit(asked, Admission())


@pytest.mark.parametrize("path", ["/v1/questions", "/livez", "/"])
async def test_a_key_in_the_address_is_refused_wherever_it_goes(guard: Guard, path: str) -> None:
    token = await guard.keys.create_key("one", ["ask"])
    for query in (
        f"q={token}",
        f"{token}",
        f"a=1&b=%74rl_{token.id}_",
        "key=1",
        "TOKEN=",
        "a;key=1&api_key",
        "access_token=",
        f"q=trl%255F{token.id}%255F",
        f"q=%252574rl_{token.id}_",
    ):
        with pytest.raises(KeyInAddressError) as refused:
            await guard.admit(request(path, [f"Bearer {token}"], query), Admission())
        assert token.secret not in str(refused.value)
    for encoded in (str(token), f"trl%5F{token.id}%5F", f"%2574rl_{token.id}_"):
        with pytest.raises(KeyInAddressError):
            await guard.admit(request(f"{path}/{encoded}", [f"Bearer {token}"], ""), Admission())
    for query in ("", "limit=5&before=3", "monkey=1", "q=trl", "keys=1"):
        await guard.admit(request(path, [f"Bearer {token}"], query), Admission())


@pytest.mark.parametrize(
    ("host", "is_own"),
    [
        ("localhost", True),
        ("LocalHost:8000", True),
        ("127.0.0.1:8000", True),
        ("[::1]:8000", True),
        ("[::1]", True),
        ("evil.example", False),
        ("evil.example:8000", False),
        ("localhost.evil.example:8000", False),
        ("", False),
    ],
)
async def test_a_request_to_another_name_is_refused(guard: Guard, host: str, is_own: bool) -> None:
    own = frozenset(list_own_hosts("127.0.0.1", "127.0.0.1", is_key_required=False).split(","))
    named = replace(guard, hosts=own)
    asked = replace(request("/livez"), host=host)
    await guard.admit(asked, Admission())
    if is_own:
        await named.admit(asked, Admission())
        return
    with pytest.raises(WrongHostError, match="TRELLIS_ALLOWED_HOSTS"):
        await named.admit(asked, Admission())


def test_where_keys_are_asked_for_any_name_will_do() -> None:
    assert list_own_hosts("127.0.0.1", "127.0.0.1", is_key_required=True) == ""
    assert list_own_hosts("0.0.0.0", "0.0.0.0", is_key_required=False) == ""
    assert "trellis.local" in list_own_hosts("127.0.0.1", "trellis.local", is_key_required=False)
