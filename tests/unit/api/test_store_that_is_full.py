"""A store that takes no more writes: answers go on, and whoever operates the service is told."""

from __future__ import annotations

import logging
import sqlite3
from pathlib import Path

import pytest

from unit.api.test_key_access import ASKED, Door, guarded

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
        response = await door.client.post("/v1/questions", json=ASKED, headers=header)
        assert response.status_code == 200
        assert [one["name"] for one in response.json()["answers"]] == ["Paris"]
    notes: list[str] = response.json()["notes"]
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
