"""How much work runs and waits at once."""

from __future__ import annotations

import asyncio

import pytest
from anyio import wait_all_tasks_blocked

from trellis.domain.errors import BusyError
from trellis.http.turns import Turns


def build_refusal(running: int, waiting: int) -> BusyError:
    return BusyError(f"{running} run, {waiting} wait", "come back")


async def work(turns: Turns, name: str, done: list[str], go: asyncio.Event) -> None:
    async with turns.take_turn():
        await go.wait()
        done.append(name)


async def test_work_beyond_the_limit_is_refused_and_the_rest_is_done_in_turn() -> None:
    turns, go, done = Turns(1, 2, build_refusal), asyncio.Event(), list[str]()
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


async def test_who_gives_up_waiting_leaves_room_for_another() -> None:
    turns, go, done = Turns(1, 1, build_refusal), asyncio.Event(), list[str]()
    async with asyncio.TaskGroup() as group:
        group.create_task(work(turns, "a", done, go))
        impatient = group.create_task(work(turns, "b", done, go))
        await wait_all_tasks_blocked()
        impatient.cancel()
        await wait_all_tasks_blocked()
        group.create_task(work(turns, "c", done, go))
        go.set()
    assert done == ["a", "c"]
