"""A reply is given again while nothing that it depends on has changed."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from pathlib import Path

import httpx
import pytest

from memory_app import MemoryGraph, served
from trellis.app.answer_cache import RECALL, AnswerCache
from trellis.domain.errors import GraphUnavailableError
from trellis.domain.replies.choice import Choice, Opinion
from trellis.domain.replies.reply import CandidateOutcome, Reply
from trellis.graph.database.connection import GraphVersion
from trellis.graph.kept import VersionedCache
from unit.api.asking import ASKED, EVENTS, ask

GIVEN = Reply("q", "gcr", (), (), 0.9, False)


@dataclass
class Commits:
    """What a graph tells of its version; `known`: whether it tells any."""

    count: int = 0
    known: bool = True

    async def read_version(self) -> GraphVersion | None:
        return GraphVersion("store", (str(self.count),)) if self.known else None


def asking(
    folder: Path, commits: Commits, **settings: object
) -> AbstractAsyncContextManager[httpx.AsyncClient]:
    """A client of a service over a graph with these versions."""
    return served(folder, MemoryGraph(), parts={"read_version": commits.read_version}, **settings)


def was_recalled(body: dict[str, object]) -> bool:
    return [step["name"] for step in body["steps"]] == [RECALL]


async def test_the_same_question_is_answered_from_memory(tmp_path: Path) -> None:
    async with asking(tmp_path, Commits()) as client:
        first, second = await ask(client), await ask(client)
        listed = (await client.get("/v1/answers")).json()["answers"]
        shown = (await client.get("/metrics")).text.splitlines()
    assert (was_recalled(first), was_recalled(second)) == (False, True)
    own = {"id", "steps", "asked_at"}
    assert {k: v for k, v in first.items() if k not in own} == {
        k: v for k, v in second.items() if k not in own
    }
    assert [row["id"] for row in listed] == [second["id"], first["id"]]
    told = [line.rsplit(" ", 1) for line in shown if line.startswith("trellis_replies")]
    assert [(name, value != "0.0") for name, value in told] == [
        ('trellis_replies_total{source="memory"}', True),
        ('trellis_replies_total{source="graph"}', True),
        ("trellis_replies_kept", True),
        ("trellis_replies_bytes", True),
    ]


async def test_after_a_commit_it_is_answered_anew(tmp_path: Path) -> None:
    commits = Commits()
    async with asking(tmp_path, commits) as client:
        await ask(client)
        commits.count += 1
        assert not was_recalled(await ask(client))
        assert was_recalled(await ask(client))


@pytest.mark.slow
@pytest.mark.parametrize(
    "more", [{"topics": ["Germany"]}, {"limit": 1}, {"method": "gcr"}, {"budget": {"rows": 7}}]
)
async def test_what_is_asked_for_otherwise_is_answered_anew(
    tmp_path: Path, more: dict[str, object]
) -> None:
    async with asking(tmp_path, Commits()) as client:
        await ask(client)
        assert not was_recalled(await ask(client, **more))
        assert was_recalled(await ask(client, **more))


async def test_a_question_that_is_watched_is_answered_anew(tmp_path: Path) -> None:
    async with asking(tmp_path, Commits()) as client:
        await ask(client)
        streamed = await client.post("/v1/questions", json=ASKED, headers=EVENTS)
    assert "event: candidates" in streamed.text


@pytest.mark.slow
async def test_nothing_is_kept_without_a_version_nor_against_the_settings(tmp_path: Path) -> None:
    for commits, changed in ((Commits(known=False), {}), (Commits(), {"answer_cache": 0})):
        async with asking(tmp_path, commits, **changed) as client:
            await ask(client)
            assert not was_recalled(await ask(client))


async def test_what_had_little_time_is_not_kept(tmp_path: Path) -> None:
    async with asking(tmp_path, Commits(), question_timeout=60) as client:
        await ask(client, budget={"seconds": 20})
        assert not was_recalled(await ask(client))
        assert was_recalled(await ask(client, budget={"seconds": 20}))


async def recall(cache: AnswerCache, reply: Reply, *, is_busy: bool = False) -> bool:
    """Whether the cache has a reply to the request already; else it gets this one."""
    anew = []

    async def answer() -> Reply:
        anew.append(reply)
        return reply

    await cache.get(("q",), answer, is_busy=is_busy)
    return not anew


@pytest.mark.parametrize(
    "failed",
    [
        replace(GIVEN, choice=Choice((Opinion("gcr", "answered"), Opinion("dog", "failed")))),
        replace(GIVEN, choice=Choice((Opinion("gcr", "answered"), Opinion("dog", "late")))),
        replace(GIVEN, candidates=(CandidateOutcome("c", 0.0, None, problem="took too long"),)),
    ],
)
async def test_where_something_failed_it_is_asked_again(failed: Reply) -> None:
    cache = AnswerCache(2**20, Commits().read_version)
    assert [await recall(cache, failed) for _ in range(2)] == [False, False]


async def test_a_reply_that_was_cut_short_serves_only_while_others_wait() -> None:
    cache = AnswerCache(2**20, Commits().read_version)
    short = replace(GIVEN, choice=Choice((), cut_short=True))
    assert not await recall(cache, short, is_busy=True)
    assert await recall(cache, short, is_busy=True)
    assert not await recall(cache, GIVEN)
    assert await recall(cache, GIVEN)


async def test_equal_requests_at_once_are_answered_once() -> None:
    cache, asked, go = AnswerCache(2**20, Commits().read_version), [], asyncio.Event()

    async def answer() -> Reply:
        asked.append(1)
        await go.wait()
        return GIVEN

    waiting = [asyncio.create_task(cache.get(("q",), answer)) for _ in range(5)]
    await asyncio.sleep(0)
    go.set()
    replies = await asyncio.gather(*waiting)
    assert [replace(reply, steps=()) for reply in replies] == [GIVEN] * 5
    assert len(asked) == 1


async def test_who_waited_for_one_that_failed_is_answered_alone() -> None:
    cache, began = AnswerCache(2**20, Commits().read_version), asyncio.Event()

    async def fail() -> Reply:
        began.set()
        await asyncio.sleep(0.01)
        raise GraphUnavailableError("away", "start it")

    async def answer() -> Reply:
        return GIVEN

    first = asyncio.create_task(cache.get(("q",), fail))
    await began.wait()
    assert await cache.get(("q",), answer) == GIVEN
    with pytest.raises(GraphUnavailableError):
        await first
    assert await recall(cache, GIVEN)


async def test_memory_is_bounded() -> None:
    cache = AnswerCache(3_000, Commits().read_version)

    async def answer(size: int) -> Reply:
        return replace(GIVEN, wording="w" * size)

    for number in range(50):
        await cache.get((number,), lambda: answer(500))
    kept = cache.collect_figures()
    assert 0 < kept.entries < 5
    assert kept.bytes <= 3_000
    await cache.get(("big",), lambda: answer(4_000))
    assert cache.collect_figures() == replace(kept, misses=51)


async def test_what_was_read_of_an_older_graph_is_not_kept() -> None:
    commits, now = Commits(), [0.0]

    async def read() -> int:
        return commits.count

    read_before = VersionedCache(commits.read_version, read, lambda: now[0])
    await read_before.get()
    cache = AnswerCache(2**20, commits.read_version)
    commits.count += 1

    async def answer() -> Reply:
        return replace(GIVEN, wording=str(await read_before.get()))

    assert (await cache.get(("q",), answer)).wording == "0"  # a second old, as it is told
    now[0] += 2
    assert (await cache.get(("q",), answer)).wording == "1"
    assert cache.collect_figures().entries == 1
