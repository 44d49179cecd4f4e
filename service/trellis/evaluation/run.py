"""Asking a whole suite, and checking what comes back against the graph."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass

from trellis.domain.errors import TrellisError
from trellis.domain.ports import Graph
from trellis.domain.values import Question, Reply, Revisit, Topics, Tried
from trellis.evaluation.suite import Gold

Ask = Callable[[Question], Awaitable[Reply]]

Reread = Callable[[Tried], Awaitable[bool]]
"""A second, independent reading of a candidate: whether it says something the graph holds."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one question came to: a reply or an error, and how much of it holds."""

    gold: Gold
    seconds: float
    reply: Reply | None = None
    error: str | None = None
    faithful: tuple[bool, ...] = ()  # one a triple of the evidence
    well_formed: tuple[bool, ...] = ()  # one a candidate


async def run(
    questions: Sequence[Gold],
    ask: Ask,
    graph: Graph,
    reread: Reread,
    topics: Topics = "linked",
    at_once: int = 1,
) -> AsyncIterator[Outcome]:
    """The outcomes in the order of the questions, `at_once` of them asked together."""
    for start in range(0, len(questions), at_once):
        batch = questions[start : start + at_once]
        for outcome in await asyncio.gather(
            *(_outcome(gold, ask, graph, reread, topics) for gold in batch)
        ):
            yield outcome


async def _outcome(gold: Gold, ask: Ask, graph: Graph, reread: Reread, topics: Topics) -> Outcome:
    given = gold.topics if topics == "gold" else None
    started = time.perf_counter()
    try:
        reply = await ask(Question(gold.question, given))
        seconds = time.perf_counter() - started
        faithful = await graph.contain(reply.triples())
        well_formed = [await reread(tried) for tried in reply.candidates]
    except TrellisError as error:
        return Outcome(gold, time.perf_counter() - started, error=str(error))
    return Outcome(gold, seconds, reply, None, tuple(faithful), tuple(well_formed))


def walked(graph: Graph, revisit: Revisit) -> Reread:
    """Reads a candidate by walking each of its relation paths in the database again."""

    async def reread(tried: Tried) -> bool:
        if tried.query is None:
            return False
        for path in tried.query.paths:
            if not await graph.reach(path, revisit, 1):
                return False
        return True

    return reread
