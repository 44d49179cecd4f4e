"""The callback by which long work reports its progress."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Called after every batch; `total` is None if it is not known.

    `note`: what there is to say beside the numbers, such as a loss.
    """

    def __call__(self, stage: str, done: int, total: int | None, note: str = "") -> None: ...


def ignore_progress(stage: str, done: int, total: int | None, note: str = "") -> None:
    """A `Progress` for callers that do not show it."""
