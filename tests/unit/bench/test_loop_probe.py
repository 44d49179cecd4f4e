"""The probe of the event loop tells what holds it, and lets waiting pass."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from bench.loop_probe import probe_loop


def compute(seconds: float) -> None:
    """Spend so many seconds of this thread's processor time."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


async def test_what_computes_in_the_loop_is_named() -> None:
    async with probe_loop(0.1) as probe:
        compute(0.15)
    [hold] = probe.holds
    assert hold == probe.longest
    assert hold.seconds >= 0.15
    assert any("test_loop_probe.py" in call and "compute" in call for call in hold.calls)


async def test_code_that_lies_in_no_file_is_named() -> None:
    made: dict[str, Any] = {"compute": compute}
    exec(compile("def burn(): compute(0.15)", "<string>", "exec"), made)
    async with probe_loop(0.1) as probe:
        made["burn"]()
    assert any(call.startswith("<string>:1 burn") for call in probe.longest.calls)


async def test_what_waits_or_computes_in_a_thread_holds_nothing() -> None:
    async with probe_loop(0.1) as probe:
        await asyncio.gather(asyncio.to_thread(compute, 0.15), asyncio.to_thread(time.sleep, 0.15))
    assert not probe.holds
