"""One adapter tuned over several graphs by the command: served by itself, it answers over HTTP."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from general_folder import write_general_folder
from trellis.api.app import create_app
from trellis.domain.decoding import Search
from trellis.domain.prompt import Prompt
from trellis.engines.general import GeneralModel
from trellis.graph.connection import GraphConnection
from trellis.models.folder import read_card
from trellis.settings import Settings
from trellis.wiring import assemble_app
from trellis_command import run_trellis

pytestmark = pytest.mark.slow

GRAPHS = """
[graphs.known]
uri = "{uri}"

[graphs.other]
uri = "{uri}"
config = "other.toml"
"""
HIDDEN = '[hidden]\nlabels = ["Officer"]\n'


def user_settings(uri: str, tmp_path: Path) -> Settings:
    return Settings(
        neo4j_uri=uri,
        model=str(tmp_path / "model"),
        cache=tmp_path / "cache",
        device="cpu",
        store_url=f"sqlite+aiosqlite:///{tmp_path}/s.db",
        question_timeout=600,
        width=1,
        token_budget=64,
        shots=5,
        _env_file=None,
    )


async def test_one_adapter_over_two_graphs_answers_on_a_third(
    police: GraphConnection, neo4j_uri: str, tmp_path: Path
) -> None:
    assert police
    base = write_general_folder(tmp_path / "base")
    (tmp_path / "graphs.toml").write_text(GRAPHS.format(uri=neo4j_uri), "utf-8")
    (tmp_path / "other.toml").write_text(HIDDEN, "utf-8")
    (tmp_path / ".env").write_text(
        f"TRELLIS_GRAPHS_FILE={tmp_path}/graphs.toml\nTRELLIS_CACHE={tmp_path}/cache\n"
        "TRELLIS_RENDERING=cypher\nTRELLIS_DEVICE=cpu\n",
        "utf-8",
    )
    asked = ["--task", "cypher,path", "--graphs", "known,other", "--base", base]
    asked += ["--limit", 40, "--steps", 2, "--lora-rank", 4, "--out", tmp_path / "model"]
    code, said = run_trellis(tmp_path, neo4j_uri, "train", *asked)
    assert code == 0, said
    assert "GiB free" in said
    assert "s a step" in said
    card = read_card(tmp_path / "model")
    assert (set(card.tasks), card.is_general, card.shots) == ({"cypher", "path"}, True, 0)
    assert card.training["cypher"]["graphs"] == "known, other"
    settings = user_settings(neo4j_uri, tmp_path)
    app = create_app(settings)
    transport = httpx.ASGITransport(app)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://trellis", timeout=600) as client,
    ):
        for method in ("graphraft", "gcr"):
            body = {"question": "Who knows Bob?", "method": method}
            response = await client.post("/v1/questions", json=body)
            assert response.status_code == 200, response.text
            assert response.json()["candidates"]
    assert not list((tmp_path / "cache").rglob("model.safetensors"))
    async with assemble_app(settings) as home:
        model = await (await home.models.require_source("cypher")).model.get()
        assert isinstance(model, GeneralModel)
        prompt = Prompt("cypher", "who knows v0 (person name) ?", "Query")
        written = await model.write_chat(prompt, Search())
    assert [turn.role for turn in written.messages] == ["system", "user"]
    assert "MATCH" in written.messages[0].text  # as it was tuned, not as the settings have it


async def test_a_graph_that_is_not_there_is_named(neo4j_uri: str, tmp_path: Path) -> None:
    asked = ["--graphs", "mars", "--base", "smollm2", "--out", tmp_path / "model"]
    code, said = run_trellis(tmp_path, neo4j_uri, "train", *asked)
    assert code == 1
    assert "no graph 'mars'" in said
    assert not (tmp_path / "model").exists()
