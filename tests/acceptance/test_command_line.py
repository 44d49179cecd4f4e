"""The commands as a user runs them: what they say, and how they exit."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
from pathlib import Path

import httpx
import pytest

from trellis_command import build_environment, call_trellis, serving

SERVE = ("serve", "--port", "0")


def environment(folder: Path) -> dict[str, str]:
    """Settings of no Neo4j and no model."""
    store, model = f"sqlite+aiosqlite:///{folder}/trellis.db", folder / "no-model"
    return build_environment(NEO4J_URI="bolt://127.0.0.1:9", STORE_URL=store, MODEL=model)


def trellis(folder: Path, *arguments: str | bytes) -> subprocess.CompletedProcess[str]:
    return call_trellis(folder, environment(folder), *arguments)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["ask", ""], "the question is empty"),
        (["ask", "a" * 5_000], "5,000 characters"),
        (["ask", b"\xff\xfe\x01"], "not text"),
        (["ask", "Who?", "--method", "guess"], "gcr"),
        (["ask", "Who?"], "no-model"),
        (["evaluate", "none.jsonl", "--out", "r.json"], "none.jsonl"),
        (["cypher", "--coverage", "none.jsonl", "--out", "r.json"], "none.jsonl"),
        (["migrate", "--no-store"], "Neo4j"),
    ],
    ids=["empty", "long", "binary", "method", "model", "suite", "gold", "neo4j"],
)
def test_an_error_is_one_line_and_exit_code_1(
    tmp_path: Path, arguments: list[str | bytes], said: str
) -> None:
    done = trellis(tmp_path, *arguments)
    assert done.returncode == 1
    assert said in done.stderr
    assert done.stderr.startswith("trellis: ")
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_a_model_that_cannot_be_calibrated_is_told_before_a_question_is_asked(
    tmp_path: Path,
) -> None:
    (tmp_path / "q.jsonl").write_text('{"id": "1", "question": "Who?", "answers": []}\n')
    done = trellis(tmp_path, "evaluate", "q.jsonl", "--calibrate", "--out", "r.json")
    assert (done.returncode, done.stdout) == (1, "")
    assert "no model folder" in done.stderr
    assert not (tmp_path / "r.json").exists()


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ('{"id": 1, "cypher": "RETURN 1"}', "Neo4j cannot be reached"),
        ('{"id": 1, "question": "Who?"}', 'no row with "cypher"'),
        ('{"id": 1, "cypher": "RETURN 1"}\n{', "q.jsonl:2: not JSON"),
    ],
)
def test_a_coverage_that_cannot_be_measured_writes_no_report(
    tmp_path: Path, lines: str, said: str
) -> None:
    (tmp_path / "q.jsonl").write_text(lines)
    done = trellis(tmp_path, "cypher", "--coverage", "q.jsonl", "--out", "r.json")
    assert (done.returncode, done.stdout) == (1, "")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "r.json").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ["ask"],
        ["serve", "--port", "x"],
        ["fly"],
        ["cypher"],
        ["cypher", "--out", "r.json"],
        ["cypher", "--coverage", "q.jsonl"],
        ["cypher", "--coverage", "q.jsonl", "--out", "."],
        ["cypher", "--coverage", "q.jsonl", "--out", "r.json", "RETURN 1"],
        ["cypher", "--coverage", "q.jsonl", "--out", "r.json", "--explain"],
    ],
)
def test_wrong_usage_is_exit_code_2(tmp_path: Path, arguments: list[str]) -> None:
    assert trellis(tmp_path, *arguments).returncode == 2


def test_migrating_the_store_is_exit_code_0(tmp_path: Path) -> None:
    done = trellis(tmp_path, "migrate", "--no-graph")
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "trellis.db").exists()


def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = trellis(tmp_path, "serve", "--port", str(taken.getsockname()[1]))
    assert done.returncode == 1
    assert "--port" in done.stderr


def test_the_service_starts_without_neo4j_and_model_and_says_so(tmp_path: Path) -> None:
    with serving(tmp_path, environment(tmp_path), *SERVE) as (address, process):
        assert httpx.get(f"{address}/livez").status_code == 200
        unready = httpx.get(f"{address}/readyz", timeout=600)
        assert unready.status_code == 503
        assert {one["part"] for one in unready.json()["missing"]} == {"graph", "model"}
        for path in ("questions", "links"):
            refused = httpx.post(f"{address}/v1/{path}", json={"question": "Paris?"}, timeout=600)
            assert refused.status_code == 503
            assert refused.json()["remedy"]
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0


def test_a_service_that_listens_elsewhere_asks_for_a_key(tmp_path: Path) -> None:
    with serving(tmp_path, environment(tmp_path), *SERVE, "--host", "0.0.0.0") as (address, _):
        assert httpx.get(f"{address}/livez").status_code == 200
        refused = httpx.get(f"{address}/v1/methods")
        assert refused.status_code == 401
        assert refused.json()["type"] == "urn:trellis:problem:key-required"
        key = trellis(tmp_path, "keys", "create", "test").stdout.strip()
        headers = {"Authorization": f"Bearer {key}"}
        assert httpx.get(f"{address}/v1/methods", headers=headers).status_code == 200
        told = trellis(tmp_path, "keys", "audit", "--json")
        assert '"outcome": "200"' in told.stdout


@pytest.mark.slow
def test_the_demo_answers_five_questions_with_evidence_and_ends(tmp_path: Path) -> None:
    done = call_trellis(tmp_path, build_environment(), "demo", "--once", "--data", "demo")
    assert done.returncode == 0, done.stderr
    for told in (
        "Ecuador -HAS_HIGHEST_POINT-> Chimborazo",
        "Mombasa -IN_COUNTRY-> Kenya -HAS_CAPITAL-> Nairobi",
        "Chile, Ecuador\n",  # those in South America that do not border Brazil, nor are Brazil
        "Nile -FLOWS_THROUGH-> ",
    ):
        assert told in done.stdout
    border = "(?:-BORDERS->|<-BORDERS-) Switzerland\n"  # the graph has each border from both sides
    assert re.search(f"France {border}  Italy {border}", done.stdout)
    assert "/docs" in done.stdout
