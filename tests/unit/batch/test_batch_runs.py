"""Runs over a folder: whatever ends one, the next goes on, and every id has one row."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trellis.batch.manifest import MANIFEST, BatchManifest
from trellis.batch.records import Record
from trellis.batch.retries import Retry
from trellis.batch.run import BatchRun, BatchSummary
from trellis.domain.errors import FileFormatError, InputError, ServiceError
from trellis.graph.database.progress import ignore_progress
from trellis.questions.row import QuestionRow

MADE_WITH = BatchManifest("q.jsonl", "0" * 64, "gcr", "linked", {"m": "1"}, "default", "d", {})
ROWS = [QuestionRow(f"q{number}", f"What is {number}?") for number in range(12)]


@dataclass
class Killed(BaseException):
    """What ends a run between two tasks."""


@dataclass
class EchoPool:
    """Answers in this process; ends the run after some tasks, and loses those that hold an id.

    `errors`: by id, the class of the error that a question ends in.
    """

    actors: int = 1
    tasks: int = 1_000
    lost: frozenset[str] = frozenset()
    errors: dict[str, str] = field(default_factory=dict)
    seen: list[str] = field(default_factory=list)

    def ask_all(self, texts: Sequence[str], batch_size: int) -> Iterator[Sequence[Record]]:
        for start in range(0, len(texts), batch_size):
            if not self.tasks:
                raise Killed
            self.tasks -= 1
            rows = [json.loads(text) for text in texts[start : start + batch_size]]
            self.seen += [row["id"] for row in rows]
            if self.lost.isdisjoint(row["id"] for row in rows):
                yield [self._answer(row["id"], row["question"]) for row in rows]

    def _answer(self, id: str, question: str) -> Record:
        asked = {"id": id, "question": question, "method": "gcr", "seconds": 0.1}
        if id in self.errors:
            return {**asked, "error": "it did not work", "error_kind": self.errors[id]}
        evidence = [["France", "HAS_CAPITAL", question]]
        return {**asked, "answers": [question], "scores": [1.0], "evidence": evidence}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where a run writes; there is nothing yet."""
    return tmp_path / "answers"


def run(
    folder: Path,
    pool: EchoPool,
    rows: Sequence[QuestionRow] = ROWS,
    retry: Retry = "passing",
    manifest: BatchManifest = MADE_WITH,
) -> BatchSummary:
    def open_pool() -> AbstractContextManager[EchoPool]:
        return nullcontext(pool)

    told: list[str] = []
    batch = BatchRun(folder, manifest, rows, retry, 5, ignore_progress, told.append)
    return batch.run(open_pool)


def read(folder: Path) -> dict[str, Record]:
    """The rows by id, of which no two may be equal."""
    rows = pq.read_table(folder).to_pylist()
    assert len({row["id"] for row in rows}) == len(rows)
    return {row["id"]: row for row in rows}


_KINDS = st.sampled_from(["GraphUnavailableError", "OutOfTimeError", "QuestionError"])
_IDS = [row.id for row in ROWS]


@pytest.mark.slow
@given(
    st.lists(
        st.builds(
            EchoPool,
            actors=st.integers(1, 3),
            tasks=st.integers(0, 14),
            lost=st.frozensets(st.sampled_from(_IDS), max_size=2),
            errors=st.dictionaries(st.sampled_from(_IDS), _KINDS, max_size=4),
        ),
        max_size=5,
    )
)
def test_nothing_is_lost_and_nothing_comes_twice(pools: list[EchoPool]) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name) / "answers"
        lasting: set[str] = set()
        for pool in pools:
            asked_before = read(folder) if list(folder.glob("*.parquet")) else {}
            answered = {id for id, row in asked_before.items() if row["error"] is None}
            with suppress(Killed):
                run(folder, pool)
            assert not (answered | lasting) & {*pool.seen}, "what has an answer is asked no more"
            rows = read(folder) if list(folder.glob("*.parquet")) else {}
            assert answered <= rows.keys()
            lasting = {id for id, row in rows.items() if row["error_kind"] == "QuestionError"}
        assert run(folder, EchoPool()).rows == len(ROWS)
        rows = read(folder)
        assert rows.keys() == {*_IDS}
        assert {id for id, row in rows.items() if row["error"]} == lasting


