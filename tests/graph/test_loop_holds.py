"""No method holds the event loop: what computes long does so in threads.

The thread's own processor time is measured, which a busy machine leaves alone, and with slack: the
goal is 20 milliseconds (`trellis bench --part loop`), what fails here is a step in the wrong place.
"""

from __future__ import annotations

import gc
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bench.loop_probe import probe_loop
from graph.asking import opening_reader
from trellis.app.trellis_app import TrellisApp
from trellis.domain.replies.question import Question
from trellis.graph.database.connection import GraphConnection
from trellis.graph.indexes.indexing import index_graph
from trellis.methods import METHODS
from trellis.settings import Settings

pytestmark = pytest.mark.slow

MOST_SECONDS = 0.1
QUESTIONS = (
    "Which crimes did officer Kim investigate?",
    "Who is party to a crime that was investigated by Roy?",
    "How many persons are older than 30?",
)
NEW_KIND = "MATCH (p:Person {name: 'Ada'}) CREATE (p)-[:OWNS]->(:Vehicle {name: 'Beetle'})"
MANY = "UNWIND range(1, 10000) AS i CREATE (:Ticket {name: 'ticket ' + i, number: i})"


@contextmanager
def no_collections() -> Iterator[None]:
    """The tests' own process has millions of objects, which a service never has."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@pytest.fixture
async def trellis_app(
    police: GraphConnection,  # noqa: ARG001  it is asked
    graph_settings: Settings,
    tmp_path: Path,
) -> AsyncIterator[TrellisApp]:
    more = {"cache": tmp_path, "question_timeout": 600}
    async with opening_reader(graph_settings, tmp_path, **more) as opened:
        await opened.answer(Question(QUESTIONS[0]))  # loads models, and imports what they need
        with no_collections():
            yield opened


async def find_longest_hold(
    trellis_app: TrellisApp, questions: tuple[str, ...], method: str
) -> str:
    """What held the loop for too long, with its seconds; empty where nothing did."""
    async with probe_loop(MOST_SECONDS) as probe:
        for question in questions:
            await trellis_app.answer(Question(question), method)
    return "; ".join(f"{hold.seconds:.3f} s: {' < '.join(hold.calls[:5])}" for hold in probe.holds)


@pytest.mark.parametrize("method", [*METHODS, "auto"])
async def test_no_method_holds_the_loop(trellis_app: TrellisApp, method: str) -> None:
    await trellis_app.answer(Question(QUESTIONS[0]), method)
    assert not await find_longest_hold(trellis_app, QUESTIONS, method)


async def test_neither_does_the_first_question_after_a_change_of_the_schema(
    police: GraphConnection, trellis_app: TrellisApp
) -> None:
    await police.run_write(NEW_KIND)
    await index_graph(police)
    assert not await find_longest_hold(trellis_app, ("What does Ada own?",), "auto")


async def test_neither_do_ten_thousand_rows(
    police: GraphConnection, trellis_app: TrellisApp
) -> None:
    await police.run_write(MANY)
    await index_graph(police)
    reply = await trellis_app.answer(Question("List all tickets"), "graphraft")
    assert reply.answers
    assert not await find_longest_hold(trellis_app, ("List all tickets",), "graphraft")
