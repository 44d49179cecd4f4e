"""How long work tells how far it is."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Told after every batch; `total` is None where it is not known."""

    def __call__(self, stage: str, done: int, total: int | None) -> None: ...


def silent(stage: str, done: int, total: int | None) -> None:
    """For callers that do not show progress."""
