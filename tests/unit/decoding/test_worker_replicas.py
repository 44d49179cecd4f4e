"""Several decoding workers as one: homes, and what happens where one fails, drains or is busy."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from dataclasses import asdict

import pytest

from cut_line import Line, cut_line
from trellis.domain.errors import (
    BusyError,
    DecoderError,
    NotReadyError,
    VocabularyMismatchError,
)
from trellis.domain.models.decoding import Search
from trellis.engines.local import LocalModel
from trellis.engines.workers.replica import Replica
from trellis.engines.workers.replicas import Replicas, order_urls
from trellis.engines.workers.worker import WorkerModel
from unit.decoding.workers import PROMPT, TOKENIZER, asking, same_answers, walks
from worker_server import LIMIT, WorkerServer, worker_server


async def test_a_language_has_a_home(pair: tuple[WorkerServer, WorkerServer]) -> None:
    async with asking(*(one.url for one in pair)) as model:
        for _ in range(4):
            await model.decode([PROMPT], [walks()], Search(width=2))
    assert sorted(len(one.asked) for one in pair) == [0, 4]


def test_homes_are_spread_and_move_only_with_their_replica() -> None:
    three = dict.fromkeys(("a", "b", "c"), 0)
    homes = [order_urls(str(n), three)[0] for n in range(300)]
    assert all(60 < homes.count(url) < 140 for url in three)
    two = {"a": 0, "b": 0}
    moved = [order_urls(str(n), two)[0] for n in range(300)]
    assert all(there == here for here, there in zip(homes, moved, strict=True) if here != "c")


def test_a_home_with_far_more_than_its_share_is_passed_over() -> None:
    home, other = order_urls("x", {"a": 0, "b": 0})
    assert order_urls("x", {home: 3, other: 0}) == [home, other]
    assert order_urls("x", {home: 20, other: 0}) == [other, home]
    assert order_urls("x", {home: 20, other: 19}) == [home, other]


async def home_of(pair: tuple[WorkerServer, WorkerServer], model: WorkerModel) -> WorkerServer:
    """The one of two workers that is asked first for `walks()`."""
    await model.decode([PROMPT], [walks()], Search(width=2))
    return next(one for one in pair if one.asked)


async def test_what_a_dying_worker_was_asked_another_answers(
    pair: tuple[WorkerServer, WorkerServer], local: LocalModel
) -> None:
    async with AsyncExitStack() as stack:
        lines = [await stack.enter_async_context(cut_line(one.url)) for one in pair]
        model = await stack.enter_async_context(asking(*(line.url for line in lines)))
        home = await home_of(pair, model)
        home.go.clear()
        asked = asyncio.create_task(model.decode([PROMPT], [walks()], Search(width=2)))
        await home.until(lambda: home.working == 1)
        await lines[pair.index(home)].cut()
        here = await local.decode([PROMPT], [walks()], Search(width=2))
        assert same_answers(await asked, here)
        again = await model.decode([PROMPT], [walks()], Search(width=2))
        assert same_answers(again, await asked)
        assert model.worker_figures().retries == 1  # the second time it is left alone
        assert model.worker_figures().aside == 1


async def test_a_decode_that_kills_its_worker_is_asked_of_one_other_only(local: LocalModel) -> None:
    async with AsyncExitStack() as stack:
        servers = [await stack.enter_async_context(worker_server(local, TOKENIZER)) for _ in "abc"]
        lines = [await stack.enter_async_context(cut_line(one.url)) for one in servers]
        model = await stack.enter_async_context(asking(*(line.url for line in lines)))
        ends = [asyncio.create_task(dies(*one)) for one in zip(servers, lines, strict=True)]
        with pytest.raises(DecoderError, match="no decoding worker answers"):
            await model.decode([PROMPT], [walks()], Search(width=2))
        for end in ends:
            end.cancel()
        assert sorted(len(one.asked) for one in servers) == [0, 1, 1]


async def dies(worker: WorkerServer, line: Line) -> None:
    """Cuts a worker off once it decodes."""
    worker.go.clear()
    await worker.until(lambda: worker.working == 1)
    await line.cut()


async def test_a_worker_that_drains_or_is_busy_is_passed_over(
    pair: tuple[WorkerServer, WorkerServer],
) -> None:
    async with asking(*(one.url for one in pair)) as model:
        home = await home_of(pair, model)
        for behaviour in ("busy", "draining"):
            setattr(home, behaviour, True)
            [found] = await model.decode([PROMPT], [walks()], Search(width=2))
            assert len(found) == 2
            setattr(home, behaviour, False)
        assert model.worker_figures().retries == 2
        assert model.worker_figures().aside == 1


async def test_where_all_are_busy_or_drain_that_is_the_error(
    pair: tuple[WorkerServer, WorkerServer],
) -> None:
    async with asking(*(one.url for one in pair)) as model:
        pair[0].busy = pair[1].draining = True
        with pytest.raises(BusyError):
            await model.decode([PROMPT], [walks()], Search(width=2))
        pair[0].busy, pair[0].draining = False, True
        with pytest.raises(NotReadyError, match="drains"):
            await model.decode([PROMPT], [walks()], Search(width=2))
        with pytest.raises(NotReadyError):
            await model.check()
        pair[1].draining = False
        await model.check()


async def test_a_worker_that_comes_later_is_asked_too(
    pair: tuple[WorkerServer, WorkerServer],
) -> None:
    pair[0].away = True
    async with asking(*(one.url for one in pair)) as model:
        pair[0].away, pair[1].busy = False, True
        [found] = await model.decode([PROMPT], [walks()], Search(width=2))
    assert len(found) == 2


async def test_workers_that_differ_are_refused(pair: tuple[WorkerServer, WorkerServer]) -> None:
    one, other = pair
    other.serves = {"card": {**asdict(one.model.card), "base": "another"}}
    with pytest.raises(VocabularyMismatchError, match="another model or tokenizer"):
        await WorkerModel.connect(f"{one.url}, {other.url}/")
    other.away = True
    async with asking(one.url, other.url) as model:  # it comes later: it is left alone
        other.away, one.busy = False, True
        with pytest.raises(BusyError):
            await model.decode([PROMPT], [walks()], Search(width=2))
        one.busy = False
        await model.decode([PROMPT], [walks()], Search(width=2))
    assert other.asked == []


async def test_a_worker_that_was_started_again_with_another_model_is_found_out(
    worker: WorkerServer, local: LocalModel
) -> None:
    replicas = Replicas([Replica(worker.url, "")], trust=0.0)
    await replicas.describe_workers()
    model = WorkerModel(replicas, local.vocabulary, local.card, 20.0, LIMIT, {})
    try:
        await model.decode([PROMPT], [walks()], Search(width=2))
        worker.languages.clear()
        await model.decode([PROMPT], [walks()], Search(width=2))  # it only forgot
        worker.languages.clear()
        worker.serves = {"card": {**asdict(local.card), "base": "another"}}
        with pytest.raises(VocabularyMismatchError, match="start the service again"):
            await model.decode([PROMPT], [walks()], Search(width=2))
    finally:
        await model.close()


async def test_a_connection_that_broke_is_tried_again_where_there_is_no_other(
    worker: WorkerServer,
) -> None:
    async with cut_line(worker.url) as line, asking(line.url) as model:
        worker.go.clear()
        asked = asyncio.create_task(model.decode([PROMPT], [walks()], Search(width=2)))
        await worker.until(lambda: worker.working == 1)
        worker.go.set()
        line.drop()
        [found] = await asked
        assert len(found) == 2
        assert model.worker_figures().retries == 1
