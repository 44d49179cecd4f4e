"""A real PostgreSQL, started once, with an empty database for each test."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from itertools import count

import pytest

from real_postgres import Postgres, find_binaries, running_postgres
from trellis.store.database import Database
from trellis.store.migration import migrate_store

_NUMBERS = count()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    binaries = find_binaries()
    if binaries is None:
        pytest.skip("PostgreSQL is not installed (Debian's package postgresql)")
    with running_postgres(binaries) as server:
        yield server


@pytest.fixture
def empty(postgres: Postgres) -> str:
    """The address of a database without tables."""
    return postgres.create_database(f"test{next(_NUMBERS)}")


@pytest.fixture
async def url(empty: str) -> str:
    """The address of a migrated database."""
    await migrate_store(empty)
    return empty


@pytest.fixture
async def database(url: str) -> AsyncIterator[Database]:
    opened = Database.at(url)
    yield opened
    await opened.close()
