"""The answer store, on a real migrated database."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, create_engine, inspect, text

from trellis.domain.errors import StoreError
from trellis.store.answers import Store
from trellis.store.audit import AuditTable
from trellis.store.database import Database
from trellis.store.migration import _upgrade_tables, migrate_store
from trellis.store.tables import AuditRow, Base


@pytest.fixture
async def url(tmp_path: Path) -> str:
    address = f"sqlite+aiosqlite:///{tmp_path}/answers.db"
    await migrate_store(address)
    return address


@pytest.fixture
async def store(url: str) -> AsyncIterator[Store]:
    store = Store.at(url, "default")
    yield store
    await store.close()


async def test_an_answer_comes_back_as_it_was_kept(store: Store) -> None:
    await store.save_answer("one", "Who?", "gcr", 0.5, {"answers": [{"name": "Köln"}]})
    row = await store.find_answer("one")
    assert row is not None
    assert (row.question, row.method, row.body) == ("Who?", "gcr", {"answers": [{"name": "Köln"}]})
    assert await store.find_answer("two") is None


async def test_feedback_is_kept_in_order(store: Store) -> None:
    await store.save_answer("one", "Who?", "gcr", 0.5, {})
    await store.save_feedback("one", True, [], "")
    await store.save_feedback("one", False, ["Köln"], "not Bonn")
    said = [(row.right, row.expected, row.comment) for row in await store.list_feedback("one")]
    assert said == [(True, [], ""), (False, ["Köln"], "not Bonn")]
    assert await store.list_feedback("two") == []


async def test_answers_are_listed_latest_first_and_page_by_page(store: Store) -> None:
    for name in "abc":
        await store.save_answer(name, name, "gcr", 0.1, {})
    first = await store.list_answers(2)
    assert [row.id for row in first] == ["c", "b"]
    assert [row.id for row in await store.list_answers(2, before=first[-1].number)] == ["a"]


async def test_a_conversation_is_listed_oldest_first(store: Store) -> None:
    for name, conversation in (("a", "x"), ("b", "y"), ("c", "x"), ("d", "x"), ("e", None)):
        await store.save_answer(name, name, "gcr", 0.1, {}, "", conversation)
    await store.save_answer("f", "f", "gcr", 0.1, {}, "somebody else", "x")
    assert [row.id for row in await store.list_conversation("x", 2)] == ["c", "d"]
    assert await store.list_conversation("z", 2) == []


async def test_a_store_that_was_not_migrated_says_so(tmp_path: Path) -> None:
    store = Store.at(f"sqlite+aiosqlite:///{tmp_path}/empty.db", "default")
    with pytest.raises(StoreError, match="trellis migrate"):
        await store.check_ready()
    await store.close()


@pytest.mark.parametrize(
    "url", ["nonsense", "oracle+nothing://x", "sqlite+aiosqlite:////no/such/x.db"]
)
async def test_an_unusable_address_is_a_store_error(url: str) -> None:
    with pytest.raises(StoreError, match="TRELLIS_STORE_URL"):
        await migrate_store(url)


async def test_migrating_twice_changes_nothing(url: str, store: Store) -> None:
    await store.save_answer("one", "Who?", "gcr", 0.5, {})
    await migrate_store(url)
    assert await store.find_answer("one") is not None
    await store.check_ready()


def _differences(connection: Connection) -> list[object]:
    return list(compare_metadata(MigrationContext.configure(connection), Base.metadata))


async def test_the_migrations_make_the_tables_that_the_code_has(url: str) -> None:
    engine = create_engine(url.replace("+aiosqlite", ""))
    with engine.connect() as connection:
        assert _differences(connection) == []
    engine.dispose()


def test_services_that_migrate_at_once_all_succeed(tmp_path: Path) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path}/answers.db"
    migrate = (
        "import asyncio; from trellis.store.migration import migrate_store;"
        f"asyncio.run(migrate_store({url!r}))"
    )
    started = [
        subprocess.Popen([sys.executable, "-c", migrate], stderr=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    assert [(process.communicate()[1], process.returncode) for process in started] == [("", 0)] * 4


async def test_migrations_within_one_process_all_succeed(tmp_path: Path) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path}/answers.db"
    await asyncio.gather(*(migrate_store(url) for _ in range(4)))
    store = Store.at(url, "default")
    await store.check_ready()
    await store.close()


def test_a_migration_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/answers.db"
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE audit (number INTEGER)"))  # in the way of 0003
    with pytest.raises(StoreError, match="audit"):
        _upgrade_tables(url)
    with engine.connect() as connection:
        assert inspect(connection).get_table_names() == ["audit"]
    engine.dispose()


async def test_many_writes_at_once_are_all_kept(url: str) -> None:
    """Two services on one SQLite file: several writers there would be refused for good."""
    stores = [Store.at(url, "default"), Store.at(url, "default")]
    many = [
        stores[number % 2].save_answer(str(number), "Who?", "gcr", 0.5, {"number": number})
        for number in range(200)
    ]
    await asyncio.gather(*many)
    assert len(await stores[0].list_answers(1_000)) == 200
    for store in stores:
        await store.close()


async def test_audit_rows_that_come_at_once_are_all_kept_in_order(url: str) -> None:
    database = Database.at(url)
    audit = AuditTable(database)
    for number in range(50):
        audit.start_saving(build_audit_row(f"/{number}"))
        if number % 7 == 0:
            await audit.list_rows(1)
    await audit.finish_writes()
    rows = await audit.list_rows(100)
    assert [row.path for row in rows] == [f"/{number}" for number in reversed(range(50))]
    await database.close()


async def test_audit_rows_that_cannot_be_kept_are_told_and_end_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    database = Database.at(f"sqlite+aiosqlite:///{tmp_path}/not-migrated.db")
    audit = AuditTable(database)
    for number in range(3):
        audit.start_saving(build_audit_row(f"/{number}"))
    await audit.finish_writes()
    assert "audit rows are lost (1)" in caplog.text
    assert "audit rows are lost (2)" in caplog.text
    await database.close()


def build_audit_row(path: str) -> AuditRow:
    return AuditRow(
        at=datetime.now(UTC),
        caller="k",
        graph="default",
        verb="GET",
        path=path,
        query_hash="",
        outcome="200",
        seconds=0.1,
    )
