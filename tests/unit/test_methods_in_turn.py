"""Where no method is named, the methods that can answer are asked in turn."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from memory_house import MemoryGraph, WordModel, opener
from trellis.domain.events import Watch, ignore_event
from trellis.domain.graph import Node
from trellis.domain.question import Question
from trellis.domain.reply import Answer, Reply
from trellis.methods.registry import Method, Task
from trellis.settings import Settings
from trellis.steps.paths.settings import PathSettings
from trellis.steps.queries.settings import CypherSettings


@dataclass(frozen=True, slots=True)
class Fixed:
    """A pipeline that always replies the same, and says that it was asked."""

    reply: Reply
    asked: list[str]

    async def answer(self, question: Question, watch: Watch = ignore_event) -> Reply:  # noqa: ARG002
        self.asked.append(self.reply.method)
        return self.reply


def claiming(name: str) -> Reply:
    return Reply("?", name, (Answer(Node("1", "Paris"), 1.0),), (), 0.9, abstained=False)


def silent(name: str, confidence: float, held_back: str = "", nearest: str = "") -> Reply:
    near = (Answer(Node("2", nearest), 0.5),) if nearest else ()
    return Reply("?", name, (), (), confidence, abstained=True, held_back=held_back, nearest=near)


async def ask(
    folder: Path, replies: list[Reply], method: str | None = None
) -> tuple[Reply, list[str]]:
    """The reply of a house whose methods reply so, and which of them were asked."""
    asked: list[str] = []
    methods = {
        reply.method: Method(
            reply.method,
            "Fixed.",
            (Task(PathSettings),),
            lambda _, reply=reply: Fixed(reply, asked),  # type: ignore[misc]
        )
        for reply in replies
    }
    settings = Settings(store_url=f"sqlite+aiosqlite:///{folder}/s.db", _env_file=None)
    async with opener(MemoryGraph(), WordModel, methods=methods)(settings) as house:
        return await house.answer(
            house.make_question("What is the capital of France?"), method
        ), asked


@pytest.mark.parametrize(
    ("replies", "given", "asked"),
    [
        ([claiming("a"), claiming("b")], "a", ["a"]),
        ([silent("a", 0.6), claiming("b")], "b", ["a", "b"]),
        ([silent("a", 0.2), silent("b", 0.4)], "b", ["a", "b"]),
        ([silent("a", 0.4), silent("b", 0.2)], "a", ["a", "b"]),
        ([silent("a", 0.0, held_back="it says not"), claiming("b")], "a", ["a"]),
        ([silent("a", 0.6, nearest="Paris"), claiming("b")], "b", ["a", "b"]),
        ([silent("a", 0.6), silent("b", 0.0, held_back="it says not")], "a", ["a", "b"]),
    ],
    ids=[
        *("first claims", "first is unsure", "surest of two", "first is surest", "held back"),
        *("both find the same", "only the first one's reason is given"),
    ],
)
async def test_the_first_that_claims_something_or_says_why_not_replies(
    tmp_path: Path, replies: list[Reply], given: str, asked: list[str]
) -> None:
    reply, were_asked = await ask(tmp_path, replies)
    assert (reply.method, were_asked) == (given, asked)


async def test_a_claim_that_contradicts_what_another_method_found_is_withdrawn(
    tmp_path: Path,
) -> None:
    reply, asked = await ask(tmp_path, [silent("a", 0.6, nearest="Lyon"), claiming("b")])
    assert (reply.method, reply.abstained, asked) == ("b", True, ["a", "b"])
    assert [answer.node.name for answer in reply.nearest] == ["Paris"]
    assert reply.answers == ()


async def test_a_method_that_is_named_is_asked_alone(tmp_path: Path) -> None:
    reply, asked = await ask(tmp_path, [claiming("a"), silent("b", 0.1)], "b")
    assert (reply.method, reply.abstained, asked) == ("b", True, ["b"])


async def test_methods_without_their_models_are_not_asked(tmp_path: Path) -> None:
    replies = [claiming("a")]
    settings = Settings(store_url=f"sqlite+aiosqlite:///{tmp_path}/s.db", _env_file=None)
    methods = {
        "gone": Method("gone", "", (Task(CypherSettings),), lambda _: Fixed(claiming("gone"), [])),
        "a": Method("a", "", (Task(PathSettings),), lambda _: Fixed(replies[0], [])),
    }
    async with opener(MemoryGraph(), WordModel, methods=methods)(settings) as house:
        assert (await house.answer(house.make_question("Who?"))).method == "a"
