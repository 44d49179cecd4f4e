"""Many clients at once against a service on this machine: what it bears, and what that costs.

Only loopback addresses are asked, and only the one that is given: a load on somebody else's
machine is an attack.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle, islice

import httpx

from trellis.client import Client
from trellis.domain.errors import BusyError, InputError, TrellisError

_BUSY_SECONDS = 0.2
_FIGURES = {"q/s": ".1f", "p50 ms": ".0f", "p95 ms": ".0f", "p99 ms": ".0f"}


@dataclass(frozen=True, slots=True)
class Load:
    """What came of it. `took`: seconds of each answer; `failed`: errors by name, and how many
    were refused (429) and asked again; memory in MiB, before and after."""

    seconds: float
    clients: int
    took: Sequence[float]
    failed: Mapping[str, int]
    refused: int
    memory: tuple[float, float]

    def figures(self) -> dict[str, str]:
        """As a table says it."""
        spent = sorted(self.took)
        values = {
            "q/s": len(spent) / self.seconds,
            **{f"p{p} ms": 1000 * _percentile(spent, p) for p in (50, 95, 99)},
        }
        errors = ", ".join(f"{count} {name}" for name, count in sorted(self.failed.items()))
        before, after = self.memory
        return {
            "clients": str(self.clients),
            "answers": str(len(spent)),
            **{name: format(values[name], form) for name, form in _FIGURES.items()},
            "refused (429)": str(self.refused),
            "errors": errors or "none",
            "memory MiB": f"{before:.0f} → {after:.0f}",
        }


@dataclass(slots=True)
class _Tally:
    took: list[float] = field(default_factory=list)
    failed: Counter[str] = field(default_factory=Counter)
    refused: int = 0


async def load(url: str, seconds: float, clients: int, questions: Sequence[str]) -> Load:
    """Have `clients` ask `questions` in turn for `seconds`; InputError for a distant address.

    Every client asks at least once. What was asked before the time is up is waited for, so that
    slow answers count too.
    """
    await _only_here(url)
    tally = _Tally()
    before = await _memory(url)
    began = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for number in range(clients):
            asked = islice(cycle(questions), number, None)
            group.create_task(_ask_on(url, asked, began + seconds, tally))
    spent = time.perf_counter() - began
    memory = (before, await _memory(url))
    return Load(spent, clients, tally.took, tally.failed, tally.refused, memory)


async def _ask_on(url: str, questions: Iterable[str], until: float, tally: _Tally) -> None:
    """One client: question after question, none begun before the last one is answered."""
    async with Client(url, attempts=1) as client:
        for question in questions:
            began = time.perf_counter()
            try:
                await client.ask(question)
                tally.took.append(time.perf_counter() - began)
            except BusyError:
                tally.refused += 1
                await asyncio.sleep(min(_BUSY_SECONDS, max(0.0, until - time.perf_counter())))
            except TrellisError as error:
                tally.failed[type(error).__name__] += 1
            if time.perf_counter() >= until:
                return


async def _only_here(url: str) -> None:
    """InputError unless every address of the host is a loopback one."""
    host = httpx.URL(url).host
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError as error:
        raise InputError(f"{host!r} is no host", "name one on this machine") from error
    if not all(ipaddress.ip_address(address[4][0]).is_loopback for address in found):
        raise InputError(
            f"{host} is not this machine", "a load is only ever put on a loopback address"
        )


async def _memory(url: str) -> float:
    """MiB that the service's process holds (RSS), as it says itself; 0 where it does not."""
    async with httpx.AsyncClient(base_url=url) as client:
        text = (await client.get("/metrics")).text
    found = re.search(r"^process_resident_memory_bytes (\S+)$", text, re.MULTILINE)
    return float(found[1]) / 2**20 if found else 0.0


def _percentile(ordered: Sequence[float], percent: int) -> float:
    """The nearest rank; 0 of nothing."""
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)] if ordered else 0.0
