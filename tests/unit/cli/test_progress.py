"""Progress without a terminal, and work that a signal ends at its next report."""

from __future__ import annotations

import asyncio
import os
import signal
import threading

import pytest

from trellis.cli import progress
from trellis.cli.stopping import stop_on_signals
from trellis.domain.errors import TrainingStoppedError
from trellis.graph.database.progress import Progress, ignore_progress


@pytest.fixture
def _no_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_EVERY", 0.0)
    monkeypatch.setattr(progress, "_FIRST", 0.0)


@pytest.mark.usefixtures("_no_waits")
def test_a_stage_says_how_far_it_came_and_its_note(capfd: pytest.CaptureFixture[str]) -> None:
    with progress.show_progress() as report:
        report("steps", 1, 3)
        report("steps", 2, 3, "loss 0.5, held out 0.6")
        report("steps", 3, 3)
    assert [" ".join(line.split()) for line in capfd.readouterr().err.splitlines()] == [
        "steps 1/3 0 s",
        "steps 2/3 0 s (about 0 s left), loss 0.5, held out 0.6",
        "steps 3/3 0 s, loss 0.5, held out 0.6",
    ]


@pytest.mark.parametrize(
    ("seconds", "first", "done", "total", "left"),
    [(20.0, 0, 500, 1_000, "about 20 s left"), (100.0, 900, 950, 1_050, "about 200 s left")],
)
def test_what_is_left_follows_from_what_was_done_since_the_stage_began(
    seconds: float, first: int, done: int, total: int, left: str
) -> None:
    assert left in progress._estimate_left(seconds, first, done, total)


def test_a_stage_of_unknown_length_says_where_it_ended(capfd: pytest.CaptureFixture[str]) -> None:
    with progress.show_progress() as report:
        for done in range(1, 8):
            report("rows", done, None)
    assert [line.split()[:2] for line in capfd.readouterr().err.splitlines()] == [["rows", "7"]]


def test_a_stage_that_begins_says_so(capfd: pytest.CaptureFixture[str]) -> None:
    with progress.show_progress() as report:
        report("lessons", 0, 3, "of task path")
        assert capfd.readouterr().err.split() == ["lessons", "0/3", "0", "s,", "of", "task", "path"]
        report("lessons", 1, 3)
        assert not capfd.readouterr().err


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
