"""Work that a signal stops ends at its next report, and the process by the signal's status."""

from __future__ import annotations

import asyncio
import os
import signal
import threading

import pytest

from trellis.cli.stopping import stop_on_signals
from trellis.domain.errors import TrainingStoppedError
from trellis.graph.progress import Progress, ignore_progress


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_thread_keeps_its_step_before_the_process_leaves(number: signal.Signals) -> None:
    began, kept = threading.Event(), list[int]()

    def work(report: Progress) -> None:
        for step in range(1, 1_000_000):
            try:
                report("steps", step, None)
            except TrainingStoppedError as stopped:
                kept.append(step)
                raise stopped.keep(step) from None
            began.set()

    async def run(report: Progress) -> None:
        working = asyncio.create_task(asyncio.to_thread(work, report))
        await asyncio.to_thread(began.wait)
        os.kill(os.getpid(), number)
        await working

    before = signal.getsignal(number)
    with stop_on_signals(ignore_progress) as report:
        with pytest.raises(SystemExit) as left:
            asyncio.run(run(report))
        assert signal.getsignal(number) == signal.SIG_DFL  # a second one ends it at once
    assert left.value.code == 128 + number
    [step] = kept
    assert report.describe() == (
        f"stopped, and step {step:,} is kept: the same command goes on behind it"
    )
    assert signal.getsignal(number) == before


def test_where_nothing_was_kept_it_does_not_say_so() -> None:
    with stop_on_signals(ignore_progress) as report:
        report("steps", 1, 2)
        with pytest.raises(SystemExit):
            os.kill(os.getpid(), signal.SIGTERM)
        with pytest.raises(TrainingStoppedError):
            report("steps", 2, 2)
    assert report.describe().startswith("stopped; the same command goes on from its last")
