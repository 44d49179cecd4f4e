"""A run over a folder: what has no row there yet is asked, and written shard by shard."""

from __future__ import annotations

import fcntl
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from trellis.batch.actor import encode_row
from trellis.batch.manifest import BatchManifest, claim_folder
from trellis.batch.records import Record, clean_text
from trellis.batch.retries import Retry, is_asked_again, may_pass
from trellis.batch.shards import AnswerShards
from trellis.domain.errors import MethodBrokenError, ServiceError
from trellis.domain.reasons import with_reason
from trellis.graph.database.progress import Progress
from trellis.questions.row import QuestionRow

_SHARD_SECONDS = 30.0  # after which a shard is written though it is not full
_MOST_TASK_ROWS = 32
_MOST_TASKS = 20_000
_MOST_ALONE = 20  # rows that are asked by themselves: actors are started anew for each


class Pool(Protocol):
    """What answers encoded rows; `ActorPool` does, on Ray."""

    @property
    def actors(self) -> int: ...

    def ask_all(self, texts: Sequence[str], batch_size: int) -> Iterator[Sequence[Record]]: ...


@dataclass(slots=True)
class BatchSummary:
    """How many rows a folder holds after a run; `passing`: errors that may be gone in another."""

    rows: int = 0
    asked: int = 0
    errors: int = 0
    passing: int = 0


@dataclass(slots=True)
class BatchRun:
    """A run over some rows into a folder; `tell` shows a line for each error.

    `shard_rows`: the rows after which a shard is written.
    """

    folder: Path
    manifest: BatchManifest
    rows: Sequence[QuestionRow]
    retry: Retry
    shard_rows: int
    report: Progress
    tell: Callable[[str], None]
    _waiting: list[Record] = field(default_factory=list)
    _last_write: float = 0.0

    def run(self, open_pool: Callable[[], AbstractContextManager[Pool]]) -> BatchSummary:
        """Answer what has no row yet. The folder may be continued whenever this ends, however it
        does; raises InputError where it holds something else."""
        with _lock_folder(self.folder):
            claim_folder(self.folder, self.manifest)
            shards = AnswerShards(self.folder)
            kinds = shards.read_error_kinds()
            again = {id for id, kind in kinds.items() if is_asked_again(kind, self.retry)}
            rows = self._list_missing(kinds.keys() - again)
            if rows:
                with open_pool() as pool:
                    shards.remove_rows(again)
                    self._answer(rows, pool, shards)
            return _summarise(shards.read_error_kinds(), len(rows))

    def _list_missing(self, done: Collection[str]) -> list[QuestionRow]:
        return [row for row in self.rows if clean_text(row.id) not in done]

    def _answer(self, rows: Sequence[QuestionRow], pool: Pool, shards: AnswerShards) -> None:
        """Ask all rows, then those that were lost once more, each in a task of its own, and what
        is left each by itself: a question that ends processes takes its neighbours with it."""
        self._last_write = time.monotonic()
        missing = {row.id: row for row in rows}
        self._report_progress(missing)
        try:
            for size in (_choose_task_size(len(rows), pool.actors), 1):
                self._ask(list(missing.values()), size, missing, pool, shards)
            for row in list(missing.values())[:_MOST_ALONE]:
                self._ask([row], 1, missing, pool, shards)
            for row in missing.values():
                self._keep(_build_lost_record(row, self.manifest.method))
        finally:
            self._flush(shards, is_due=True)

    def _ask(
        self,
        rows: Sequence[QuestionRow],
        size: int,
        missing: dict[str, QuestionRow],
        pool: Pool,
        shards: AnswerShards,
    ) -> None:
        """Ask some rows in tasks of `size`; what is answered is `missing` no more."""
        texts = list(map(encode_row, rows))
        for records in pool.ask_all(texts, size) if texts else ():
            for record in records:
                if missing.pop(record["id"], None):
                    self._keep(record)
            self._flush(shards, is_due=self._is_due())
            self._report_progress(missing)

    def _keep(self, record: Record) -> None:
        self._waiting.append(record)
        if "error" in record:
            self.tell(f"{record['id']}: {record['error']}")

    def _is_due(self) -> bool:
        late = time.monotonic() - self._last_write > _SHARD_SECONDS
        return late or len(self._waiting) >= self.shard_rows

    def _flush(self, shards: AnswerShards, is_due: bool) -> None:
        if is_due and self._waiting:
            shards.write_shard(self._waiting)
            self._waiting.clear()
            self._last_write = time.monotonic()

    def _report_progress(self, missing: Mapping[str, QuestionRow]) -> None:
        self.report("questions", len(self.rows) - len(missing), len(self.rows))


def _choose_task_size(rows: int, actors: int) -> int:
    """Few enough rows that all actors end at about the same time and little is lost with one."""
    wanted = min(_MOST_TASK_ROWS, -(-rows // (8 * actors)))
    return max(1, wanted, -(-rows // _MOST_TASKS))


def _build_lost_record(row: QuestionRow, method: str) -> Record:
    error = MethodBrokenError(
        "the process that answers ended whenever this was asked",
        "ask it alone by `trellis ask`, with more memory",
    )
    return {
        "id": row.id,
        "question": row.question or None,
        "claim": row.claim or None,
        "method": method,
        "error": str(error),
        "error_kind": type(error).__name__,
    }


def _summarise(kinds: Mapping[str, str | None], asked: int) -> BatchSummary:
    wrong = [kind for kind in kinds.values() if kind is not None]
    return BatchSummary(len(kinds), asked, len(wrong), sum(map(may_pass, wrong)))


@contextmanager
def _lock_folder(folder: Path) -> Iterator[None]:
    """Keep other runs out of a folder; the lock ends with this process, however that ends."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / ".lock").open("w")
    except OSError as error:
        problem = with_reason(f"{folder} cannot be written to", error)
        raise ServiceError(problem, "name another --out") from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            problem = f"another run writes to {folder}"
            raise ServiceError(problem, "wait for its end, or name another --out") from error
        yield
