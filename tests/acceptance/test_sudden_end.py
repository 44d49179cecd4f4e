"""A service that is killed in the middle of its work loses no answer that it gave."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

TESTS = Path(__file__).parents[1]
SERVICE = """
import asyncio, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from memory_app import MemoryGraph, app_of, listening

async def serve():
    app = app_of(Path(sys.argv[2]), MemoryGraph(), require_keys=sys.argv[3] == "with keys")
    async with listening(app) as address:
        print(address, flush=True)
        print(await app.state.guard.keys.create_key("test", ["ask"]), flush=True)
        await asyncio.Event().wait()

asyncio.run(serve())
"""


@contextmanager
def serving(folder: Path, keys: str) -> Iterator[tuple[str, str, subprocess.Popen[str]]]:
    """A service of a small graph in a process of its own, its address, and a key."""
    command = [sys.executable, "-c", SERVICE, str(TESTS), str(folder), keys]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        assert process.stdout is not None
        address, key = (process.stdout.readline().strip() for _ in range(2))
        yield address, key, process
    finally:
        process.kill()
        process.communicate()


async def ask_until_gone(address: str, key: str, ids: list[str], enough: asyncio.Event) -> None:
    """Ask as one client until the service is gone; collect the ids of all answers."""
    headers = {"Authorization": f"Bearer {key}"}
    async with httpx.AsyncClient(base_url=address, headers=headers, timeout=600) as client:
        while True:
            try:
                asked = {"question": "What is the capital of France?"}
                response = await client.post("/v1/questions", json=asked)
            except httpx.TransportError:
                return
            assert response.status_code == 200
            assert response.json()["notes"] == []
            ids.append(response.json()["id"])
            if len(ids) >= 60:
                enough.set()


async def kill_while_asking(folder: Path, keys: str) -> list[str]:
    """The ids of the answers that eight clients were given before the service was killed."""
    ids: list[str] = []
    enough = asyncio.Event()
    with serving(folder, keys) as (address, key, process):
        asking = [asyncio.create_task(ask_until_gone(address, key, ids, enough)) for _ in range(8)]
        await enough.wait()
        process.send_signal(signal.SIGKILL)
        await asyncio.gather(*asking)
    return ids


async def test_what_was_answered_is_kept_though_the_service_is_killed(tmp_path: Path) -> None:
    ids = await kill_while_asking(tmp_path, "without keys")
    kept = sqlite3.connect(tmp_path / "answers.db")
    found = {id for (id,) in kept.execute("SELECT id FROM answers")}
    assert kept.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    kept.close()
    assert set(ids) <= found
    with serving(tmp_path, "without keys") as (address, _, _):
        async with httpx.AsyncClient(base_url=address, timeout=600) as client:
            listed = (await client.get("/v1/answers?limit=100")).json()["answers"]
        assert len(listed) == min(100, len(found))


async def test_no_answer_goes_out_before_its_audit_row_is_kept(tmp_path: Path) -> None:
    ids = await kill_while_asking(tmp_path, "with keys")
    kept = sqlite3.connect(tmp_path / "answers.db")
    [(rows,)] = kept.execute("SELECT count(*) FROM audit WHERE path = '/v1/questions'")
    kept.close()
    assert rows >= len(ids)
