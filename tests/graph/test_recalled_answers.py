"""Replies that are given again, over a real Neo4j: a commit is seen by the next question."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from graph.asking import opening_reader
from trellis.app.answer_cache import RECALL
from trellis.app.trellis_app import TrellisApp
from trellis.domain.question import Question
from trellis.domain.reply import Reply
from trellis.graph.connection import GraphConnection
from trellis.settings import Settings

pytestmark = pytest.mark.slow

KIM = Question("Which crimes did officer Kim investigate?")
ADA = Question("Who does Ada know?")
ONE_MORE = "MATCH (k:Officer {name: 'Kim'}) CREATE (:Crime {date: $date})-[:INVESTIGATED_BY]->(k)"


@pytest.fixture
async def trellis_app(graph_settings: Settings, tmp_path: Path) -> AsyncIterator[TrellisApp]:
    async with opening_reader(graph_settings, tmp_path) as opened:
        yield opened.remember_answers()


def was_recalled(reply: Reply) -> bool:
    return [step.name for step in reply.steps] == [RECALL]


async def test_a_commit_is_seen_by_the_next_question(
    police: GraphConnection, trellis_app: TrellisApp
) -> None:
    first, second = [await trellis_app.answer(KIM) for _ in range(2)]
    assert was_recalled(second)
    assert (second.answers, second.evidence) == (first.answers, first.evidence)
    assert len(first.answers) == 2
    await police.run_write(ONE_MORE, date="4/08/2017")
    third = await trellis_app.answer(KIM)
    assert not was_recalled(third)
    assert len(third.answers) == 3


async def test_no_answer_is_older_than_its_question(
    police: GraphConnection, trellis_app: TrellisApp
) -> None:
    """Some ask again and again while one writes: what was committed before a question is in its
    answer, and what nobody wrote is not."""
    await trellis_app.answer(KIM)
    committed, recalled, is_over = 2, 0, asyncio.Event()

    async def write() -> None:
        nonlocal committed
        for number in range(4):
            await police.run_write(ONE_MORE, date=f"{number}/09/2017")
            committed += 1
            await asyncio.sleep(2.5)  # what is kept of a graph may be a second old
        is_over.set()

    async def ask() -> None:
        nonlocal recalled
        while not is_over.is_set():
            before = committed
            reply = await trellis_app.answer(KIM)
            recalled += was_recalled(reply)
            assert before <= (reply.total or len(reply.answers)) <= committed + 1
            assert [one.node.name for one in (await trellis_app.answer(ADA)).answers] == ["Bob"]

    await asyncio.gather(write(), *(ask() for _ in range(3)))
    assert recalled
