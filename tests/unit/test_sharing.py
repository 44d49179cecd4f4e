"""Work that several methods share is done once."""

from __future__ import annotations

import asyncio

import pytest

from trellis.domain.errors import GraphUnavailableError
from trellis.domain.limits.sharing import SharedAttempt, do_once, share_work


class Work:
    """Counts how often it is done; it ends when it is let."""

    def __init__(self) -> None:
        self.begun = 0
        self.may_end = asyncio.Event()

    async def do(self) -> int:
        self.begun += 1
        await self.may_end.wait()
        return self.begun


async def test_equal_work_is_done_once_for_all_who_ask() -> None:
    work = Work()
    async with share_work():
        asked = [asyncio.create_task(do_once("key", work.do)) for _ in range(3)]
        other = asyncio.create_task(do_once("other", work.do))
        await asyncio.sleep(0)
        work.may_end.set()
        first, second, third = await asyncio.gather(*asked)
        assert first == second == third == await do_once("key", work.do)
        assert await other == work.begun == 2


async def test_outside_of_a_question_nothing_is_shared() -> None:
    work = Work()
    work.may_end.set()
    assert [await do_once("key", work.do), await do_once("key", work.do)] == [1, 2]


async def test_one_that_gives_up_leaves_the_work_to_the_others() -> None:
    work = Work()
    async with share_work():
        first, second = (asyncio.create_task(do_once("key", work.do)) for _ in range(2))
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.sleep(0)
        work.may_end.set()
        assert await second == 1
        assert first.cancelled()


async def test_an_error_is_raised_for_all() -> None:
    async def fail() -> int:
        raise ValueError("broken")

    async with share_work():
        for _ in range(2):
            with pytest.raises(ValueError, match="broken"):
                await do_once("key", fail)


async def test_what_still_runs_at_the_end_is_cancelled() -> None:
    work = Work()
    async with share_work():
        asked = asyncio.create_task(do_once("key", work.do))
        await asyncio.sleep(0)
    with pytest.raises(asyncio.CancelledError):
        await asked


async def test_who_waits_for_an_attempt_that_fails_does_not_try_behind_it() -> None:
    attempt, begun, may_end = SharedAttempt(), 0, asyncio.Event()

    async def try_once(*, fails: bool) -> str:
        nonlocal begun
        async with attempt.hold():
            begun += 1
            await may_end.wait()
            if fails:
                raise GraphUnavailableError("nobody is there", "start it")
        return "done"

    trying = [asyncio.create_task(try_once(fails=True)) for _ in range(5)]
    await asyncio.sleep(0)
    may_end.set()
    ends = await asyncio.gather(*trying, return_exceptions=True)
    assert [(type(end), str(end)) for end in ends] == [
        (GraphUnavailableError, "nobody is there; start it")
    ] * 5
    assert len({id(end) for end in ends}) == 5
    assert begun == 1
    assert await try_once(fails=False) == "done"


async def test_who_gives_up_an_attempt_leaves_the_next_one_to_try() -> None:
    attempt, may_end = SharedAttempt(), asyncio.Event()

    async def try_once() -> str:
        async with attempt.hold():
            await may_end.wait()
        return "done"

    first, second = (asyncio.create_task(try_once()) for _ in range(2))
    await asyncio.sleep(0)
    first.cancel()
    may_end.set()
    assert await second == "done"
