"""The store, on a real migrated database."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, create_engine, inspect, text

from store_contract import StoreContract, build_audit_row, migrate_in_processes
from trellis.domain.errors import StoreError
from trellis.store.answers import Store
from trellis.store.audit import AuditTable
from trellis.store.database import Database, read_address
from trellis.store.migration import _upgrade_tables, migrate_store
from trellis.store.retention import Retention
from trellis.store.tables import Base


@pytest.fixture
def address(tmp_path: Path) -> str:
    """Of a store that is not there yet."""
    return f"sqlite+aiosqlite:///{tmp_path}/answers.db"


@pytest.fixture
async def url(address: str) -> str:
    await migrate_store(address)
    return address


@asynccontextmanager
async def open_store(url: str) -> AsyncIterator[Store]:
    store = Store.at(url, "default")
    yield store
    await store.close()


@pytest.fixture
async def store(url: str) -> AsyncIterator[Store]:
    async with open_store(url) as opened:
        yield opened


@pytest.fixture
async def database(url: str) -> AsyncIterator[Database]:
    opened = Database.at(url)
    yield opened
    await opened.close()


class TestSqlite(StoreContract):
    """The contract, on an SQLite file."""


async def test_a_store_that_was_not_migrated_says_so(address: str) -> None:
    async with open_store(address) as store:
        with pytest.raises(StoreError, match="trellis migrate"):
            await store.check_ready()


async def test_an_address_without_a_driver_gets_ours(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path}/answers.db"
    await migrate_store(address)
    async with open_store(address) as store:
        await store.check_ready()
    assert read_address("postgres://trellis@db/trellis").drivername == "postgresql+asyncpg"


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


@pytest.mark.slow
def test_services_that_migrate_at_once_all_succeed(address: str) -> None:
    assert migrate_in_processes(address, 4) == [("", 0)] * 4


async def test_migrations_within_one_process_all_succeed(address: str) -> None:
    await asyncio.gather(*(migrate_store(address) for _ in range(4)))
    async with open_store(address) as store:
        await store.check_ready()


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


async def test_many_writes_at_once_are_all_kept(url: str, store: Store) -> None:
    """Two services on one SQLite file: several writers there would be refused for good."""
    async with open_store(url) as other:
        many = [
            (store, other)[number % 2].save_answer(str(number), "Who?", "gcr", 0.5, {})
            for number in range(200)
        ]
        await asyncio.gather(*many)
    assert len(await store.list_answers(1_000)) == 200


@pytest.fixture
async def failed_audit(address: str) -> AsyncIterator[AuditTable]:
    """An audit whose first three rows could not be kept, as the store was not migrated."""
    database = Database.at(address)
    audit = AuditTable(database)
    for number in range(3):
        audit.start_saving(build_audit_row("k", path=f"/{number}"))
    await audit.finish_writes()
    yield audit
    await audit.close()
    await database.close()


async def test_audit_rows_that_cannot_be_kept_are_told_and_end_nothing(
    failed_audit: AuditTable, caplog: pytest.LogCaptureFixture
) -> None:
    told = "\n".join(record.getMessage() for record in caplog.get_records("setup"))
    assert told.count("answers go on unkept: the answer store failed") == 1
    assert failed_audit.health.failed == 2  # the first row, then all three


async def test_audit_rows_of_a_store_that_was_away_are_kept_when_it_is_back(
    failed_audit: AuditTable, address: str
) -> None:
    await migrate_store(address)
    failed_audit.start_saving(build_audit_row("k", path="/3"))
    await failed_audit.finish_writes()
    assert [row.path for row in await failed_audit.list_rows(9)] == ["/3", "/2", "/1", "/0"]


async def test_audit_rows_that_failed_are_stored_when_the_service_ends(
    failed_audit: AuditTable, address: str
) -> None:
    await migrate_store(address)
    await failed_audit.close()
    assert len(await failed_audit.list_rows(9)) == 3


async def test_what_is_deleted_leaves_nothing_in_the_file(
    tmp_path: Path, store: Store, database: Database
) -> None:
    await store.save_answer("one", "Where is the hidden treasure?", "gcr", 0.5, {})
    retention = Retention(database)
    assert (await retention.delete_rows(retention.choose_older(0, None))).answers == 1
    await store.close()
    await database.close()
    files = await asyncio.to_thread(lambda: [*tmp_path.iterdir()])
    assert files
    assert not [file for file in files if b"treasure" in file.read_bytes()]
