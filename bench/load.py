"""A load test: many clients ask a service on this machine at once.

Only loopback addresses are allowed, for a load on somebody else's machine is an attack.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import cycle, islice

import httpx

from trellis.app.answer_cache import RECALL
from trellis.client import Client
from trellis.domain.errors import BusyError, InputError, TrellisError

_BUSY_SECONDS = 0.2
_LOOK_SECONDS = 0.05
_FIGURES = {"q/s": ".1f", "p50 ms": ".0f", "p95 ms": ".0f", "p99 ms": ".0f"}


@dataclass(frozen=True, slots=True)
class LoadResult:
    """The figures of a load test. `answer_seconds`: seconds of each answer; `error_counts`: errors
    counted by name; `refused`: questions that got a 429; `memory`: MiB of the service before and
    after; `processor_seconds`: what the service spent meanwhile; `recalled`: answers from its
    memory of earlier ones; `live_seconds`: what `/livez` took meanwhile, again and again."""

    seconds: float
    clients: int
    answer_seconds: Sequence[float]
    error_counts: Mapping[str, int]
    refused: int
    memory: tuple[float, float]
    processor_seconds: float
    recalled: int = 0
    live_seconds: Sequence[float] = ()

    def format_figures(self) -> dict[str, str]:
        """The rows of a table, as texts by name."""
        spent = sorted(self.answer_seconds)
        values = {
            "q/s": len(spent) / self.seconds,
            **{f"p{p} ms": 1000 * _find_percentile(spent, p) for p in (50, 95, 99)},
        }
        errors = ", ".join(f"{count} {name}" for name, count in sorted(self.error_counts.items()))
        before, after = self.memory
        return {
            "clients": str(self.clients),
            "answers": f"{len(spent)}, {self.recalled} of them remembered",
            **{name: format(values[name], form) for name, form in _FIGURES.items()},
            "livez p99 ms": f"{1000 * _find_percentile(sorted(self.live_seconds), 99):.0f}",
            "refused (429)": str(self.refused),
            "processor ms an answer": f"{1000 * self.processor_seconds / max(1, len(spent)):.0f}",
            "errors": errors or "none",
            "memory MiB": f"{before:.0f} → {after:.0f}",
        }


@dataclass(slots=True)
class _Tally:
    answer_seconds: list[float] = field(default_factory=list)
    live_seconds: list[float] = field(default_factory=list)
    error_counts: Counter[str] = field(default_factory=Counter)
    refused: int = 0
    recalled: int = 0


@dataclass(frozen=True, slots=True)
class AskedGraph:
    """What is asked of a graph of the service; no name: its default one."""

    questions: Sequence[str]
    name: str | None = None


async def measure_load(
    url: str, seconds: float, clients: int, graphs: Sequence[AskedGraph], key: str = ""
) -> LoadResult:
    """Have `clients` ask for `seconds`; InputError unless `url` is loopback.

    `graphs`: one client after the other asks the next of them, its questions in turn. `key`: sent
    where the service asks for one; it needs the scopes `ask` and `admin`.

    Every client asks at least once, and waits for its last answer, so that slow ones count too.
    """
    await _check_loopback(url)
    tally = _Tally()
    before, processor = await _read_process(url, key)
    began = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        looking = group.create_task(_look_whether_it_lives(url, tally))
        async with asyncio.TaskGroup() as asking:
            for number in range(clients):
                asked = graphs[number % len(graphs)]
                questions = islice(cycle(asked.questions), number, None)
                client = Client(url, attempts=1, key=key, graph=asked.name)
                asking.create_task(_ask_until(client, questions, began + seconds, tally))
        looking.cancel()
    spent = time.perf_counter() - began
    after, processor_after = await _read_process(url, key)
    return LoadResult(
        *(spent, clients, tally.answer_seconds, tally.error_counts, tally.refused),
        (before, after),
        processor_after - processor,
        tally.recalled,
        tally.live_seconds,
    )


async def _look_whether_it_lives(url: str, tally: _Tally) -> None:
    """Time `/livez`, which does nothing, again and again: how long the service's loop stands."""
    async with httpx.AsyncClient(base_url=url, timeout=None) as client:
        while True:
            began = time.perf_counter()
            with suppress(httpx.TransportError):  # an answer to no question
                await client.get("/livez")
            tally.live_seconds.append(time.perf_counter() - began)
            await asyncio.sleep(_LOOK_SECONDS)


async def _ask_until(client: Client, questions: Iterable[str], until: float, tally: _Tally) -> None:
    """Ask as one client until the time is up, each question after the answer to the last one."""
    async with client:
        for question in questions:
            began = time.perf_counter()
            try:
                reply = await client.ask(question)
                tally.recalled += [step.name for step in reply.steps] == [RECALL]
                tally.answer_seconds.append(time.perf_counter() - began)
            except BusyError:
                tally.refused += 1
                await asyncio.sleep(min(_BUSY_SECONDS, max(0.0, until - time.perf_counter())))
            except TrellisError as error:
                tally.error_counts[type(error).__name__] += 1
            if time.perf_counter() >= until:
                return


async def _check_loopback(url: str) -> None:
    """InputError unless every address of the host is a loopback one."""
    host = httpx.URL(url).host
    try:
        infos = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError as error:
        raise InputError(f"{host!r} is no host", "name one on this machine") from error
    if not all(ipaddress.ip_address(info[4][0]).is_loopback for info in infos):
        raise InputError(
            f"{host} is not this machine", "a load is only ever put on a loopback address"
        )


async def _read_process(url: str, key: str) -> tuple[float, float]:
    """MiB of the service's process (RSS) and its processor seconds, from its own metrics; 0 if they
    lack it."""
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    async with httpx.AsyncClient(base_url=url, headers=headers) as client:
        text = (await client.get("/metrics")).text
    return _find_metric("resident_memory_bytes", text) / 2**20, _find_metric(
        "cpu_seconds_total", text
    )


def _find_metric(name: str, text: str) -> float:
    match = re.search(rf"^process_{name} (\S+)$", text, re.MULTILINE)
    return float(match[1]) if match else 0.0


def _find_percentile(ordered: Sequence[float], percent: int) -> float:
    """The percentile by nearest rank; 0 if there are no values."""
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)] if ordered else 0.0
