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
def serving(folder: Path, keys: str = "without") -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A service of a small graph in a process of its own, and its address."""
    command = [sys.executable, "-c", SERVICE, str(TESTS), str(folder), keys]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip(), process
    finally:
        process.kill()
        process.communicate()


async def collect_answers(address: str, ids: set[str], enough: asyncio.Event) -> None:
    """Ask as one client until the service is gone, and collect the ids of all answers."""
    async with httpx.AsyncClient(base_url=address, timeout=600) as client:
        while True:
            try:
                asked = {"question": "What is the capital of France?"}
                response = await client.post("/v1/questions", json=asked)
            except httpx.TransportError:
                return
            assert response.status_code == 200
            assert response.json()["notes"] == []
            ids.add(response.json()["id"])
            if len(ids) >= 60:
                enough.set()


async def test_what_was_answered_is_kept_though_the_service_is_killed(tmp_path: Path) -> None:
    ids: set[str] = set()
    enough = asyncio.Event()
    with serving(tmp_path) as (address, process):
        asking = [asyncio.create_task(collect_answers(address, ids, enough)) for _ in range(8)]
        await enough.wait()
        process.send_signal(signal.SIGKILL)
        await asyncio.gather(*asking)
    kept = sqlite3.connect(tmp_path / "answers.db")
    found = {id for (id,) in kept.execute("SELECT id FROM answers")}
    assert kept.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    kept.close()
    assert ids <= found
    with serving(tmp_path) as (address, _):
        async with httpx.AsyncClient(base_url=address, timeout=600) as client:
            listed = (await client.get("/v1/answers?limit=100")).json()["answers"]
        assert len(listed) == min(100, len(found))


async def ask_until_gone(
    address: str, key: str, answered: list[str], enough: asyncio.Event
) -> None:
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
            answered.append(response.json()["id"])
            if len(answered) >= 60:
                enough.set()


async def test_no_answer_goes_out_before_its_audit_row_is_kept(tmp_path: Path) -> None:
    answered: list[str] = []
    enough = asyncio.Event()
    with serving(tmp_path, "with keys") as (address, process):
        assert process.stdout is not None
        key = process.stdout.readline().strip()
        asking = [
            asyncio.create_task(ask_until_gone(address, key, answered, enough)) for _ in range(8)
        ]
        await enough.wait()
        process.send_signal(signal.SIGKILL)
        await asyncio.gather(*asking)
    kept = sqlite3.connect(tmp_path / "answers.db")
    [(rows,)] = kept.execute("SELECT count(*) FROM audit WHERE path = '/v1/questions'")
    kept.close()
    assert rows >= len(answered)
