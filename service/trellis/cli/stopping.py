"""Stopping work on a signal: at its next report, so that it can keep what it has done."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

from trellis.domain.errors import TrainingStoppedError
from trellis.graph.database.progress import Progress

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass
class StoppableProgress:
    """A `Progress` that raises TrainingStoppedError in whatever reports to it, once a signal came.

    `stopped`: the error that was raised; None where nothing reported since.
    """

    report: Progress
    signal_number: int | None = None
    stopped: TrainingStoppedError | None = None

    def __call__(self, stage: str, done: int, total: int | None, note: str = "") -> None:
        self.report(stage, done, total, note)
        if self.signal_number is not None:
            self.stopped = self.stopped or TrainingStoppedError("training was stopped")
            raise self.stopped

    def describe(self) -> str:
        """What was kept of the work that was stopped."""
        step = self.stopped.kept_step if self.stopped else None
        if step is None:
            return "stopped; the same command goes on from its last checkpoint, if there is one"
        return f"stopped, and step {step:,} is kept: the same command goes on behind it"


@contextmanager
def stop_on_signals(report: Progress) -> Iterator[StoppableProgress]:
    """From now on SIGINT, SIGTERM and SIGHUP leave by SystemExit in the main thread, and by an
    error in threads that report. A second signal ends the process at once. Beside the main thread,
    where no signal comes, nothing changes."""
    stoppable = StoppableProgress(report)
    if threading.current_thread() is not threading.main_thread():
        yield stoppable
        return

    def stop(number: int, _: FrameType | None) -> None:
        stoppable.signal_number = number
        for each in _SIGNALS:
            signal.signal(each, signal.SIG_DFL)
        raise SystemExit(128 + number)

    before = {number: signal.signal(number, stop) for number in _SIGNALS}
    try:
        yield stoppable
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
