"""The Parquet files of a folder, each whole or not there; every id stands in one row of them."""

from __future__ import annotations

import io
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from trellis.batch.records import Record, build_table
from trellis.domain.errors import FileFormatError, ServiceError
from trellis.domain.reasons import with_reason
from trellis.questions.writing import write_whole

_NAME = re.compile(r"answers-(\d{6,})\.parquet")


class AnswerShards:
    """The shards of a folder, in the order in which they were written."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def list_files(self) -> list[Path]:
        """The shards that are there."""
        files = self._folder.glob("answers-*.parquet")
        return sorted((file for file in files if _NAME.fullmatch(file.name)), key=_read_number)

    def read_error_kinds(self) -> Mapping[str, str | None]:
        """For each id that has a row, the class of its error; None where it has an answer.

        Raises FileFormatError where a shard cannot be read, or an id has two rows.
        """
        kinds: dict[str, str | None] = {}
        for file in self.list_files():
            table = _read_shard(file, ["id", "error_kind"])
            for id, kind in zip(*(column.to_pylist() for column in table.columns), strict=True):
                if id in kinds:
                    raise FileFormatError(
                        f"{file}: id {id!r} has another row in this folder",
                        "delete one of the files; what it answered is asked again",
                    )
                kinds[id] = kind
        return kinds

    def write_shard(self, records: Sequence[Record]) -> None:
        """Add a shard of some records; ServiceError where it cannot be written."""
        files = self.list_files()
        number = _read_number(files[-1]) + 1 if files else 0
        _write_table(build_table(records), self._folder / f"answers-{number:06}.parquet")

    def remove_rows(self, ids: Collection[str]) -> None:
        """Remove the rows of some ids, so that these can be answered anew."""
        for file, table in self._iterate_tables() if ids else ():
            is_kept = pc.invert(pc.is_in(table["id"], pa.array(list(ids), pa.string())))
            kept = table.filter(is_kept)
            if not len(kept):
                file.unlink()
            elif len(kept) < len(table):
                _write_table(kept, file)

    def _iterate_tables(self) -> Iterator[tuple[Path, pa.Table]]:
        for file in self.list_files():
            yield file, _read_shard(file)


def _read_number(file: Path) -> int:
    name = _NAME.fullmatch(file.name)
    assert name
    return int(name[1])


def _read_shard(file: Path, columns: list[str] | None = None) -> pa.Table:
    try:
        return pq.read_table(io.BytesIO(file.read_bytes()), columns=columns)
    except (OSError, pa.ArrowException) as error:
        raise FileFormatError(
            with_reason(f"{file} cannot be read as Parquet", error),
            "delete it; what it answered is asked again",
        ) from error


def _write_table(table: pa.Table, file: Path) -> None:
    out = io.BytesIO()
    try:
        pq.write_table(table, out)
    except pa.ArrowException as error:
        raise ServiceError(with_reason(f"{file} cannot be written", error), "") from error
    write_whole(out.getvalue(), file)
