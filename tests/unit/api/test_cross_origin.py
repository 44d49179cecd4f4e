"""Pages of other origins: none may ask, but those that a setting names."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from pydantic import ValidationError

from memory_app import MemoryGraph, served
from trellis.api.app import create_app
from trellis.domain.errors import ServiceError
from trellis.settings import Settings

ASKED = {"question": "What is the capital of France?"}
APP, OTHER = "https://app.example", "https://evil.example"


async def preflight(client: httpx.AsyncClient, origin: str, verb: str = "POST") -> httpx.Response:
    headers = {
        "Origin": origin,
        "Access-Control-Request-Method": verb,
        "Access-Control-Request-Headers": "content-type, authorization",
    }
    return await client.options("/v1/questions", headers=headers)


async def test_no_other_origin_may_ask_by_default(client: httpx.AsyncClient) -> None:
    assert (await preflight(client, APP)).status_code == 405
    answered = await client.post("/v1/questions", json=ASKED, headers={"Origin": APP})
    assert not [name for name in answered.headers if name.startswith("access-control")]


async def test_origins_that_are_named_may_ask_and_no_others(tmp_path: Path) -> None:
    named = f" {APP} , http://localhost:3000"
    async with served(tmp_path, MemoryGraph(), cors_origins=named) as client:
        allowed = await preflight(client, APP, "DELETE")
        assert allowed.status_code == 200
        assert allowed.headers["access-control-allow-origin"] == APP
        assert "DELETE" in allowed.headers["access-control-allow-methods"]
        assert "access-control-allow-credentials" not in allowed.headers
        assert (await preflight(client, OTHER)).status_code == 400
        for path, status in (("/v1/answers", 200), ("/v1/answers/none", 404)):
            told = await client.get(path, headers={"Origin": APP})
            assert (told.status_code, told.headers["access-control-allow-origin"]) == (status, APP)
            assert "X-Request-ID" in told.headers["access-control-expose-headers"]
            others = await client.get(path, headers={"Origin": OTHER})
            assert "access-control-allow-origin" not in others.headers


def test_any_origin_may_ask_only_where_a_key_is_asked_for() -> None:
    with pytest.raises(ServiceError, match="TRELLIS_REQUIRE_KEYS"):
        create_app(Settings(cors_origins="*", _env_file=None))
    create_app(Settings(cors_origins="*", require_keys=True, _env_file=None))


@pytest.mark.parametrize("origin", ["app.example", "https://app.example/path", "ftp://a", "null"])
def test_what_is_no_origin_is_refused(origin: str) -> None:
    with pytest.raises(ValidationError, match="scheme://host"):
        Settings(cors_origins=origin, _env_file=None)
