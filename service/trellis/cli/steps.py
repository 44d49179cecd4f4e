"""The steps of a command that takes long: a line when each begins, goes on for long, and ends."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

from rich.console import Console
from rich.markup import escape

_TICK_SECONDS = 15.0


class StepPrinter:
    """Numbered steps, written as `deploy/step` writes them: for terminals and for logs."""

    def __init__(self, console: Console, command: str, count: int) -> None:
        self._console = console
        self._command = command
        self._count = count
        self._number = 0

    @contextmanager
    def print_step(self, title: str) -> Iterator[None]:
        """Tell how long what is done inside takes; a failure is left to who raises it."""
        self._number += 1
        began, ended = time.monotonic(), Event()
        self._print_state(title, " …")
        ticker = Thread(target=self._print_while_running, args=(title, began, ended), daemon=True)
        ticker.start()
        try:
            yield
        finally:
            ended.set()
            ticker.join()
        self._print_state(title, f": done in {format_elapsed(began)}")

    def skip_step(self, title: str, why: str) -> None:
        self._number += 1
        self._print_state(title, f": {why}")

    def _print_while_running(self, title: str, began: float, ended: Event) -> None:
        while not ended.wait(_TICK_SECONDS):
            self._print_state(title, f": {format_elapsed(began)} so far")

    def _print_state(self, title: str, state: str) -> None:
        line = f"{self._command} {self._number}/{self._count}  {title}{state}"
        self._console.print(escape(line), soft_wrap=True)


def format_elapsed(began: float) -> str:
    """The time since `began` on the monotonic clock, in whole seconds."""
    minutes, seconds = divmod(round(time.monotonic() - began), 60)
    return f"{minutes} min {seconds} s" if minutes else f"{seconds} s"
