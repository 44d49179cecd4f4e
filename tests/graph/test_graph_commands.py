"""Commands over a real Neo4j: `trellis evaluate`, also of STaRK's own files, and `trellis
wording`."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from chat_server import Messages, chat_server, closed_url
from stark_base import write_base, write_questions
from trellis.cli.graphs.wording import wording
from trellis.domain.errors import EmptyGraphError, FileFormatError, InputError
from trellis.domain.graphs.graph import Step
from trellis.evaluation.answer_nodes import find_answer_nodes
from trellis.graph.database.connection import GraphConnection
from trellis.graph.loading import load_graph
from trellis.graph.stark.import_files import write_import_files
from trellis.graph.stark.processed_folder import read_processed_folder
from trellis.lexicon.phrasebook import Phrasebook
from trellis.questions.row import QuestionRow
from trellis.training.wording_files.asking import WRITING
from trellis_command import run_trellis


def evaluate(folder: Path, uri: str, questions: object, *more: str) -> tuple[int, str]:
    asked = (questions, "--model", "untrained", "--out", "new.json")
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
    assert evaluate(tmp_path, neo4j_uri, "q.jsonl")[0] == 0
    same = tmp_path / "same.json"
    (tmp_path / "new.json").rename(same)
    code, said = evaluate(tmp_path, neo4j_uri, "q.jsonl", "--compare", "same.json")
    assert (code, "of 1 questions 0 are answered worse" in said) == (0, True)
    right = {"questions": [{"id": "kim", "answers": ["Zorg"]}]}
    (tmp_path / "right.json").write_text(json.dumps(right))
    code, said = evaluate(tmp_path, neo4j_uri, "q.jsonl", "--compare", "right.json")
    assert code == 1
    assert "worse: kim: was Zorg; is " in said
    assert "; right is Zorg" in said
    code, said = evaluate(tmp_path, neo4j_uri, "q.jsonl", "--compare", "q.jsonl")
    assert (code, said.count("\n")) == (1, 1)
    assert "q.jsonl is no report" in said


@pytest.mark.slow
async def test_a_command_prepares_the_store_that_it_reads(
    police: GraphConnection, neo4j_uri: str, tmp_path: Path
) -> None:
    assert police
    code, said = run_trellis(tmp_path, neo4j_uri, "ask", "Who is Kim?", "--model", "reader")
    assert (code, "store" in said, "warning" in said) == (0, False, False), said
    assert (tmp_path / "answers.db").exists()


def read_report(folder: Path) -> dict[str, Any]:
    body: dict[str, Any] = json.loads((folder / "new.json").read_text())
    return body


@pytest.mark.slow
async def test_a_knowledge_base_is_converted_loaded_and_evaluated(
    clean_graph: GraphConnection, neo4j_uri: str, tmp_path: Path
) -> None:
    write_base(tmp_path / "processed")
    table = write_questions(tmp_path)
    code, said = evaluate(tmp_path, neo4j_uri, table, "--method", "graphraft", "--split", "test")
    assert (code, said.count("\n")) == (1, 1)
    assert "3 of 3 answer ids are of no node, the first '5'" in said
    for command in (
        ("convert", "processed", "--out", "base"),
        ("load", "base", "--no-embeddings"),
        ("index",),
    ):
        assert run_trellis(tmp_path, neo4j_uri, *command)[0] == 0
    code, said = evaluate(tmp_path, neo4j_uri, table, "--method", "graphraft", "--split", "test")
    assert code == 0, said
    body = read_report(tmp_path)
    assert [entry["id"] for entry in body["questions"]] == ["7", "4", "12"]
    for name in ("hits_at_1", "hits_at_5", "recall_at_20", "mrr"):
        assert f"{name} " in said
    first, second, twin = body["questions"]
    assert (first["answers"][0], second["answers"][0]) == ("Lunga", "Willowine")
    assert twin["answers"][:2] == ["Twin", "Twin"]  # by their names both would be right
    assert body["hits_at_5"] == body["recall_at_20"] == 1
    wanted = [
        row["id"]
        for row in await clean_graph.read_rows(
            "MATCH (n) WHERE n._trellis_id = '\t8' RETURN elementId(n) AS id"
        )
    ]
    assert body["mrr"] == pytest.approx((2 + 1 / (1 + twin["ids"].index(*wanted))) / 3)


async def test_answers_may_be_known_by_a_property(
    clean_graph: GraphConnection, tmp_path: Path
) -> None:
    base = read_processed_folder(write_base(tmp_path / "processed"))
    write_import_files(base, tmp_path / "base")
    await load_graph(clean_graph, tmp_path / "base")
    asked = [QuestionRow("1", "?", answers=("D4", "D5")), QuestionRow("2", "?")]
    both, unknown = await find_answer_nodes(clean_graph, asked, "id")
    assert both.answers == ("Twin", "Twin")
    assert both.answer_nodes is not None
    assert len(set(both.answer_nodes)) == 2
    assert unknown == asked[1]
    [number] = await find_answer_nodes(
        clean_graph, [QuestionRow("3", "?", answers=("9606",))], "taxid"
    )
    assert number.answers == ("SHIV1",)
    with pytest.raises(InputError, match=r"1 of 1 answer ids .* 'D4'.*property 'name'"):
        await find_answer_nodes(clean_graph, [QuestionRow("4", "?", answers=("D4",))], "name")


SHOP = (
    "CREATE (a:Customer {name: 'Ann', age: 30})-[:WRAPPED {quantity: 2}]->(:Product {name: 'Oats'})"
    "<-[:SELLS]-(:Shop {name: 'Corner'})"
)


@pytest.fixture
async def shop(
    clean_graph: GraphConnection, neo4j_uri: str, monkeypatch: pytest.MonkeyPatch
) -> GraphConnection:
    monkeypatch.setenv("TRELLIS_NEO4J_URI", neo4j_uri)
    await clean_graph.run_write(SHOP)
    return clean_graph


def run_wording(out: Path, *more: str) -> str:
    """What the command prints; what it raises is raised."""
    done = CliRunner().invoke(app(), ["--out", str(out), *more])
    if done.exception:
        raise done.exception
    return done.stdout


def app() -> typer.Typer:
    made = typer.Typer()
    made.command("wording")(wording)
    return made


@pytest.mark.usefixtures("shop")
async def test_a_file_is_written_edited_and_written_again(tmp_path: Path) -> None:
    file = tmp_path / "wording.json"
    said = await asyncio.to_thread(run_wording, file)
    assert f"{file}: 2 relations, 3 labels, 5 properties" in said
    assert "^WRAPPED" in said
    body = json.loads(file.read_text("utf-8"))
    assert list(body["relations"]) == ["SELLS", "WRAPPED"]
    body["relations"]["SELLS"]["nouns"] = ["wares"]
    body["relations"]["LENDS"] = {"nouns": ["loan"]}
    file.write_text(json.dumps(body), "utf-8")
    with pytest.raises(InputError, match="--force"):
        await asyncio.to_thread(run_wording, file)
    said = await asyncio.to_thread(run_wording, file, "--from", str(file), "--force")
    assert "not in the graph any more: relations.LENDS" in said
    assert Phrasebook.load(file).phrases_of(Step("SELLS"), "Product").nouns[0] == "wares"


@pytest.mark.usefixtures("shop")
async def test_a_hosted_model_adds_phrases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(messages: Messages) -> str:
        request = messages[-1]["content"]
        if messages[0]["content"] == WRITING:
            row = {"of": 1, "kind": "asks", "phrase": "What do they stock at {}?"}
            return json.dumps(row) if "[:SELLS]" in request else ""
        number = re.search(r"^(\d+): .*\(X:Shop\)-\[:SELLS\]", request, re.MULTILINE)
        assert number
        return json.dumps({"phrase": 1, "item": int(number[1])})

    with chat_server(answer) as server:
        monkeypatch.setenv("TRELLIS_DECODER_URL", server.url)
        monkeypatch.setenv("TRELLIS_DECODER_MODEL", "m")
        said = await asyncio.to_thread(run_wording, tmp_path / "w.json")
    assert "from the hosted model: 1 phrases" in said
    body = json.loads((tmp_path / "w.json").read_text("utf-8"))
    assert body["relations"]["SELLS"]["asks"][-1] == "what do they stock at {}"
    assert len(server.requests) == 2 + 5 + 1


@pytest.mark.usefixtures("shop")
async def test_a_hosted_model_that_is_away_leaves_the_skeleton(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = tmp_path / "alone.json"
    await asyncio.to_thread(run_wording, alone)
    monkeypatch.setenv("TRELLIS_DECODER_URL", closed_url())
    said = await asyncio.to_thread(run_wording, tmp_path / "w.json")
    assert "requests failed" in said
    assert (tmp_path / "w.json").read_text("utf-8") == alone.read_text("utf-8")


@pytest.mark.usefixtures("clean_graph")
async def test_an_empty_graph_a_bad_file_and_a_missing_folder_are_told(
    neo4j_uri: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRELLIS_NEO4J_URI", neo4j_uri)
    with pytest.raises(EmptyGraphError, match="trellis load"):
        await asyncio.to_thread(run_wording, tmp_path / "w.json")
    (tmp_path / "bad.json").write_text("[]", "utf-8")
    with pytest.raises(FileFormatError, match=r"bad\.json"):
        await asyncio.to_thread(
            run_wording, tmp_path / "w.json", "--from", str(tmp_path / "bad.json")
        )
    with pytest.raises(InputError, match="there is no folder"):
        await asyncio.to_thread(run_wording, tmp_path / "none" / "w.json")
