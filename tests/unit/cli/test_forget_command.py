"""`trellis forget`, as a user types it."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from trellis.cli.operation.forget import forget
from trellis.domain.errors import RetentionError
from trellis.store.answers import Store
from trellis.store.migration import migrate_store


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    address = f"sqlite+aiosqlite:///{tmp_path}/answers.db"
    monkeypatch.setenv("TRELLIS_STORE_URL", address)
    return address


def run(*arguments: str) -> Result:
    app = typer.Typer()
    app.command()(forget)
    return CliRunner().invoke(app, arguments, terminal_width=200)


async def save_answers(url: str) -> None:
    """An answer of today, and one of a hundred days ago, by one key each."""
    await migrate_store(url)
    store = Store.at(url, "default")
    for id, days in (("new", 0), ("old", 100)):
        at = datetime.now(UTC) - timedelta(days=days)
        await store.save_answer(id, "Who?", "gcr", 0.1, {}, f"key-{id}", asked_at=at)
    await store.close()


def test_what_is_old_is_counted_then_deleted_and_then_one_caller(url: str) -> None:
    asyncio.run(save_answers(url))
    counted = run("--answers", "90", "--audit", "30", "--dry-run")
    assert counted.stdout == "would delete 1 answer, 0 audit rows and 0 keys\n"
    for found in ("1 answer", "0 answers"):
        assert run("--answers", "90").stdout == f"deleted {found}, 0 audit rows and 0 keys\n"
    assert run("--caller", "key-new", "--dry-run").stdout.startswith("would delete 1 answer,")
    assert run("--caller", "key-new").stdout == "deleted 1 answer, 0 audit rows and 0 keys\n"


@pytest.mark.parametrize(
    "arguments", [[], ["--dry-run"], ["--answers", "1", "--caller", "me"], ["--answers", "-1"]]
)
def test_it_is_told_what_to_delete_by_one_thing(url: str, arguments: list[str]) -> None:
    assert url
    assert run(*arguments).exit_code == 2


def test_nobody_is_no_caller(url: str) -> None:
    assert url
    assert isinstance(run("--caller", "").exception, RetentionError)
