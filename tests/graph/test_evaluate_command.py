"""`trellis evaluate --compare`: a question that was right before and is wrong now means exit 1."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from trellis.graph.connection import GraphConnection
from trellis_command import run_trellis


def evaluate(folder: Path, uri: str, *more: str) -> tuple[int, str]:
    asked = ("q.jsonl", "--model", "untrained", "--out", "new.json")
    return run_trellis(folder, uri, "evaluate", *asked, *more)


@pytest.mark.slow
async def test_what_got_worse_is_named(
    police: GraphConnection, neo4j_uri: str, tmp_path: Path
) -> None:
    assert police
    row = {
        "id": "kim",
        "question": "Which crimes did officer Kim investigate?",
        "answers": ["Zorg"],
    }
    (tmp_path / "q.jsonl").write_text(json.dumps(row))
    assert evaluate(tmp_path, neo4j_uri)[0] == 0
    same = tmp_path / "same.json"
    (tmp_path / "new.json").rename(same)
    code, said = evaluate(tmp_path, neo4j_uri, "--compare", "same.json")
    assert (code, "of 1 questions 0 are answered worse" in said) == (0, True)
    right = {"questions": [{"id": "kim", "answers": ["Zorg"]}]}
    (tmp_path / "right.json").write_text(json.dumps(right))
    code, said = evaluate(tmp_path, neo4j_uri, "--compare", "right.json")
    assert code == 1
    assert "worse: kim: was Zorg; is " in said
    assert "; right is Zorg" in said
    code, said = evaluate(tmp_path, neo4j_uri, "--compare", "q.jsonl")
    assert (code, said.count("\n")) == (1, 1)
    assert "q.jsonl is no report" in said
