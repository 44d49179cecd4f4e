"""A probe of the event loop: what holds it, by the processor time that its thread spends in one go.

Processor time tells a loop that is held from a machine that is busy: a loop that waits spends none.
"""

from __future__ import annotations

import asyncio
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

_TICK, _SAMPLE = 0.001, 0.002  # seconds

Calls = tuple[str, ...]
"""The calls that a thread is in, the innermost first, as `file:line function`."""


@dataclass(frozen=True, slots=True)
class LoopHold:
    """Processor seconds for which the loop was held, and the calls that most samples found it in;
    none where it was over before a sample."""

    seconds: float
    calls: Calls


@dataclass(slots=True)
class LoopProbe:
    """What held the loop while the probe ran; `holds`: those of at least `least` seconds."""

    least: float
    longest: LoopHold = LoopHold(0.0, ())
    holds: list[LoopHold] = field(default_factory=list)
    _samples: list[Calls] = field(default_factory=list)
    _has_ended: threading.Event = field(default_factory=threading.Event)

    async def measure_ticks(self) -> None:
        """Note how much the loop's thread spends between two ticks of the loop."""
        while not self._has_ended.is_set():
            before = time.thread_time()
            await asyncio.sleep(_TICK)
            self._note_hold(time.thread_time() - before)

    def _note_hold(self, seconds: float) -> None:
        samples, self._samples = self._samples, []
        if seconds < min(self.least, self.longest.seconds):
            return
        [(calls, _)] = Counter(samples).most_common(1) or [((), 0)]
        hold = LoopHold(seconds, calls)
        self.longest = max(self.longest, hold, key=lambda each: each.seconds)
        if seconds >= self.least:
            self.holds.append(hold)

    def sample_calls(self, thread: int) -> None:
        """Note again and again, in another thread, which calls the loop's thread is in."""
        while not self._has_ended.wait(_SAMPLE):
            frame = sys._current_frames().get(thread)
            calls = traceback.extract_stack(frame) if frame else []
            if calls and calls[-1].name != "select":
                self._samples.append(tuple(map(_write_call, reversed(calls))))

    def end(self) -> None:
        self._has_ended.set()


@asynccontextmanager
async def probe_loop(least: float) -> AsyncIterator[LoopProbe]:
    """Probe the running loop; what holds it for at least so many seconds is kept."""
    probe = LoopProbe(least)
    sampler = threading.Thread(target=probe.sample_calls, args=(threading.get_ident(),))
    sampler.start()
    ticks = asyncio.create_task(probe.measure_ticks())
    await asyncio.sleep(0)
    try:
        yield probe
    finally:
        await asyncio.sleep(2 * _TICK)
        probe.end()
        await ticks
        sampler.join()


def _write_call(call: traceback.FrameSummary) -> str:
    place = "/".join(Path(call.filename).parts[-2:])  # made code has no folder: `<string>`
    return f"{place}:{call.lineno} {call.name}"
