"""One drill: clients ask, a fault comes and goes, and what was promised is looked for."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlalchemy import func, select

from faults.clients import Tally, asking
from faults.parts import FaultyPart, PostgresPart, ProcessPart, Resources
from trellis.store.database import Database
from trellis.store.tables import AnswerRow, AuditRow, FeedbackRow

_SETTLING_SECONDS = 30.0  # that connections may take to be closed
_SPARE_SOCKETS = 6  # of pools, which hold as many connections as were needed at once
_SPARE_FILES = 40  # of the pools of an SQLite, each of whose connections is three files


@dataclass
class Running:
    """The processes of a Trellis, and a key of its service. `disk`: a small one that holds its
    store alone. `clock`: the file that sets its clock. `warm`: what the service held when it had
    answered so many clients for the first time; None before."""

    neo4j: ProcessPart
    service: ProcessPart
    store_url: str
    key: str
    postgres: PostgresPart | None = None
    worker: ProcessPart | None = None
    redis: ProcessPart | None = None
    disk: Path | None = None
    clock: Path | None = None
    warm: Resources | None = None

    @property
    def resources(self) -> Resources:
        return Resources.of(self.service.process.pid)


@dataclass(frozen=True, slots=True)
class FaultRow:
    """What became of one fault; `lost`: answers, judgements and audit rows that were promised."""

    fault: str
    clients: int
    tally: Tally
    recovery_seconds: float
    lost: int
    before: Resources
    after: Resources

    @staticmethod
    def write_table(rows: Sequence[FaultRow]) -> list[str]:
        """The rows as Markdown."""
        heads = (
            *("fault", "clients", "answers", "typed errors", "connections lost", "recovery s"),
            *("lost", "sockets", "open files", "MiB"),
        )
        return write_markdown(heads, [row._list_cells() for row in rows])

    def _list_cells(self) -> list[str]:
        unkept = f" and {self.tally.unkept} unkept" if self.tally.unkept else ""
        return [
            self.fault,
            str(self.clients),
            f"{len(self.tally.answers)}{unkept}",
            self.tally.describe_problems(),
            str(self.tally.gone),
            f"{self.recovery_seconds:.1f}",
            str(self.lost),
            f"{self.before.sockets} → {self.after.sockets}",
            f"{self.before.files} → {self.after.files}",
            f"{self.before.memory} → {self.after.memory}",
        ]


def write_markdown(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A table, line by line."""
    lines = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    return lines + [f"| {' | '.join(row)} |" for row in rows]


@dataclass(frozen=True, slots=True)
class Drill:
    """Runs faults under so many clients, and keeps a row of each."""

    clients: int
    rows: list[FaultRow]

    async def run(self, name: str, running: Running, fault: Callable[[], Awaitable[None]]) -> None:
        """Have the clients ask before, during and after a fault, which ends when all parts are
        there again; recovery is the time from then until the answer to a question that was asked
        after it. Whatever is wrong is asserted here."""
        if running.warm is None:
            await self._load(running, self.clients * 2)
            running.warm = await settle(running, None)
        before = running.resources
        audited = await _count_audited(running.store_url)
        async with asking(running.service.address, running.key, self.clients) as tally:
            await tally.until_more(self.clients)
            await fault()
            ended = time.monotonic()
            await tally.until(lambda: tally.last_begun > ended)
            recovery = time.monotonic() - ended
            await tally.until_more(self.clients)
        lost = await count_lost(running.store_url, tally, audited)
        after = await settle(running, running.warm)
        row = FaultRow(name, self.clients, tally, recovery, lost, before, after)
        self.rows.append(row)
        assert tally.untyped == []
        assert lost == 0
        assert is_tight(running.warm, after)

    async def _load(self, running: Running, answers: int) -> None:
        async with asking(running.service.address, running.key, self.clients) as tally:
            await tally.until_more(answers)


async def break_part(part: FaultyPart, seconds: float) -> None:
    """Kill a part, and start it again after some seconds."""
    await asyncio.to_thread(part.kill)
    await asyncio.sleep(seconds)
    await asyncio.to_thread(part.start)


