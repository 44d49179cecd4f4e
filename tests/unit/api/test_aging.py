"""A service whose settings say how long answers and audit rows are kept."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from memory_app import MemoryGraph, served
from trellis.store.answers import Store
from trellis.store.migration import migrate_store


@pytest.mark.parametrize(
    ("settings", "kept"), [({"answer_days": 30}, ["new"]), ({"audit_days": 1}, ["new", "old"])]
)
async def test_what_is_older_than_the_settings_say_is_deleted(
    tmp_path: Path, settings: dict[str, Any], kept: list[str]
) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path}/answers.db"
    await migrate_store(url)
    store = Store.at(url, "default")
    for id, days in (("old", 100), ("new", 1)):
        at = datetime.now(UTC) - timedelta(days=days)
        await store.save_answer(id, "Who?", "gcr", 0.1, {"answers": []}, asked_at=at)
    await store.close()
    async with served(tmp_path, MemoryGraph(), **settings) as client, asyncio.timeout(600):
        while True:
            listed = (await client.get("/v1/answers")).json()["answers"]
            if [it["id"] for it in listed] == kept:
                return
