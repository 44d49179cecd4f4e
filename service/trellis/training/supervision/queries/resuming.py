"""What was found out for each question, kept in the run's folder: a run that breaks off goes on.

A line is `{"key", "value"}`. The key is a digest of all that the value follows from, so that a line
of other arguments, or of another graph, is never taken for this one's.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import TypeAdapter, ValidationError

T = TypeVar("T")


class ResultCache(Generic[T]):
    """Values by key, in a file of JSON lines. A line that was torn is as if it were not there."""

    def __init__(self, file: Path, kind: TypeAdapter[T]) -> None:
        self._file = file
        self._kind = kind
        self._values = dict(self._read_results())

    def get_result(self, key: str) -> T | None:
        return self._values.get(key)

    def add_results(self, results: dict[str, T]) -> None:
        """Add some, each as a line of its own."""
        self._values |= results
        lines = [
            b'{"key":%s,"value":%s}\n' % (json.dumps(key).encode(), self._kind.dump_json(value))
            for key, value in results.items()
        ]
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with self._file.open("ab") as file:
            file.write(b"".join((b"\n" if self._is_torn() else b"", *lines)))

    def _is_torn(self) -> bool:
        """Whether the last line has no end."""
        with self._file.open("rb") as file:
            file.seek(0, 2)
            if not file.tell():
                return False
            file.seek(-1, 2)
            return file.read() != b"\n"

    def _read_results(self) -> Iterator[tuple[str, T]]:
        if not self._file.exists():
            return
        with self._file.open("rb") as lines:
            for line in lines:
                try:
                    row = json.loads(line)
                    yield row["key"], self._kind.validate_python(row["value"])
                except (ValueError, KeyError, TypeError, ValidationError):
                    continue


def digest_key(*parts: Any) -> str:
    """A digest of values, dataclasses among them."""
    said = [
        asdict(part) if is_dataclass(part) and not isinstance(part, type) else part
        for part in parts
    ]
    return hashlib.sha256(json.dumps(said, sort_keys=True, default=str).encode()).hexdigest()
