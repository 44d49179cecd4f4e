"""The store on a real PostgreSQL."""

from __future__ import annotations

import asyncio

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import Connection, inspect, text
from sqlalchemy.ext.asyncio import create_async_engine

from real_postgres import Postgres
from store_contract import StoreContract, build_audit_row, migrate_in_processes
from trellis.access.keys import KeyRing
from trellis.domain.errors import StoreError
from trellis.migration_files import find_migrations
from trellis.store.answers import Store
from trellis.store.audit import AuditTable
from trellis.store.database import Database
from trellis.store.keys import KeyTable
from trellis.store.migration import migrate_store
from trellis.store.tables import Base

TABLES = {"alembic_version", "answers", "audit", "calibrations", "feedback", "keys"}


class TestPostgres(StoreContract):
    """The contract, on PostgreSQL."""


async def run_on(url: str, statement: str) -> None:
    engine = create_async_engine(url)
    async with engine.begin() as connection:
        await connection.execute(text(statement))
    await engine.dispose()


async def list_tables(url: str) -> set[str]:
    engine = create_async_engine(url)
    async with engine.connect() as connection:
        names = await connection.run_sync(lambda it: inspect(it).get_table_names())
    await engine.dispose()
    return set(names)


def build_alembic_config(url: str) -> Config:
    config = Config()
    config.set_main_option("script_location", str(find_migrations("store")))
    config.attributes["url"] = url
    return config


def find_differences(connection: Connection) -> list[object]:
    context = MigrationContext.configure(connection, opts={"compare_server_default": True})
    return list(compare_metadata(context, Base.metadata))


async def test_the_migrations_make_the_tables_that_the_code_has(url: str) -> None:
    engine = create_async_engine(url)
    async with engine.connect() as connection:
        assert await connection.run_sync(find_differences) == []
    await engine.dispose()
    assert await list_tables(url) == TABLES


def test_services_that_migrate_at_once_all_succeed(empty: str) -> None:
    assert migrate_in_processes(empty, 4) == [("", 0)] * 4
    assert asyncio.run(list_tables(empty)) == TABLES


async def test_migrations_within_one_process_all_succeed(empty: str) -> None:
    await asyncio.gather(*(migrate_store(empty) for _ in range(4)))
    assert await list_tables(empty) == TABLES


async def test_a_migration_that_fails_leaves_what_was_there(empty: str) -> None:
    await run_on(empty, "CREATE TABLE audit (number INTEGER)")  # in the way of 0003
    with pytest.raises(StoreError, match="audit"):
        await migrate_store(empty)
    assert await list_tables(empty) == {"audit"}


OLD_ANSWER = """
INSERT INTO answers (id, asked_at, question, method, seconds, body)
VALUES ('old', now(), 'Who?', 'gcr', 0.5, '{}')
"""  # by all the columns that 0002 had


async def test_answers_of_an_older_version_belong_to_the_default_graph(empty: str) -> None:
    await asyncio.to_thread(command.upgrade, build_alembic_config(empty), "0002")
    await run_on(empty, OLD_ANSWER)
    await migrate_store(empty)
    store = Store.at(empty, "default")
    row = await store.find_answer("old")
    assert row is not None
    assert (row.graph, row.asker, row.body) == ("default", "", {})
    await store.close()


async def test_a_service_of_an_older_version_goes_on_writing(url: str) -> None:
    await run_on(url, OLD_ANSWER)
    store = Store.at(url, "default")
    assert [row.id for row in await store.list_answers(9)] == ["old"]
    await store.close()


async def test_every_migration_can_be_undone(url: str) -> None:
    await asyncio.to_thread(command.downgrade, build_alembic_config(url), "base")
    assert await list_tables(url) == {"alembic_version"}
    await migrate_store(url)
    assert await list_tables(url) == TABLES


async def test_a_database_that_was_not_migrated_says_so(empty: str) -> None:
    store = Store.at(empty, "default")
    with pytest.raises(StoreError, match="trellis migrate"):
        await store.check_ready()
    await store.close()


async def test_a_database_that_is_not_there_and_a_wrong_password_say_so(postgres: Postgres) -> None:
    for url in (postgres.url("nowhere"), postgres.url().replace("correct", "wrong")):
        with pytest.raises(StoreError, match="TRELLIS_STORE_URL"):
            await migrate_store(url)


async def test_what_was_stored_survives_a_server_that_is_killed(
    postgres: Postgres, url: str
) -> None:
    store = Store.at(url, "default")
    kept: list[str] = []

    async def write_answers(writer: int) -> None:
        for number in range(10_000):
            name = f"{writer}-{number}"
            await store.save_answer(name, "Who?", "gcr", 0.1, {"number": number})
            kept.append(name)
            if len(kept) == 50:
                postgres.kill()

    ends = await asyncio.gather(*(write_answers(i) for i in range(8)), return_exceptions=True)
    assert all(isinstance(end, StoreError) for end in ends)
    postgres.start()
    assert len(kept) >= 50
    for name in kept:
        assert await store.find_answer(name) is not None
    await store.save_answer("after", "Who?", "gcr", 0.1, {})
    await store.close()


async def test_audit_rows_of_a_server_that_is_killed_are_kept_when_it_is_back(
    postgres: Postgres, url: str
) -> None:
    database = Database.at(url)
    audit = AuditTable(database)
    for number in range(20):
        audit.start_saving(build_audit_row("k", path=f"/{number}"))
        if number == 9:
            await audit.finish_writes()
            postgres.kill()
    await audit.finish_writes()
    postgres.start()
    await audit.close()
    assert {row.path for row in await audit.list_rows(99)} == {f"/{it}" for it in range(20)}
    await database.close()


async def test_a_backup_brings_back_what_was_there_and_no_more(
    postgres: Postgres, database: Database, url: str
) -> None:
    name, file = url.rpartition("/")[2], postgres.folder / "trellis.dump"
    store, ring = Store(database, "default"), KeyRing(KeyTable(database))
    await store.save_answer("one", "Wer? 😀", "gcr", 0.5, {"answers": [{"name": "Köln"}]})
    await store.save_feedback("one", False, ["Bonn"], "not Köln")
    key = await ring.create_key("mobile", ["ask"])
    postgres.dump(name, file)
    await store.save_answer("late", "Who?", "gcr", 0.1, {})
    await ring.revoke_key(key.id)
    await database.close()
    postgres.restore(file, name)
    await migrate_store(url)
    row = await store.find_answer("one")
    assert row is not None
    assert (row.question, row.body) == ("Wer? 😀", {"answers": [{"name": "Köln"}]})
    assert [it.expected for it in await store.list_feedback("one")] == [["Bonn"]]
    assert await store.find_answer("late") is None
    assert (await ring.check_token(key, "")).id == key.id  # as it was: docs/operation.md says so
    await store.save_answer("two", "Who?", "gcr", 0.1, {})  # numbers go on where they were
