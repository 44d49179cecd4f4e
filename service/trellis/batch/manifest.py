"""What the answers of a folder were asked with: another file, model or method is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from trellis.domain.errors import FileFormatError, InputError
from trellis.domain.reasons import with_reason
from trellis.questions.writing import write_whole

MANIFEST = "_batch.json"
"""Its name begins so that readers of Parquet folders leave it out."""

_FORMAT = 1


@dataclass(frozen=True, slots=True)
class BatchManifest:
    """What all answers of a folder have in common.

    `file`: the name of the question file, and `content` the SHA-256 of what is in it. `models`: by
    their names, what tells each from every other one. `database`: the id of the store. `settings`:
    those that answers depend on.
    """

    file: str
    content: str
    method: str
    topics: str
    models: Mapping[str, str]
    graph: str
    database: str
    settings: Mapping[str, Any]

    def list_differences(self, earlier: BatchManifest) -> list[str]:
        """What is not as it was in an earlier run; names of files and models may change."""
        return [
            f"{what} was {before!r}, is {now!r}"
            for what, before, now in self._pair_values(earlier)
            if before != now
        ]

    def _pair_values(self, earlier: BatchManifest) -> Iterator[tuple[str, Any, Any]]:
        if self.content != earlier.content:
            before, now = (f"{it.file} ({it.content[:12]})" for it in (earlier, self))
            yield "the file", before, now
        if list(self.models.values()) != list(earlier.models.values()):
            before, now = (_describe_models(it.models) for it in (earlier, self))
            yield "the model", before, now
        yield "the method", earlier.method, self.method
        yield "--topics", earlier.topics, self.topics
        yield "the graph", earlier.graph, self.graph
        yield "the database", earlier.database, self.database
        for name in sorted({*earlier.settings, *self.settings}):
            named = f"TRELLIS_{name.upper()}"
            yield named, earlier.settings.get(name), self.settings.get(name)


def hash_file(file: Path) -> str:
    """The SHA-256 of a file's bytes; FileFormatError where it cannot be read."""
    try:
        return sha256(file.read_bytes()).hexdigest()
    except OSError as error:
        raise FileFormatError(with_reason(f"{file} cannot be read", error), "") from error


def claim_folder(folder: Path, manifest: BatchManifest) -> None:
    """Make a new folder one of this manifest, or check that it already is.

    Raises InputError where the folder holds something else, and says what differs.
    """
    path = folder / MANIFEST
    if path.exists():
        differences = manifest.list_differences(_read_manifest(path))
        if differences:
            raise InputError(
                f"{folder} holds answers of another run: {'; '.join(differences)}",
                "name another --out",
            )
        return
    if any(not file.name.startswith(".") for file in _list_files(folder)):
        raise InputError(f"{folder} holds other files than a batch", "name an empty or new folder")
    body = {"format": _FORMAT, **asdict(manifest)}
    write_whole(json.dumps(body, ensure_ascii=False, indent=1) + "\n", path)


def _list_files(folder: Path) -> list[Path]:
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file", "name a folder for the answers")
    return list(folder.iterdir()) if folder.is_dir() else []


def _describe_models(models: Mapping[str, str]) -> str:
    return ", ".join(f"{name} ({fingerprint[:12]})" for name, fingerprint in models.items())


def _read_manifest(path: Path) -> BatchManifest:
    try:
        body = json.loads(path.read_text(encoding="utf-8"))
        number = body.pop("format")
        if number != _FORMAT:
            raise ValueError(f"it is of format {number}, this version writes {_FORMAT}")
        return BatchManifest(**body)
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise FileFormatError(
            with_reason(f"{path} cannot be read", error), "name another --out"
        ) from error
