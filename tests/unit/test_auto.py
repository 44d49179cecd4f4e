"""Where no method is named, those that can answer are asked as far as it can change the answer."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from memory_app import MemoryGraph, WordModel, opener
from trellis.domain.budget import limit_time, work_while_others_wait
from trellis.domain.errors import (
    DecoderError,
    GraphUnavailableError,
    TrellisError,
    UnknownTopicError,
)
from trellis.domain.events import Event, Watch, ignore_event
from trellis.domain.graph import Node
from trellis.domain.question import Question
from trellis.domain.reply import Answer, Reply
from trellis.methods.registry import Method, Task
from trellis.pipelines.auto import Auto
from trellis.settings import Settings
from trellis.steps.choose.order_methods import MethodTraits
from trellis.steps.retrieve.paths.settings import PathSettings
from trellis.steps.retrieve.queries.settings import CypherSettings
from trellis.wire.bodies import ReplyBody

QUESTION = Question("What is the capital of France?")


@dataclass(frozen=True, slots=True)
class Fixed:
    """A pipeline that always replies the same, and says that it was asked."""

    reply: Reply
    asked: list[str]

    async def answer(self, question: Question, watch: Watch = ignore_event) -> Reply:  # noqa: ARG002
        self.asked.append(self.reply.method)
        return self.reply


def claiming(name: str, confidence: float = 0.9, answer: str = "Paris") -> Reply:
    answers = (Answer(Node("1", answer), 1.0),)
    return Reply("?", name, answers, (), confidence, abstained=False)


def silent(name: str, confidence: float, held_back: str = "", nearest: str = "") -> Reply:
    near = (Answer(Node("2", nearest), 0.5),) if nearest else ()
    return Reply("?", name, (), (), confidence, abstained=True, held_back=held_back, nearest=near)


async def ask(
    folder: Path, replies: list[Reply], method: str | None = None
) -> tuple[Reply, list[str]]:
    """The reply of an app whose methods reply so, and which of them were asked."""
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
    async with opener(MemoryGraph(), WordModel, methods=methods)(settings) as trellis_app:
        return await trellis_app.answer(
            trellis_app.make_question("What is the capital of France?"), method
        ), asked


@pytest.mark.parametrize(
    ("replies", "given", "asked"),
    [
        ([claiming("a", 0.999), claiming("b")], "a", ["a"]),
        ([claiming("a"), claiming("b", 0.99)], "a", ["a", "b"]),
        ([claiming("a", 0.6), claiming("b", answer="Lyon")], "b", ["a", "b"]),
        ([silent("a", 0.6), claiming("b")], "b", ["a", "b"]),
        ([silent("a", 0.2), silent("b", 0.4)], "b", ["a", "b"]),
        ([silent("a", 0.4), silent("b", 0.2)], "a", ["a", "b"]),
        ([silent("a", 0.0, held_back="it says not"), claiming("b")], "a", ["a"]),
        ([silent("a", 0.6, nearest="Paris"), claiming("b")], "b", ["a", "b"]),
        ([silent("a", 0.6), silent("b", 0.0, held_back="it says not")], "a", ["a", "b"]),
    ],
    ids=[
        *("first is sure", "both agree", "they contradict one another"),
        *("first is unsure", "surest of two", "first is surest", "held back"),
        *("both find the same", "only the first one's reason is given"),
    ],
)
async def test_the_first_that_claims_something_or_says_why_not_replies(
    tmp_path: Path, replies: list[Reply], given: str, asked: list[str]
) -> None:
    reply, were_asked = await ask(tmp_path, replies)
    assert (reply.method, were_asked) == (given, asked)


def traits(*names: str, least: float = 0.0) -> list[MethodTraits]:
    return [MethodTraits(name, 0.1, least=least) for name in names]


def replying(replies: Sequence[Reply | TrellisError]) -> tuple[Auto, list[str]]:
    """A chooser whose methods `m0`, `m1`, … reply so, and which of them were asked."""
    asked: list[str] = []

    async def ask_method(name: str, question: Question, watch: Watch) -> Reply:  # noqa: ARG001
        asked.append(name)
        reply = replies[int(name[1:])]
        if isinstance(reply, TrellisError):
            raise reply
        return reply

    return Auto(traits(*(f"m{number}" for number in range(len(replies)))), ask_method), asked


async def test_while_others_wait_a_doubtful_answer_is_given_as_it_is() -> None:
    auto, were_asked = replying([claiming("m0", 0.85), claiming("m1")])
    with work_while_others_wait(lambda: 20):
        reply = await auto.answer(QUESTION)
    assert (reply.method, were_asked) == ("m0", ["m0"])
    assert reply.choice
    assert reply.choice.reason == "chosen: m0; no further method was asked, as others wait"
    auto, were_asked = replying([silent("m0", 0.3), claiming("m1")])
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
    auto, were_asked = replying([held, claiming("m1"), claiming("m2")])
    can = [replace(each, says_operators=each.name == can_say) for each in auto.traits]
    reply = await replace(auto, traits=can).answer(QUESTION)
    assert (reply.method, were_asked) == (given, asked)


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
    auto, were_asked = replying([found, second])
    says_all = replace(auto, traits=[replace(auto.traits[0], says_operators=True), auto.traits[1]])
    reply = await says_all.answer(QUESTION)
    assert (reply.method, were_asked) == (given, ["m0", "m1"])


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
    auto, were_asked = replying([first, second])
    can = [replace(each, says_operators=each.name == "m1") for each in auto.traits]
    reply = await replace(auto, traits=can).answer(QUESTION)
    assert (reply.method, were_asked) == (given, ["m0", "m1"])
    assert reply.answers


async def test_a_claim_that_others_contradict_is_withdrawn_below_its_threshold() -> None:
    replies = {"a": claiming("a", 0.7, "Lyon"), "b": claiming("b", 0.8)}

    async def ask_method(name: str, question: Question, watch: Watch) -> Reply:  # noqa: ARG001
        return replies[name]

    reply = await Auto(traits("a", "b", least=0.75), ask_method).answer(QUESTION)
    assert (reply.method, reply.abstained, reply.answers) == ("b", True, ())
    assert [answer.node.name for answer in reply.nearest] == ["Paris"]
    assert reply.choice
    assert "contradict" in reply.choice.reason
    sure = await Auto(traits("a", "b", least=0.5), ask_method).answer(QUESTION)
    assert ([answer.node.name for answer in sure.answers], sure.method) == (["Paris"], "b")
    assert 0.5 < sure.confidence < 0.8


async def test_one_that_fails_does_not_take_the_answer_with_it() -> None:
    auto, asked = replying([DecoderError("the worker died", "start it"), claiming("m1", 0.7)])
    reply = await auto.answer(QUESTION)
    assert (reply.method, asked) == ("m1", ["m0", "m1"])
    assert "m0: the worker died" in reply.notes
    assert reply.choice
    assert [opinion.stance for opinion in reply.choice.opinions] == ["failed", "answered"]


async def test_where_all_fail_the_first_error_is_raised() -> None:
    auto, asked = replying([DecoderError("one", ""), DecoderError("two", "")])
    with pytest.raises(DecoderError, match="one"):
        await auto.answer(QUESTION)
    assert asked == ["m0", "m1"]


@pytest.mark.parametrize("error", [UnknownTopicError("no such topic"), GraphUnavailableError("no")])
async def test_an_error_that_all_would_end_in_is_raised_at_once(error: TrellisError) -> None:
    auto, asked = replying([error, claiming("m1")])
    with pytest.raises(type(error)):
        await auto.answer(QUESTION)
    assert asked == ["m0"]


async def test_one_that_is_slow_does_not_take_the_answer_with_it() -> None:
    async def ask_method(name: str, question: Question, watch: Watch) -> Reply:  # noqa: ARG001
        if name == "slow":
            await asyncio.Event().wait()
        return claiming(name, 0.6)

    async with limit_time(0.5):
        reply = await Auto(traits("quick", "slow"), ask_method).answer(QUESTION)
    assert (reply.method, reply.abstained) == ("quick", False)
    assert reply.choice
    assert [opinion.stance for opinion in reply.choice.opinions] == ["answered", "late"]
    assert "slow: its time was up" in reply.notes


async def test_methods_that_take_longer_than_is_left_are_skipped() -> None:
    async def ask_method(name: str, question: Question, watch: Watch) -> Reply:  # noqa: ARG001
        return claiming(name, 0.5)

    slow = MethodTraits("slow", 60.0)
    async with limit_time(5):
        reply = await Auto([slow, *traits("quick")], ask_method).answer(QUESTION)
    assert reply.choice
    assert (reply.method, reply.choice.skipped) == ("quick", ("slow",))


async def test_a_method_that_cannot_say_what_was_found_is_not_asked() -> None:
    asked: list[str] = []

    async def ask_method(name: str, question: Question, watch: Watch) -> Reply:  # noqa: ARG001
        asked.append(name)
        return replace(claiming(name, 0.7), says_operators=name == "queries")

    queries = MethodTraits("queries", 0.1, says_operators=True)
    reply = await Auto([queries, *traits("paths")], ask_method).answer(QUESTION)
    assert (reply.method, asked) == ("queries", ["queries"])
    assert reply.choice
    assert reply.choice.skipped == ("paths",)
    await Auto([*traits("paths"), queries], ask_method).answer(QUESTION)
    assert asked == ["queries", "paths", "queries"]


async def test_what_each_method_came_to_is_told_as_it_happens() -> None:
    events: list[Event] = []
    auto, _ = replying([silent("m0", 0.2), claiming("m1", 0.8), claiming("m2", 0.8)])
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
    async with opener(MemoryGraph(), WordModel, methods=methods)(settings) as trellis_app:
        assert (await trellis_app.answer(trellis_app.make_question("Who?"))).method == "a"


@dataclass(frozen=True, slots=True)
class Broken:
    """A pipeline that nobody foresaw to fail."""

    async def answer(self, question: Question, watch: Watch = ignore_event) -> Reply:  # noqa: ARG002
        raise ZeroDivisionError


async def test_a_method_that_breaks_is_told_and_the_others_answer(tmp_path: Path) -> None:
    broken = Method("broken", "", (Task(PathSettings),), lambda _: Broken())
    whole = Method("whole", "", (Task(PathSettings),), lambda _: Fixed(claiming("whole"), []))
    settings = Settings(store_url=f"sqlite+aiosqlite:///{tmp_path}/s.db", _env_file=None)
    both = {"broken": broken, "whole": whole}
    async with opener(MemoryGraph(), WordModel, methods=both)(settings) as trellis_app:
        reply = await trellis_app.answer(trellis_app.make_question("Who?"))
        assert (reply.method, reply.notes) == ("whole", ("broken: method broken broke",))
    async with opener(MemoryGraph(), WordModel, methods={"broken": broken})(
        settings
    ) as trellis_app:
        with pytest.raises(ZeroDivisionError):
            await trellis_app.answer(trellis_app.make_question("Who?"), "auto")
