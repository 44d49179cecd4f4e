"""`trellis batch` on a real Ray: the answers of `evaluate`, whatever is killed meanwhile."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from graph.police import POLICE
from trellis.graph.database.connection import GraphConnection
from trellis_command import run_trellis

TESTS = Path(__file__).parents[1]
ASKED = [
    {"id": "kim", "question": "Which crimes did officer Kim investigate?"},
    {"id": 2, "question": "Which crimes did officer Zorg investigate?", "topics": ["Kim"]},
    {"id": "bad", "question": "\udc00"},
    {"id": "empty", "question": "?"},
    {"id": "claim", "claim": "Kim investigated more than one crime."},
    {"id": "no claim", "claim": "Who is Kim?"},
]


@dataclass(frozen=True)
class Driven:
    """A driver's end: its exit code, what it said, and the folder of Ray's session."""

    code: int
    said: str
    session: Path


def drive(folder: Path, killed_at: str = "", address: str = "", is_broken: str = "") -> Driven:
    paths = os.pathsep.join((str(TESTS), os.environ.get("PYTHONPATH", "")))
    done = subprocess.run(
        [sys.executable, TESTS / "batch_driver.py", folder, address, killed_at, is_broken],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
    )
    named = [line for line in done.stdout.splitlines() if line.startswith("session ")]
    return Driven(done.returncode, done.stderr, Path((named or ["session "])[0].split()[-1]))


def count_asked(folder: Path) -> dict[str, int]:
    return {file.name: len(file.read_text().split()) for file in folder.iterdir()}


def read_rows(folder: Path) -> dict[str, dict[str, Any]]:
    """The rows by id, of which no two may be equal."""
    rows = pq.read_table(folder).to_pylist()
    assert len({row["id"] for row in rows}) == len(rows)
    return {row["id"]: row for row in rows}


@pytest.mark.slow
def test_killed_actors_and_a_killed_driver_lose_nothing(tmp_path: Path) -> None:
    killed = drive(tmp_path, killed_at="20")
    assert killed.code == -signal.SIGKILL
    kept, asked = read_rows(tmp_path / "answers"), count_asked(tmp_path / "notes")
    assert 0 < len(kept) < 40
    done = drive(tmp_path)
    assert done.code == 0, done.said
    rows, asked_again = read_rows(tmp_path / "answers"), count_asked(tmp_path / "notes")
    assert rows.keys() == {str(number) for number in range(40)}
    assert all(asked_again[id] == asked[id] for id in kept)
    assert all(asked_again[id] > 1 for id in ("7", "11", "23"))
    wrong = {id: row["error_kind"] for id, row in rows.items() if row["error"]}
    assert wrong == {"11": "MethodBrokenError"}
    assert "Traceback" not in done.said
    assert not done.session.exists()
    shutil.rmtree(killed.session.parent, ignore_errors=True)  # as nobody else does after a kill


@pytest.mark.slow
def test_what_keeps_actors_from_opening_is_raised(tmp_path: Path) -> None:
    done = drive(tmp_path, is_broken="yes")
    assert done.code == 1
    assert "ModelMissingError: there is no model at" in done.said.splitlines()[-1]


def test_a_cluster_that_is_not_there_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    done = drive(tmp_path, address=f"127.0.0.1:{port}")
    assert done.code == 1
    said = f"no Ray cluster can be used at 127.0.0.1:{port} (nothing listens on that port)"
    assert said in done.said.splitlines()[-1]


@pytest.mark.slow
async def test_a_batch_gives_the_answers_of_an_evaluation(
    clean_graph: GraphConnection, neo4j_uri: str, tmp_path: Path
) -> None:
    await clean_graph.run_write(POLICE)
    code, said = run_trellis(tmp_path, neo4j_uri, "index")
    assert code == 0, said
    file = tmp_path / "q.jsonl"
    file.write_text("\n".join(map(json.dumps, ASKED)))
    asked = (file, "--model", "untrained", "--out")
    code, said = run_trellis(tmp_path, neo4j_uri, "evaluate", *asked, "report.json")
    assert code == 0, said
    code, said = run_trellis(tmp_path, neo4j_uri, "batch", *asked, "answers", "--actors", "1")
    assert code == 0, said
    assert said.splitlines()[-1] == "answers: 6 rows, 6 of them asked now; 3 errors", said
    rows = read_rows(tmp_path / "answers")
    for entry in json.loads((tmp_path / "report.json").read_text())["questions"]:
        row = rows.pop(entry["id"])
        facts = [[fact["head"], fact["relation"], fact["tail"]] for fact in row["evidence"]]
        assert facts == entry["evidence"]
        for name in ("answers", "ids", "reading", "verdict", "cypher", "error"):
            assert row[name] == entry.get(name), (entry["id"], name)
        for name in ("scores", "confidence"):  # words embedded together differ in their last bits
            assert row[name] == pytest.approx(entry.get(name), abs=1e-6), (entry["id"], name)
        assert (json.loads(row["params"]) if row["params"] else None) == entry.get("params")
    assert not rows
    file.write_text(json.dumps(ASKED[0]))
    code, said = run_trellis(tmp_path, neo4j_uri, "batch", *asked, "answers")
    assert (code, said.count("\n")) == (1, 1)
    assert "answers holds answers of another run: the file was 'q.jsonl (" in said
