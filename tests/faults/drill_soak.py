"""Many clients ask for a long time while the graph is written and Neo4j fails; `make faults` runs
it for two minutes, or MINUTES."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import httpx

from faults.clients import Tally, asking
from faults.drill import Running, break_part, count_lost, freeze_part, is_tight, settle
from faults.parts import Resources
from trellis.app.answer_cache import RECALL
from trellis.domain.errors import GraphError
from trellis.graph.database.connection import GraphConnection
from trellis.settings import Settings

_CLIENTS = 64
_MINUTES = 2.0
_WRITING_SECONDS, _RESTING_SECONDS = 15.0, 5.0
_WRITES_A_SECOND = 100
_FAULTS = 3  # in all, at equal distances
_FAULT_SECONDS = 3.0
_MEMORY_GROWTH = 1.05

ASKED = "Which rivers flow through Kenya?"
_RIVER = """
MATCH (k:Country {name: 'Kenya'})
CREATE (:River {name: $name, _trellis_name: $name})-[:FLOWS_THROUGH]->(k)
"""
_OTHER = "MERGE (s:Gauge {number: $number % 500}) SET s.level = $number"


@dataclass
class Soak:
    """What a long run came to. `rivers`: how many are committed; `unsure`: how many may be, as the
    writer was not told. `stale`: answers without a river that was committed before they were asked
    for."""

    rivers: int = 0
    unsure: int = 0
    writes: int = 0
    failed_writes: int = 0
    checked: int = 0
    recalled: int = 0
    stale: list[str] = field(default_factory=list)
    is_over: asyncio.Event = field(default_factory=asyncio.Event)


async def _write(running: Running, soak: Soak) -> None:
    """Write for a while, rest for a while, until the run is over."""
    settings = Settings(neo4j_uri=running.neo4j.address, _env_file=None)
    async with GraphConnection(settings) as connection:
        while not soak.is_over.is_set():
            until = time.monotonic() + _WRITING_SECONDS
            while time.monotonic() < until and not soak.is_over.is_set():
                began = time.monotonic()
                await _write_once(connection, soak)
                await asyncio.sleep(max(0.0, 1 / _WRITES_A_SECOND - (time.monotonic() - began)))
            await asyncio.sleep(_RESTING_SECONDS)


async def _write_once(connection: GraphConnection, soak: Soak) -> None:
    number = soak.writes + soak.failed_writes
    is_river = number % 500 == 0
    try:
        if is_river:
            await connection.run_write(_RIVER, name=f"Soak {number}")
        else:
            await connection.run_write(_OTHER, number=number)
    except GraphError:
        soak.failed_writes += 1
        soak.unsure += is_river
    else:
        soak.writes += 1
        soak.rivers += is_river


async def _check_answers(running: Running, soak: Soak, first: int) -> None:
    """Ask for what is written, and look whether all that was committed before is there."""
    headers = {"Authorization": f"Bearer {running.key}"}
    async with httpx.AsyncClient(
        base_url=running.service.address, headers=headers, timeout=90
    ) as client:
        while not soak.is_over.is_set():
            committed = soak.rivers
            try:
                response = await client.post("/v1/questions", json={"question": ASKED})
            except httpx.TransportError:
                continue
            if response.is_success:
                body = response.json()
                soak.checked += 1
                soak.recalled += [step["name"] for step in body["steps"]] == [RECALL]
                found = body.get("total") or len(body["answers"])
                if found < first + committed or found > first + soak.rivers + soak.unsure + 1:
                    soak.stale.append(f"{found} rivers, of {first} + {committed} ({body['notes']})")
            await asyncio.sleep(0.5)


async def _count_rivers(running: Running) -> int:
    settings = Settings(neo4j_uri=running.neo4j.address, _env_file=None)
    async with GraphConnection(settings) as connection:
        rows = await connection.read_rows(
            "MATCH (r:River)-[:FLOWS_THROUGH]->(:Country {name: 'Kenya'}) RETURN count(r) AS n"
        )
    return int(rows[0]["n"])


async def _break_neo4j(running: Running, seconds: float) -> None:
    """Freeze Neo4j and kill it in turn, at equal distances."""
    for number in range(_FAULTS):
        await asyncio.sleep(seconds / (_FAULTS + 1))
        fault = break_part if number % 2 else freeze_part
        await fault(running.neo4j, _FAULT_SECONDS)


async def test_load_leaves_nothing_behind_and_nothing_stale(
    remembering: Running, soak_rows: list[Sequence[str]]
) -> None:
    seconds = 60 * float(os.environ.get("SOAK_MINUTES") or _MINUTES)
    first, soak = await _count_rivers(remembering), Soak()
    async with (
        asyncio.TaskGroup() as group,
        asking(remembering.service.address, remembering.key, _CLIENTS) as tally,
    ):
        others = [_write(remembering, soak), _check_answers(remembering, soak, first)]
        tasks = [group.create_task(each) for each in others]
        group.create_task(_break_neo4j(remembering, seconds))
        await asyncio.sleep(seconds / 4)
        warm = remembering.resources
        await asyncio.sleep(seconds * 3 / 4)
        soak.is_over.set()
        await asyncio.gather(*tasks)
    lost = await count_lost(remembering.store_url, tally, {})
    after = await settle(remembering, warm)
    soak_rows.append(_write_row(seconds, tally, soak, warm, after))
    assert soak.checked
    assert soak.stale == []
    assert tally.untyped == []
    assert lost == 0
    assert is_tight(warm, after)
    assert after.memory <= warm.memory * _MEMORY_GROWTH


def _write_row(
    seconds: float, tally: Tally, soak: Soak, warm: Resources, after: Resources
) -> Sequence[str]:
    answers = len(tally.answers)
    return (
        f"{seconds / 60:g}",
        str(_CLIENTS),
        f"{answers} ({answers / seconds:.1f} a second)",
        tally.describe_problems(),
        f"{soak.writes} ({soak.failed_writes} failed)",
        f"{len(soak.stale)} of {soak.checked}, {soak.recalled} remembered",
        f"{warm.memory} → {after.memory}",
        f"{warm.sockets} → {after.sockets}",
        f"{warm.threads} → {after.threads}",
    )
