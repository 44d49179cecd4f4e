"""`trellis wording` over a real Neo4j, alone and with a hosted model."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from chat_server import Messages, chat_server, closed_url
from trellis.cli.wording import wording
from trellis.domain.errors import EmptyGraphError, FileFormatError, InputError
from trellis.domain.graph import Step
from trellis.graph.connection import GraphConnection
from trellis.lexicon.phrasebook import Phrasebook
from trellis.training.wording_files.asking import WRITING

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
