"""Answers that are kept: what is old goes, and a store that is full loses no answer."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from memory_app import MemoryGraph, served
from trellis.store.answers import Store
from trellis.store.migration import migrate_store
from unit.api.asking import ask
from unit.api.test_key_access import Door, guarded

FULL = """
CREATE TRIGGER full_{table} BEFORE INSERT ON {table}
BEGIN SELECT RAISE(FAIL, 'database or disk is full'); END
"""


def change_store(folder: Path, *statements: str) -> None:
    store = sqlite3.connect(folder / "answers.db")
    for statement in statements:
        store.execute(statement)
    store.commit()
    store.close()


async def ask_twice(door: Door, header: dict[str, str]) -> list[str]:
    """The notes of the second answer."""
    for _ in range(2):
        body = await ask(door.client, headers=header)
        assert [one["name"] for one in body["answers"]] == ["Paris"]
    notes: list[str] = body["notes"]
    return notes


@pytest.mark.slow
async def test_a_full_store_is_told_and_answers_go_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with guarded(tmp_path) as door:
        asker, admin = await door.key("ask"), await door.key("admin")
        assert await ask_twice(door, asker) == []
        assert "degraded" not in (await door.client.get("/readyz")).json()
        change_store(tmp_path, *(FULL.format(table=each) for each in ("answers", "audit")))
        with caplog.at_level(logging.ERROR):
            assert any("not kept" in note for note in await ask_twice(door, asker))
        ready = await door.client.get("/readyz")
        assert (ready.status_code, ready.json()["ready"]) == (200, True)
        assert {each["part"] for each in ready.json()["degraded"]} == {"store"}
        assert "full" in ready.json()["degraded"][0]["problem"]
        told = [each for each in caplog.records if "answers go on unkept" in each.message]
        assert len(told) == 2  # one for answers and one for the audit, and not one a question
        figures = (await door.client.get("/metrics", headers=admin)).text
        assert "trellis_store_failing 1.0" in figures
        assert "trellis_store_failed_writes_total 4.0" in figures
        change_store(tmp_path, "DROP TRIGGER full_answers", "DROP TRIGGER full_audit")
        assert await ask_twice(door, asker) == []
        assert "degraded" not in (await door.client.get("/readyz")).json()
        figures = (await door.client.get("/metrics", headers=admin)).text
        assert "trellis_store_failing 0.0" in figures


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
