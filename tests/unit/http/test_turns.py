"""How much work runs and waits at once."""

from __future__ import annotations

import asyncio

import pytest
from anyio import wait_all_tasks_blocked

from trellis.domain.errors import BusyError
from trellis.domain.limits.budget import count_waiting
from trellis.http.turns import ConcurrencyLimiter
from trellis.wire.events import PlaceEvent


def build_refusal(running: int, waiting: int, retry_seconds: int) -> BusyError:
    return BusyError(f"{running} run, {waiting} wait", "come back", retry_seconds)


async def work(turns: ConcurrencyLimiter, name: str, done: list[str], go: asyncio.Event) -> None:
    async with turns.acquire():
        await go.wait()
        done.append(name)


async def test_work_beyond_the_limit_is_refused_and_the_rest_is_done_in_turn() -> None:
    turns, go, done = ConcurrencyLimiter(1, 2, build_refusal), asyncio.Event(), list[str]()
    async with asyncio.TaskGroup() as group:
        for name in "abc":
            group.create_task(work(turns, name, done, go))
        await wait_all_tasks_blocked()
        assert (turns.running, turns.waiting) == (1, 2)
        with pytest.raises(BusyError, match="1 run, 2 wait"):
            turns.check_capacity()
        with pytest.raises(BusyError):
            await work(turns, "d", done, go)
        go.set()
    assert done == ["a", "b", "c"]
    assert (turns.running, turns.waiting) == (0, 0)


async def test_work_knows_how_many_wait_for_it() -> None:
    turns, go, told = ConcurrencyLimiter(1, 5, build_refusal), asyncio.Event(), list[int]()

    async def tell() -> None:
        async with turns.acquire():
            await go.wait()
            told.append(count_waiting())

    async with asyncio.TaskGroup() as group:
        for _ in range(3):
            group.create_task(tell())
        await wait_all_tasks_blocked()
        go.set()
    assert (told, count_waiting()) == ([2, 1, 0], 0)


async def test_who_gives_up_waiting_leaves_room_for_another() -> None:
    turns, go, done = ConcurrencyLimiter(1, 1, build_refusal), asyncio.Event(), list[str]()
    async with asyncio.TaskGroup() as group:
        group.create_task(work(turns, "a", done, go))
        impatient = group.create_task(work(turns, "b", done, go))
        await wait_all_tasks_blocked()
        impatient.cancel()
        await wait_all_tasks_blocked()
        group.create_task(work(turns, "c", done, go))
        go.set()
    assert done == ["a", "c"]


async def test_who_waits_is_told_each_place_and_who_need_not_wait_is_told_none() -> None:
    turns, go, places = (
        ConcurrencyLimiter(1, 3, build_refusal),
        asyncio.Event(),
        list[tuple[str, int]](),
    )

    async def wait_and_work(name: str) -> None:
        async with turns.acquire(lambda place: places.append((name, place))):
            await go.wait()

    async with asyncio.TaskGroup() as group:
        tasks = {name: group.create_task(wait_and_work(name)) for name in "abcd"}
        await wait_all_tasks_blocked()
        assert places == [("b", 1), ("c", 2), ("d", 3)]
        places.clear()
        tasks["b"].cancel()
        await wait_all_tasks_blocked()
        assert places == [("c", 1), ("d", 2)]
        places.clear()
        go.set()
    assert places == [("d", 1)]


def test_a_place_is_told_in_words() -> None:
    places = (1, 3, 9, 10, 11, 12, 21, 22, 33, 111, 112, 121)
    assert [PlaceEvent.of(place).words.removesuffix(" in line") for place in places] == [
        *("first", "third", "ninth", "10th", "11th", "12th", "21st", "22nd", "33rd"),
        *("111th", "112th", "121st"),
    ]


async def test_who_is_refused_is_told_when_there_is_room() -> None:
    now = 0.0
    turns, go = ConcurrencyLimiter(2, 2, build_refusal, lambda: now), asyncio.Event()

    async def refuse() -> int:
        with pytest.raises(BusyError) as refused:
            turns.check_capacity()
        return refused.value.retry_seconds

    async with asyncio.TaskGroup() as group:
        for _ in range(4):
            group.create_task(work(turns, "", [], go))
        await wait_all_tasks_blocked()
        assert await refuse() == 1  # nothing is known yet of how long a turn is
        now = 10.0
        go.set()
    go.clear()
    async with asyncio.TaskGroup() as group:
        for _ in range(4):
            group.create_task(work(turns, "", [], go))
        await wait_all_tasks_blocked()
        seconds = [await refuse() for _ in range(6)]
        assert seconds == sorted(seconds)  # one after the other finds room
        assert seconds[0] < seconds[1]
        assert seconds[-1] == seconds[-2] <= 20  # when all that is here now has ended
        now += 100
        assert await refuse() == seconds[0]
        go.set()
