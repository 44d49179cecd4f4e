"""Writes a file whole or not at all."""

from __future__ import annotations

from pathlib import Path

from trellis.domain.errors import ServiceError
from trellis.domain.reasons import with_reason


def write_whole(text: str, file: Path) -> None:
    """Write a text whole or not at all, its folder too; ServiceError if that cannot be done.

    Half of a surrogate pair, which a file of questions can hold, is written as an escape.
    """
    part = file.with_name(f".{file.name}.part")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(text, encoding="utf-8", errors="backslashreplace")
        part.replace(file)
    except OSError as error:
        problem = with_reason(f"{file} cannot be written", error)
        raise ServiceError(problem, "name another --out") from error
