"""A question whose name may mean several nodes: choices, and the answer to the chosen one."""

from __future__ import annotations

import io
from pathlib import Path

from memory_house import opener, served
from namesakes_graph import NODES, NamesakesGraph
from trellis.cli.asking import InProcessClient
from trellis.cli.chat import Chat
from trellis.cli.terminal import Terminal
from trellis.settings import Settings

QUESTION = {"question": "What is the capital of Georgia?", "method": "gcr"}


async def test_a_question_is_asked_back_with_choices_of_which_one_is_taken(tmp_path: Path) -> None:
    async with served(tmp_path, NamesakesGraph()) as client:  # type: ignore[arg-type]
        body = (await client.post("/v1/questions", json=QUESTION)).json()
        assert (body["abstained"], body["answers"]) == (True, [])
        assert body["held_back"] == "“Georgia” may mean any of 2 nodes of that name: choose one"
        choices = [(it["id"], it["name"], it["distinction"]) for it in body["choices"]]
        assert choices == [
            ("4:abc:0", "Georgia", "Tbilisi"),
            ("4:abc:1", "Georgia", "Atlanta"),
        ]
        assert sorted(it["distinction"] for it in body["nearest"]["answers"]) == [
            "Georgia, Atlanta",
            "Georgia, Tbilisi",
        ]
        taken = {**QUESTION, "topics": [body["choices"][1]["id"]]}
        body = (await client.post("/v1/questions", json=taken)).json()
        assert [answer["name"] for answer in body["answers"]] == ["Atlanta"]
        assert body["choices"] == []


async def test_a_topic_of_no_node_is_refused(tmp_path: Path) -> None:
    async with served(tmp_path, NamesakesGraph()) as client:  # type: ignore[arg-type]
        body = {**QUESTION, "topics": ["4:abc:99"]}
        response = await client.post("/v1/questions", json=body)
    assert response.status_code == 404
    assert "4:abc:99" in response.text


async def test_chat_takes_a_choice_by_its_number(tmp_path: Path) -> None:
    out = io.StringIO()
    settings = Settings(store_url=f"sqlite+aiosqlite:///{tmp_path}/a.db", _env_file=None)
    async with opener(NamesakesGraph())(settings) as house:  # type: ignore[arg-type]
        console = Terminal(file=out, highlight=False, width=100)
        talk = Chat(InProcessClient(house), console, "gcr")
        await talk.handle_line(QUESTION["question"])
        assert f"  1. {NODES[0].name} (Tbilisi)  --topics 4:abc:0\n" in out.getvalue()
        await talk.handle_line("2")
    assert out.getvalue().splitlines()[-1].startswith("Atlanta  ")
