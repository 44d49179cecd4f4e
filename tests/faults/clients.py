"""Clients that ask and judge answers until they are stopped, and what they were told."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import cycle

import httpx

QUESTIONS = (
    "What is the capital of Kenya?",
    "How are Kenya and Uganda connected?",
    "Which rivers flow through Germany?",
    "What do France and Italy have in common?",
    "Which country borders both France and Poland?",
)
_PATIENCE = 180.0  # seconds; it only ends a drill that hangs
_BETWEEN_SECONDS = 0.2  # that a client waits after it was refused, or found nobody


@dataclass
class Tally:
    """What all clients were told. `unkept`: answers that said that they are not kept. `gone`:
    connections that broke. `untyped`: what was neither an answer nor a problem of ours."""

    answers: list[str] = field(default_factory=list)
    judged: list[str] = field(default_factory=list)
    unkept: int = 0
    gone: int = 0
    problems: Counter[str] = field(default_factory=Counter)
    untyped: list[str] = field(default_factory=list)
    last_begun: float = 0.0  # when the question was asked that was answered last
    changed: asyncio.Condition = field(default_factory=asyncio.Condition)

    def describe_problems(self) -> str:
        """How many problems of each kind there were."""
        counts = sorted(self.problems.items())
        return ", ".join(f"{count} {kind}" for kind, count in counts) or "none"

    async def until(self, is_reached: Callable[[], bool]) -> None:
        async with asyncio.timeout(_PATIENCE), self.changed:
            await self.changed.wait_for(is_reached)

    async def until_more(self, count: int) -> None:
        """Ends when so many more answers have come."""
        enough = len(self.answers) + count
        await self.until(lambda: len(self.answers) >= enough)


@asynccontextmanager
async def asking(url: str, key: str, count: int) -> AsyncIterator[Tally]:
    """So many clients that ask while the block runs; each ends its last question first."""
    tally, stop = Tally(), asyncio.Event()
    async with asyncio.TaskGroup() as group:
        for number in range(count):
            group.create_task(_ask_until(url, key, number, stop, tally))
        try:
            yield tally
        finally:
            stop.set()


async def _ask_until(url: str, key: str, number: int, stop: asyncio.Event, tally: Tally) -> None:
    questions = cycle(QUESTIONS[number % len(QUESTIONS) :] + QUESTIONS[: number % len(QUESTIONS)])
    headers = {"Authorization": f"Bearer {key}", "Trellis-Timeout": "30"}
    async with httpx.AsyncClient(base_url=url, headers=headers, timeout=90) as client:
        while not stop.is_set():
            try:
                if await _ask_once(client, next(questions), tally):
                    continue
            except httpx.TransportError:
                tally.gone += 1
            await asyncio.sleep(_BETWEEN_SECONDS)


async def _ask_once(client: httpx.AsyncClient, question: str, tally: Tally) -> bool:
    """Ask and judge the answer; whether there was one."""
    began = time.monotonic()
    response = await client.post("/v1/questions", json={"question": question})
    if not _is_success(response, tally):
        return False
    body = response.json()
    is_kept = not any(note.startswith("not kept") for note in body["notes"])
    async with tally.changed:
        tally.answers += [body["id"]] if is_kept else []
        tally.unkept += not is_kept
        tally.last_begun = max(tally.last_begun, began)
        tally.changed.notify_all()
    if is_kept:
        judged = await client.post(f"/v1/answers/{body['id']}/feedback", json={"right": True})
        if _is_success(judged, tally):
            tally.judged.append(body["id"])
    return True


def _is_success(response: httpx.Response, tally: Tally) -> bool:
    if response.is_success:
        return True
    kind = response.headers.get("content-type", "")
    if kind == "application/problem+json" and response.json()["type"] != "about:blank":
        tally.problems[response.json()["type"].rpartition(":")[2]] += 1
    else:
        tally.untyped.append(f"{response.status_code} {response.text[:300]}")
    return False
