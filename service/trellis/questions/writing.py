"""Writes a file whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from trellis.domain.errors import ServiceError
from trellis.domain.reasons import with_reason


def write_whole(content: str | bytes, file: Path) -> None:
    """Write a text or bytes whole or not at all, their folder too; ServiceError if that cannot be
    done.

    Half of a surrogate pair, which a file of questions can hold, is written as an escape. What is
    there under the file's name is on the disk, also where the machine stops right after.
    """
    part = file.with_name(f".{file.name}.part")
    data = content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with part.open("wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        part.replace(file)
    except OSError as error:
        problem = with_reason(f"{file} cannot be written", error)
        raise ServiceError(problem, "name another --out") from error
