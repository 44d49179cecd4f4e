"""Asking a whole suite, and checking what comes back against the graph."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass

from trellis.automata.reader import Reader, Reading
from trellis.automata.walks import WalkState
from trellis.domain.errors import TrellisError
from trellis.domain.ports import Graph
from trellis.domain.values import ModelCard, PathQuery, Question, Reply, Topics, Tried
from trellis.evaluation.suite import Gold
from trellis.steps.retrieve import retrieve_trie

Ask = Callable[[Question], Awaitable[Reply]]

Reread = Callable[[Reply], Awaitable[Sequence[bool]]]
"""A second, independent reading of a reply's candidates: which say what they were run as."""


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
        well_formed = await reread(reply)
    except TrellisError as error:
        return Outcome(gold, time.perf_counter() - started, error=str(error))
    return Outcome(gold, seconds, reply, None, tuple(faithful), tuple(well_formed))


def second_reading(graph: Graph, card: ModelCard, edge_budget: int) -> Reread:
    """Reads the text of each candidate again, in a language built from a fresh retrieve."""

    async def reread(reply: Reply) -> Sequence[bool]:
        if not reply.candidates:
            return ()
        trie = await retrieve_trie(graph, reply.mentions, card, edge_budget)
        reader = Reader(trie)
        return [_says(reader, tried) for tried in reply.candidates]

    return reread


def _says(reader: Reader[WalkState, PathQuery], tried: Tried) -> bool:
    found = reader.read(tried.text)
    return isinstance(found, Reading) and tried.query in found.values
