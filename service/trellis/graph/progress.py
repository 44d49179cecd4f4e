"""The callback by which long work reports its progress."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Called after every batch; `total` is None if it is not known."""

    def __call__(self, stage: str, done: int, total: int | None) -> None: ...


def ignore_progress(stage: str, done: int, total: int | None) -> None:
    """A `Progress` for callers that do not show it."""
