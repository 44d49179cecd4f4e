"""A question in another language is held back before any model is asked."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from memory_app import MemoryGraph, WordModel, served
from unit.api.asking import ask

TRIPLES = (
    ("百年孤独", "WRITTEN_BY", "García Márquez"),
    ("Das Leben der Anderen", "DIRECTED_BY", "Donnersmarck"),
    ("France", "HAS_CAPITAL", "Paris"),
)
ENGLISH_ONLY = "questions are read in English only, with names in any language: ask one about"


@pytest.fixture
def graph() -> MemoryGraph:
    return MemoryGraph(TRIPLES)


@pytest.mark.parametrize(
    "question",
    ["Quelle est la capitale de la France ?", "百年孤独の作者は誰ですか", "Кто автор 百年孤独?"],
)
@pytest.mark.parametrize("history", [[], [{"question": "What is the capital of France?"}]])
async def test_another_language_is_told_at_once(
    tmp_path: Path, graph: MemoryGraph, question: str, history: list[object]
) -> None:
    def load_no_model() -> WordModel:
        raise AssertionError("a model was loaded")

    async with served(tmp_path, graph, load_no_model) as client:
        body = await ask(client, question, history=history)
    assert (body["abstained"], body["answers"], body["candidates"]) == (True, [], [])
    assert body["held_back"].startswith(ENGLISH_ONLY)
    assert body["question"] == question


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("百年孤独 is written by whom?", "García Márquez"),
        ("百年孤独 written by", "García Márquez"),
        ("Das Leben der Anderen directed by", "Donnersmarck"),
        ("France capital", "Paris"),
    ],
)
async def test_names_of_other_languages_are_asked_for_in_english(
    client: httpx.AsyncClient, question: str, answer: str
) -> None:
    body = await ask(client, question)
    assert [each["name"] for each in body["answers"]] == [answer]


@pytest.mark.parametrize(
    ("question", "is_refused"), [("刘静任职于哪家公司？", False), ("谁住在青岛？", True)]
)
async def test_a_question_in_the_graphs_own_script_goes_its_way(
    tmp_path: Path, question: str, is_refused: bool
) -> None:
    own = MemoryGraph((("刘静", "任职于", "海蓝科技"), ("海蓝科技", "位于", "青岛")))
    async with served(tmp_path, own) as client:
        body = await ask(client, question)
    assert (ENGLISH_ONLY in str(body.get("held_back"))) == is_refused
