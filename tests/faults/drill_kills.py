"""Parts that are killed, frozen, filled or slowed while clients ask, and a clock that jumps; `make
faults` runs it."""

from __future__ import annotations

import shutil
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from faults.drill import (
    Drill,
    Running,
    break_part,
    change_clock,
    fill_disk,
    freeze_part,
    read_moments,
    slow_disk,
)

_AWAY_SECONDS = 3.0
_FROZEN_SECONDS = 8.0
_FAULTS = {"kill -9": partial(break_part, seconds=_AWAY_SECONDS)}
_FAULTS["SIGSTOP"] = partial(freeze_part, seconds=_FROZEN_SECONDS)


@pytest.mark.parametrize("fault", _FAULTS)
@pytest.mark.parametrize("part", ["neo4j", "service"])
async def test_a_fault_of_neo4j_or_the_service(
    on_sqlite: Running, drill: Drill, part: str, fault: str
) -> None:
    broken = getattr(on_sqlite, part)
    await drill.run(f"{part}: {fault}", on_sqlite, partial(_FAULTS[fault], broken))


@pytest.mark.parametrize("fault", _FAULTS)
@pytest.mark.parametrize("part", ["postgres", "service"])
async def test_a_fault_where_the_store_is_a_postgresql(
    on_postgres: Running, drill: Drill, part: str, fault: str
) -> None:
    broken = getattr(on_postgres, part)
    name = f"{part}{' on postgres' * (part == 'service')}: {fault}"
    await drill.run(name, on_postgres, partial(_FAULTS[fault], broken))


@pytest.mark.parametrize("fault", _FAULTS)
async def test_a_fault_of_the_worker(on_worker: Running, drill: Drill, fault: str) -> None:
    assert on_worker.worker
    await drill.run(f"worker: {fault}", on_worker, partial(_FAULTS[fault], on_worker.worker))


@pytest.mark.parametrize("fault", _FAULTS)
async def test_a_fault_of_redis(on_redis: Running, drill: Drill, fault: str) -> None:
    assert on_redis.redis
    await drill.run(f"redis: {fault}", on_redis, partial(_FAULTS[fault], on_redis.redis))


async def test_a_full_disk_of_the_store(on_small_disk: Running, drill: Drill) -> None:
    assert on_small_disk.disk
    fault = partial(fill_disk, on_small_disk.disk, _FROZEN_SECONDS)
    await drill.run("disk of the store: full", on_small_disk, fault)


async def test_a_slow_disk_of_the_store(on_sqlite: Running, drill: Drill, tmp_path: Path) -> None:
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed (Debian's package strace)")
    fault = partial(slow_disk, on_sqlite.service, tmp_path / "calls", _FROZEN_SECONDS)
    await drill.run("disk of the store: slow", on_sqlite, fault)


async def test_a_clock_that_jumps(on_own_clock: Running, drill: Drill) -> None:
    assert on_own_clock.clock
    fault = partial(change_clock, on_own_clock.clock, _FROZEN_SECONDS)
    await drill.run("clock of the service: an hour forward, back", on_own_clock, fault)
    moments = await read_moments(on_own_clock.store_url)
    assert moments[-1] - moments[0] > timedelta(hours=1.9)
