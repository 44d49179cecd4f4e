"""How several model folders are written in one setting or argument."""

from __future__ import annotations

from pathlib import Path


def split_folders(text: str) -> tuple[Path, ...]:
    """The folders of a comma-separated list."""
    return tuple(Path(part.strip()) for part in text.split(",") if part.strip())
