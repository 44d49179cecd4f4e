"""A migrated store for the tests of access."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from trellis.store.database import Database
from trellis.store.migration import migrate_store


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    url = f"sqlite+aiosqlite:///{tmp_path}/keys.db"
    await migrate_store(url)
    opened = Database.at(url)
    yield opened
    await opened.close()
