"""Where no method is named, those that can answer are asked as far as it can change the answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import pytest

from memory_app import MemoryGraph, WordModel, opener
from trellis.app.trellis_app import TrellisApp
from trellis.domain.errors import (
    DecoderError,
    GraphUnavailableError,
    TrellisError,
    UnknownTopicError,
)
from trellis.domain.graphs.graph import Node
from trellis.domain.limits.budget import limit_time, work_while_others_wait
from trellis.domain.models.card import TaskSettings
from trellis.domain.replies.events import Event, Watch, ignore_event
from trellis.domain.replies.question import Question
from trellis.domain.replies.reply import Answer, Reply
from trellis.methods.registry import Method, Task
from trellis.pipelines.auto import Auto
from trellis.settings import Settings
from trellis.steps.choose.order_methods import MethodTraits
from trellis.steps.retrieve.paths.settings import PathSettings
from trellis.steps.retrieve.queries.settings import CypherSettings
from trellis.wire.bodies import ReplyBody

QUESTION = Question("What is the capital of France?")


def claiming(name: str, confidence: float = 0.9, answer: str = "Paris") -> Reply:
    answers = (Answer(Node("1", answer), 1.0),)
    return Reply("?", name, answers, (), confidence, abstained=False)


def silent(name: str, confidence: float, held_back: str = "", nearest: str = "") -> Reply:
    near = (Answer(Node("2", nearest), 0.5),) if nearest else ()
    return Reply("?", name, (), (), confidence, abstained=True, held_back=held_back, nearest=near)


def replying(
    *replies: Reply | TrellisError | None, least: float = 0.0, can_say: str = ""
) -> tuple[Auto, list[str]]:
    """A chooser whose methods `m0`, `m1`, … reply so, and which of them were asked.

    None: a method that never replies. `can_say`: the method that says operators.
    """
    asked: list[str] = []

    async def ask_method(name: str, question: Question, watch: Watch) -> Reply:  # noqa: ARG001
        asked.append(name)
        reply = replies[int(name[1:])]
        if isinstance(reply, TrellisError):
            raise reply
        if reply is None:
            await asyncio.Event().wait()
        return cast(Reply, reply)

    names = [f"m{number}" for number in range(len(replies))]
    traits = [MethodTraits(n, 0.1, least=least, says_operators=n == can_say) for n in names]
    return Auto(traits, ask_method), asked


@pytest.mark.parametrize(
    ("replies", "given", "asked"),
    [
        ([claiming("m0", 0.999), claiming("m1")], "m0", ["m0"]),
        ([claiming("m0"), claiming("m1", 0.99)], "m0", ["m0", "m1"]),
        ([claiming("m0", 0.6), claiming("m1", answer="Lyon")], "m1", ["m0", "m1"]),
        ([silent("m0", 0.6), claiming("m1")], "m1", ["m0", "m1"]),
        ([silent("m0", 0.2), silent("m1", 0.4)], "m1", ["m0", "m1"]),
        ([silent("m0", 0.4), silent("m1", 0.2)], "m0", ["m0", "m1"]),
        ([silent("m0", 0.0, held_back="it says not"), claiming("m1")], "m0", ["m0"]),
        ([silent("m0", 0.6, nearest="Paris"), claiming("m1")], "m1", ["m0", "m1"]),
        ([silent("m0", 0.6), silent("m1", 0.0, held_back="it says not")], "m0", ["m0", "m1"]),
    ],
    ids=[
        *("first is sure", "both agree", "they contradict one another"),
        *("first is unsure", "surest of two", "first is surest", "held back"),
        *("both find the same", "only the first one's reason is given"),
    ],
)
async def test_the_first_that_claims_something_or_says_why_not_replies(
    replies: list[Reply], given: str, asked: list[str]
) -> None:
    auto, were_asked = replying(*replies)
    assert ((await auto.answer(QUESTION)).method, were_asked) == (given, asked)


async def test_while_others_wait_a_doubtful_answer_is_given_as_it_is() -> None:
    auto, were_asked = replying(claiming("m0", 0.85), claiming("m1"))
    with work_while_others_wait(lambda: 20):
        reply = await auto.answer(QUESTION)
    assert (reply.method, were_asked) == ("m0", ["m0"])
    assert reply.choice
    assert reply.choice.reason == "chosen: m0; no further method was asked, as others wait"
    auto, were_asked = replying(silent("m0", 0.3), claiming("m1"))
    with work_while_others_wait(lambda: 20):
        assert (await auto.answer(QUESTION)).method == "m1"


@pytest.mark.parametrize(
    ("can_say", "given", "asked"),
    [
        ("m1", "m1", ["m0", "m1"]),  # it may say what the first one leaves out
        ("m0", "m0", ["m0"]),  # what it holds back, no other can say
        ("", "m0", ["m0"]),
    ],
)
async def test_what_relations_cannot_say_is_asked_of_a_method_that_can(
    can_say: str, given: str, asked: list[str]
) -> None:
    held = silent("m0", 0.0, held_back="the question says “not”")
    auto, were_asked = replying(held, claiming("m1"), claiming("m2"), can_say=can_say)
    assert ((await auto.answer(QUESTION)).method, were_asked) == (given, asked)


@pytest.mark.parametrize(
    ("second", "given"),
    [
        (claiming("m1"), "m1"),  # another method finds what is asked for
        (silent("m1", 0.4), "m0"),  # none does: what was found in its place is said
    ],
)
async def test_who_found_something_else_than_is_asked_is_not_the_last_to_be_asked(
    second: Reply, given: str
) -> None:
    found = replace(silent("m0", 0.0, held_back="this is no age"), found_other=True)
    auto, were_asked = replying(found, second, can_say="m0")
    assert ((await auto.answer(QUESTION)).method, were_asked) == (given, ["m0", "m1"])


@pytest.mark.parametrize(
    ("second", "given"),
    [
        (claiming("m1", 0.7), "m1"),
        (claiming("m1", 0.7, answer="Lyon"), "m1"),
        (silent("m1", 0.4, nearest="Lyon"), "m0"),
    ],
    ids=["it says the same and more", "it says something else, whole", "it says nothing"],
)
async def test_an_answer_that_leaves_out_a_property_is_given_where_no_other_says_it(
    second: Reply, given: str
) -> None:
    first = replace(claiming("m0", 0.96), unshown=("population",))
    auto, were_asked = replying(first, second, can_say="m1")
    reply = await auto.answer(QUESTION)
    assert (reply.method, were_asked) == (given, ["m0", "m1"])
    assert reply.answers


async def test_a_claim_that_others_contradict_is_withdrawn_below_its_threshold() -> None:
    replies = claiming("m0", 0.7, "Lyon"), claiming("m1", 0.8)
    reply = await replying(*replies, least=0.75)[0].answer(QUESTION)
    assert (reply.method, reply.abstained, reply.answers) == ("m1", True, ())
    assert [answer.node.name for answer in reply.nearest] == ["Paris"]
    assert reply.choice
    assert "contradict" in reply.choice.reason
    sure = await replying(*replies, least=0.5)[0].answer(QUESTION)
    assert ([answer.node.name for answer in sure.answers], sure.method) == (["Paris"], "m1")
    assert 0.5 < sure.confidence < 0.8


async def test_one_that_fails_does_not_take_the_answer_with_it() -> None:
    auto, asked = replying(DecoderError("the worker died", "start it"), claiming("m1", 0.7))
    reply = await auto.answer(QUESTION)
    assert (reply.method, asked) == ("m1", ["m0", "m1"])
    assert "m0: the worker died" in reply.notes
    assert reply.choice
    assert [opinion.stance for opinion in reply.choice.opinions] == ["failed", "answered"]


async def test_where_all_fail_the_first_error_is_raised() -> None:
    auto, asked = replying(DecoderError("one", ""), DecoderError("two", ""))
    with pytest.raises(DecoderError, match="one"):
        await auto.answer(QUESTION)
    assert asked == ["m0", "m1"]


@pytest.mark.parametrize("error", [UnknownTopicError("no such topic"), GraphUnavailableError("no")])
async def test_an_error_that_all_would_end_in_is_raised_at_once(error: TrellisError) -> None:
    auto, asked = replying(error, claiming("m1"))
    with pytest.raises(type(error)):
        await auto.answer(QUESTION)
    assert asked == ["m0"]


async def test_one_that_is_slow_does_not_take_the_answer_with_it() -> None:
    auto, _ = replying(claiming("m0", 0.6), None)
    async with limit_time(0.5):
        reply = await auto.answer(QUESTION)
    assert (reply.method, reply.abstained) == ("m0", False)
    assert reply.choice
    assert [opinion.stance for opinion in reply.choice.opinions] == ["answered", "late"]
    assert "m1: its time was up" in reply.notes


async def test_methods_that_take_longer_than_is_left_are_skipped() -> None:
    auto, _ = replying(claiming("m0"), claiming("m1", 0.5))
    slow = replace(auto.traits[0], seconds=60.0)
    async with limit_time(5):
        reply = await replace(auto, traits=[slow, auto.traits[1]]).answer(QUESTION)
    assert reply.choice
    assert (reply.method, reply.choice.skipped) == ("m1", ("m0",))


async def test_a_method_that_cannot_say_what_was_found_is_not_asked() -> None:
    queries = replace(claiming("m0", 0.7), says_operators=True)
    auto, asked = replying(queries, claiming("m1", 0.7), can_say="m0")
    reply = await auto.answer(QUESTION)
    assert (reply.method, asked) == ("m0", ["m0"])
    assert reply.choice
    assert reply.choice.skipped == ("m1",)
    await replace(auto, traits=auto.traits[::-1]).answer(QUESTION)
    assert asked == ["m0", "m1", "m0"]


async def test_what_each_method_came_to_is_told_as_it_happens() -> None:
    events: list[Event] = []
    auto, _ = replying(silent("m0", 0.2), claiming("m1", 0.8), claiming("m2", 0.8))
    reply = await auto.answer(QUESTION, events.append)
    assert [(event.name, event.data.method) for event in events] == [
        ("opinion", "m0"),
        ("opinion", "m1"),
        ("opinion", "m2"),
    ]
    body = ReplyBody.of("id", reply)
    assert body.chosen
    assert [(it.method, it.agrees) for it in body.chosen.methods] == [
        ("m0", False),
        ("m1", True),
        ("m2", True),
    ]
    assert body.confidence > 0.8
    assert "found the same" in body.chosen.reason


@dataclass(frozen=True, slots=True)
class Fixed:
    """A pipeline that always replies the same, and says that it was asked; or breaks, as nobody
    foresaw."""

    reply: Reply | None
    asked: list[str]

    async def answer(self, question: Question, watch: Watch = ignore_event) -> Reply:  # noqa: ARG002
        if self.reply is None:
            raise ZeroDivisionError
        self.asked.append(self.reply.method)
        return self.reply


@asynccontextmanager
async def opened(
    folder: Path, asked: list[str], *, needs: type[TaskSettings] = PathSettings, **replies: Any
) -> AsyncIterator[TrellisApp]:
    """An app whose methods reply so, by their names; the first one needs a task."""
    first = next(iter(replies))
    methods = {
        name: Method(
            *(name, "Fixed.", (Task(needs if name == first else PathSettings),)),
            lambda _, reply=reply: Fixed(reply, asked),  # type: ignore[misc]
        )
        for name, reply in replies.items()
    }
    settings = Settings(store_url=f"sqlite+aiosqlite:///{folder}/s.db", _env_file=None)
    async with opener(MemoryGraph(), WordModel, methods=methods)(settings) as app:
        yield app


async def test_a_method_that_is_named_is_asked_alone(tmp_path: Path) -> None:
    asked: list[str] = []
    async with opened(tmp_path, asked, a=silent("a", 0.2), b=silent("b", 0.1)) as app:
        reply = await app.answer(app.make_question(QUESTION.text), "b")
        assert (reply.method, reply.abstained, asked) == ("b", True, ["b"])
        reply = await app.answer(app.make_question(QUESTION.text))
        assert (reply.method, asked) == ("a", ["b", "a", "b"])


async def test_methods_without_their_models_are_not_asked(tmp_path: Path) -> None:
    replies = {"gone": claiming("gone"), "a": claiming("a")}
    async with opened(tmp_path, [], needs=CypherSettings, **replies) as app:
        assert (await app.answer(app.make_question("Who?"))).method == "a"


async def test_a_method_that_breaks_is_told_and_the_others_answer(tmp_path: Path) -> None:
    async with opened(tmp_path, [], broken=None, whole=claiming("whole")) as app:
        reply = await app.answer(app.make_question("Who?"))
    assert (reply.method, reply.notes) == ("whole", ("broken: method broken broke",))
    async with opened(tmp_path, [], broken=None) as app:
        with pytest.raises(ZeroDivisionError):
            await app.answer(app.make_question("Who?"), "auto")
