"""Progress on standard error: bars on a terminal, else a line from time to time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from trellis.cli.terminal import Terminal
from trellis.domain.printable import escape_controls
from trellis.graph.database.progress import Progress as Report

_EVERY = 20.0  # seconds between the lines of a stage, where there is no terminal
_FIRST = 3.0  # seconds before the first of them, which says how long the stage takes, about


@contextmanager
def show_progress() -> Iterator[Report]:
    """Show how far every stage is that reports, and what it says beside."""
    console = Terminal(stderr=True)
    if not console.is_terminal:
        lines = _Lines(console)
        try:
            yield lines
        finally:
            lines.finish()
        return
    counts = (TextColumn("{task.description:>13}"), BarColumn(), MofNCompleteColumn())
    times = (TimeElapsedColumn(), TimeRemainingColumn())
    noted = TextColumn("{task.fields[note]}", markup=False)
    with Progress(*counts, *times, noted, console=console) as bars:
        tasks: dict[str, TaskID] = {}

        def report_stage(stage: str, done: int, total: int | None, note: str = "") -> None:
            note = escape_controls(note)
            if stage not in tasks:
                tasks[stage] = bars.add_task(stage, total=total, note=note)
            bars.update(tasks[stage], completed=done, total=total)
            if note:
                bars.update(tasks[stage], note=note)

        yield report_stage


class _Lines:
    """A line for a stage when it begins with nothing done, soon behind that, when it ends, and
    every so often between."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._began: dict[str, tuple[float, int]] = {}
        self._shown: dict[str, float] = {}
        self._notes: dict[str, str] = {}
        self._last: dict[str, tuple[int, int | None]] = {}

    def __call__(self, stage: str, done: int, total: int | None, note: str = "") -> None:
        now = time.monotonic()
        begins = stage not in self._began and done == 0
        began, _ = self._began.setdefault(stage, (now, done))
        self._notes[stage] = note or self._notes.get(stage, "")
        self._last[stage] = done, total
        waits = _EVERY if stage in self._shown else _FIRST
        is_recent = now - self._shown.get(stage, began) < waits
        if is_recent and not begins and done != total:
            return
        self._show(stage)

    def finish(self) -> None:
        """Show the stages whose end was not shown, as nobody knew where it was."""
        for stage in list(self._last):
            self._show(stage)

    def _show(self, stage: str) -> None:
        (done, total), now = self._last.pop(stage), time.monotonic()
        (began, first), self._shown[stage] = self._began[stage], now
        of = f"/{total}" if total is not None else ""
        said = f", {self._notes[stage]}" if self._notes[stage] else ""
        left = _estimate_left(now - began, first, done, total)
        line = f"{stage:>13} {done}{of}  {now - began:.0f} s{left}{said}"
        self._console.print(line, highlight=False, markup=False, soft_wrap=True)


def _estimate_left(seconds: float, first: int, done: int, total: int | None) -> str:
    """What is left of a stage that goes on as it did since `first`; empty where nobody knows."""
    if not total or not first < done < total:
        return ""
    return f" (about {seconds / (done - first) * (total - done):.0f} s left)"