async def fill_disk(disk: Path, seconds: float) -> None:
    """Fill a disk to its last byte for some seconds."""
    filling = disk / "filling"
    with filling.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(4096))
    await asyncio.sleep(seconds)
    filling.unlink()


async def slow_disk(service: ProcessPart, calls: Path, seconds: float) -> None:
    """Have each write of a service to its files take 20 ms more for some seconds, and 200 ms until
    the disk has it; `calls`: a new file that lists them."""
    command = ["strace", "-f", "-qq", "-o", str(calls), "-p", str(service.process.pid)]
    command += ["-e", "trace=pwrite64,fsync,fdatasync"]
    command += ["-e", "inject=pwrite64:delay_enter=20000"]
    command += ["-e", "inject=fsync,fdatasync:delay_enter=200000"]
    slowing = await asyncio.create_subprocess_exec(*command)
    await asyncio.sleep(seconds)
    slowing.terminate()
    await slowing.wait()
    assert "DELAYED" in await asyncio.to_thread(calls.read_text, encoding="utf-8")


async def change_clock(clock: Path, seconds: float) -> None:
    """Put a clock an hour forward, after some seconds an hour back, and right again after more."""
    for offset in ("+1h", "-1h"):
        set_clock(clock, offset)
        await asyncio.sleep(seconds)
    set_clock(clock, "+0")


def set_clock(clock: Path, offset: str) -> None:
    """Put the clock that a file sets off by so much."""
    clock.write_text(f"{offset}\n", encoding="ascii")


async def freeze_part(part: FaultyPart, seconds: float) -> None:
    """Freeze a part for some seconds."""
    part.freeze()
    await asyncio.sleep(seconds)
    part.thaw()


async def settle(running: Running, before: Resources | None) -> Resources:
    """What the service holds once its clients are gone: as little as before, if it comes to that
    in time."""
    now = running.resources
    until = time.monotonic() + _SETTLING_SECONDS
    while time.monotonic() < until and (before is None or not is_tight(before, now)):
        await asyncio.sleep(1)
        last, now = now, running.resources
        if before is None and last.files == now.files:
            break
    return now


def is_tight(before: Resources, after: Resources) -> bool:
    """Whether a service holds no more sockets and files than before, but for its pools."""
    sockets = after.sockets <= before.sockets + _SPARE_SOCKETS
    return sockets and after.files <= before.files + _SPARE_FILES


async def _count_audited(store_url: str) -> dict[str, int]:
    """The successful requests that the audit holds, by route."""
    database = Database.at(store_url)
    path = AuditRow.path
    query = select(path, func.count()).where(AuditRow.outcome.in_(["200", "201"])).group_by(path)
    async with database.begin_session() as session:
        rows = (await session.execute(query)).all()
    await database.close()
    return dict(rows)


async def read_moments(store_url: str) -> list[datetime]:
    """When the answers that are kept were asked for, by the service's clock, in order."""
    database = Database.at(store_url)
    async with database.begin_session() as session:
        moments = [*await session.scalars(select(AnswerRow.asked_at))]
    await database.close()
    return sorted(moments)


async def count_lost(store_url: str, tally: Tally, audited: dict[str, int]) -> int:
    """How many answers, judgements and audit rows are missing of those that clients were given;
    `audited`: what the audit held before."""
    database = Database.at(store_url)
    async with database.begin_session() as session:
        answers = {*await session.scalars(select(AnswerRow.id))}
        judged = {*await session.scalars(select(FeedbackRow.answer_id))}
    await database.close()
    now = await _count_audited(store_url)
    asked = "/v1/questions"
    rows = now.get(asked, 0) - audited.get(asked, 0)
    judgements = sum(now.get(f"/v1/answers/{id}/feedback", 0) for id in set(tally.judged))
    return (
        len({*tally.answers} - answers)
        + len({*tally.judged} - judged)
        + max(0, len(tally.answers) - rows)
        + max(0, len(tally.judged) - judgements)
    )