def test_an_answer_keeps_its_parts(folder: Path) -> None:
    run(folder, EchoPool())
    row = read(folder)["q3"]
    assert row["answers"] == ["What is 3?"]
    fact = {"head": "France", "relation": "HAS_CAPITAL", "tail": "What is 3?"}
    assert row["evidence"] == [fact]
    assert (row["params"], row["error"], row["notes"]) == (None, None, [])


def test_a_question_that_ends_every_process_is_a_row_with_an_error(folder: Path) -> None:
    summary = run(folder, EchoPool(actors=1, lost=frozenset({"q5"})))
    assert (summary.rows, summary.errors, summary.passing) == (12, 1, 1)
    assert "the process that answers ended" in read(folder)["q5"]["error"]


@pytest.mark.parametrize(
    ("retry", "again"),
    [("passing", ["q1"]), ("all", ["q1", "q2"]), ("none", [])],
)
def test_which_errors_are_asked_again(folder: Path, retry: Retry, again: list[str]) -> None:
    run(folder, EchoPool(errors={"q1": "GraphTimeoutError", "q2": "UnknownTopicError"}))
    pool = EchoPool()
    run(folder, pool, retry=retry)
    assert pool.seen == again
    assert len(read(folder)) == 12


def test_a_larger_part_of_the_file_continues_a_smaller_one(folder: Path) -> None:
    run(folder, EchoPool(), ROWS[:5])
    pool = EchoPool()
    assert run(folder, pool).rows == 12
    assert pool.seen == _IDS[5:]
    assert run(folder, EchoPool(), ROWS[:3]).asked == 0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"content": "1" * 64}, "the file was 'q.jsonl (000000000000)', is 'q.jsonl (1111"),
        ({"method": "stem"}, "the method was 'gcr', is 'stem'"),
        ({"models": {"m": "2"}}, "the model was 'm (1)', is 'm (2)'"),
        ({"database": "e"}, "the database was 'd', is 'e'"),
        ({"settings": {"width": 3}}, "TRELLIS_WIDTH was None, is 3"),
    ],
)
def test_answers_of_another_run_are_not_mixed(
    folder: Path, change: dict[str, object], said: str
) -> None:
    run(folder, EchoPool())
    before = read(folder)
    with pytest.raises(InputError, match="holds answers of another run") as raised:
        run(folder, EchoPool(), manifest=replace(MADE_WITH, **change))  # type: ignore[arg-type]
    assert said in str(raised.value)
    assert read(folder) == before


def test_a_model_or_file_that_was_moved_is_the_same(folder: Path) -> None:
    run(folder, EchoPool())
    moved = replace(MADE_WITH, file="other.jsonl", models={"elsewhere": "1"})
    assert run(folder, EchoPool(), manifest=moved).asked == 0


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("the only copy")
    with pytest.raises(InputError, match="holds other files"):
        run(tmp_path, EchoPool())
    file = tmp_path / "thesis.txt"
    with pytest.raises(ServiceError, match="cannot be written to"):
        run(file, EchoPool())


def test_a_shard_that_is_damaged_is_named(folder: Path) -> None:
    run(folder, EchoPool())
    shard = folder / "answers-000000.parquet"
    whole = shard.read_bytes()
    shard.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(FileFormatError, match=r"answers-000000.parquet cannot be read"):
        run(folder, EchoPool())
    shard.write_bytes(whole)
    shard.with_name("answers-000007.parquet").write_bytes(whole)
    with pytest.raises(FileFormatError, match="'q0' has another row"):
        run(folder, EchoPool())


def test_a_manifest_that_is_damaged_is_named(folder: Path) -> None:
    run(folder, EchoPool())
    for text in ("", "[]", '{"format": 2}', '{"format": 1, "file": "q.jsonl"}'):
        (folder / MANIFEST).write_text(text)
        with pytest.raises(FileFormatError, match="cannot be read"):
            run(folder, EchoPool())


def test_two_runs_do_not_write_to_one_folder(folder: Path) -> None:
    class Nested(EchoPool):
        def ask_all(self, texts: Sequence[str], batch_size: int) -> Iterator[Sequence[Record]]:
            with pytest.raises(ServiceError, match="another run writes to"):
                run(folder, EchoPool())
            return super().ask_all(texts, batch_size)

    assert run(folder, Nested()).rows == 12


def test_half_of_a_surrogate_pair_is_escaped(folder: Path) -> None:
    rows = [QuestionRow("a\ud800", "What is \udfff?")]
    run(folder, EchoPool(), rows)
    assert read(folder)["a\\ud800"]["question"] == "What is \\udfff?"
    assert run(folder, EchoPool(), rows).asked == 0
