"""A question whose name may mean several nodes: choices, and the answer to the chosen one."""

from __future__ import annotations

import io
from pathlib import Path

import httpx
import pytest

from memory_app import opener
from namesakes_graph import NODES, NamesakesGraph
from trellis.cli.answering.asking import InProcessClient
from trellis.cli.answering.chat import Chat
from trellis.cli.terminal import Terminal
from trellis.settings import Settings
from trellis.wire.asked import TurnBody
from trellis.wire.bodies import ReplyBody
from unit.api.asking import ask, check_problem

ASKED = {"question": "What is the capital of Georgia?", "method": "gcr"}
FOLLOW_UP = {**ASKED, "question": "What is Georgia in?"}


@pytest.fixture
def graph() -> NamesakesGraph:
    return NamesakesGraph()


async def test_a_question_is_asked_back_with_choices_of_which_one_is_taken(
    client: httpx.AsyncClient,
) -> None:
    body = await ask(client, **ASKED)
    assert (body["abstained"], body["answers"]) == (True, [])
    assert body["held_back"] == "“Georgia” may mean any of 2 nodes of that name: choose one"
    choices = [(it["id"], it["name"], it["distinction"]) for it in body["choices"]]
    assert choices == [("4:abc:0", "Georgia", "Tbilisi"), ("4:abc:1", "Georgia", "Atlanta")]
    nearest = sorted(it["distinction"] for it in body["nearest"]["answers"])
    assert nearest == ["Georgia, Atlanta", "Georgia, Tbilisi"]
    taken = await ask(client, **ASKED, topics=[body["choices"][1]["id"]])
    assert [answer["name"] for answer in taken["answers"]] == ["Atlanta"]
    assert taken["choices"] == []


@pytest.mark.slow
@pytest.mark.parametrize("is_kept", [False, True], ids=["history", "conversation"])
async def test_a_follow_up_remembers_the_choice(client: httpx.AsyncClient, is_kept: bool) -> None:
    talk = {"conversation": "travels"} if is_kept else {}
    taken = await ask(client, **ASKED, **talk, topics=[NODES[1].id])
    turn = TurnBody.of_reply(ReplyBody.model_validate(taken)).model_dump(exclude_none=True)
    assert turn["topics"] == [NODES[1].id]
    body = await ask(client, **FOLLOW_UP, **(talk or {"history": [turn]}))
    assert body["choices"] == []
    names = {answer["name"] for answer in body["answers"]}
    assert names
    assert names <= {"Atlanta", "North America"}


async def test_a_choice_of_a_node_that_is_gone_is_forgotten(client: httpx.AsyncClient) -> None:
    turn = {"question": ASKED["question"], "answers": ["Atlanta"], "topics": ["4:abc:99"]}
    body = await ask(client, **FOLLOW_UP, history=[turn])
    assert [choice["id"] for choice in body["choices"]] == [NODES[0].id, NODES[1].id]


async def test_a_topic_of_no_node_is_refused(client: httpx.AsyncClient) -> None:
    asked = {**ASKED, "topics": ["4:abc:99"]}
    response = await client.post("/v1/questions", json=asked)
    assert "4:abc:99" in check_problem(response, 404)["detail"]


async def test_chat_takes_a_choice_by_its_number(tmp_path: Path) -> None:
    out = io.StringIO()
    settings = Settings(store_url=f"sqlite+aiosqlite:///{tmp_path}/a.db", _env_file=None)
    async with opener(NamesakesGraph())(settings) as trellis_app:
        console = Terminal(file=out, highlight=False, width=100)
        talk = Chat(InProcessClient(trellis_app), console, "gcr")
        await talk.handle_line(ASKED["question"])
        assert f"  1. {NODES[0].name} (Tbilisi)  --topics 4:abc:0\n" in out.getvalue()
        await talk.handle_line("2")
    assert out.getvalue().splitlines()[-1].startswith("Atlanta")
