"""What a user reads where something outside fails: one line in plain words."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from openai import AsyncOpenAI, OpenAIError
from pydantic import SecretStr

from trellis.domain.errors import GraphUnavailableError, ModelDamagedError, StoreError
from trellis.domain.reasons import reason_of, with_reason
from trellis.graph.database.connection import GraphConnection
from trellis.models.folder import read_vocabulary
from trellis.settings import Settings
from trellis.store.answers import Store

NOTHING_LISTENS = "(nothing listens on that port)"


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ConnectionRefusedError(111, "Connect call failed ('::1', 1)"), "nothing listens on that"),
        (socket.gaierror(-2, "Name or service not known"), "the host's name has no address"),
        (PermissionError(13, "Permission denied", "/x"), "Permission denied"),
        (ValueError("[Errno 5]  a   reason.\nand advice"), "a reason"),
        (KeyError("vocabulary"), "'vocabulary' is missing"),
        (ModuleNotFoundError("No module named 'x'", name="x"), "the package x is not installed"),
        (ValueError(), ""),
        (ValueError("Couldn't connect to x:1 (resolved to ('x:1',)):\n"), ""),
    ],
)
def test_a_reason_is_a_few_plain_words(error: Exception, reason: str) -> None:
    found = reason_of(error)
    assert found.startswith(reason)
    assert bool(found) is bool(reason)
    assert with_reason("it failed", error) == (f"it failed ({found})" if reason else "it failed")


def test_a_reason_is_never_long_and_never_more_than_a_line() -> None:
    assert len(reason_of(ValueError("word " * 1_000))) <= 201
    assert "\n" not in reason_of(ValueError("\n\n one \n two"))


def test_what_an_error_came_from_is_the_reason_where_it_says_more() -> None:
    error = ValueError("it could not connect")
    error.__cause__ = ExceptionGroup("all failed", [ConnectionRefusedError()])
    assert reason_of(error) == "nothing listens on that port"


@pytest.mark.parametrize(
    ("uri", "said"),
    [
        ("bolt://127.0.0.1:1", "Neo4j cannot be reached at {} (nothing listens on that port)"),
        ("neo4j://127.0.0.1:1", "Neo4j cannot be reached at {} (nothing listens on that port)"),
        ("nonsense://x", "{} is no address of a Neo4j"),
    ],
)
async def test_a_neo4j_that_cannot_be_reached(uri: str, said: str) -> None:
    settings = Settings(neo4j_uri=uri, neo4j_password=SecretStr(""), _env_file=None)
    with pytest.raises(GraphUnavailableError) as told:
        async with GraphConnection(settings) as connection:
            await connection.verify_connectivity()
    assert told.value.problem == said.format(uri)
    assert "TRELLIS_NEO4J_URI" in told.value.remedy


async def test_a_hosted_model_that_cannot_be_reached() -> None:
    async with AsyncOpenAI(base_url="http://127.0.0.1:1", api_key="k", max_retries=0) as client:
        with pytest.raises(OpenAIError) as told:
            await client.models.list()
    assert with_reason("it failed", told.value) == f"it failed {NOTHING_LISTENS}"


def test_a_refusal_of_a_hosted_model_gives_its_status_and_its_words() -> None:
    class RefusedError(Exception):
        status_code = 401
        body = {"message": "Incorrect API key.", "code": "x"}  # noqa: RUF012

    assert reason_of(RefusedError()) == "it answered 401 Unauthorized: Incorrect API key"


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("nonsense", "the store's address cannot be used (it is no address of a database)"),
        ("oracle+x://y", "the store's address cannot be used (there is no such kind of database)"),
        ("sqlite+aiosqlite:////no/x.db", "the answer store failed (unable to open database file)"),
    ],
)
async def test_a_store_that_cannot_be_used(url: str, said: str) -> None:
    with pytest.raises(StoreError) as told:
        await Store.at(url, "default").check_ready()
    assert told.value.problem == said


def test_a_broken_tokenizer(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text('{"x":')
    with pytest.raises(ModelDamagedError, match=r"is not a tokenizer \(expected [^\n]*\); train"):
        read_vocabulary(tmp_path)
