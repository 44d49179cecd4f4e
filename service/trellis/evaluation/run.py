"""Asks a whole suite, and checks the replies against the graph."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from trellis.automata.reader import Reader, SentenceReading
from trellis.domain.errors import TrellisError
from trellis.domain.ports import Graph, Queries
from trellis.domain.replies.claims import ClaimReply
from trellis.domain.replies.question import Question, Topics
from trellis.domain.replies.reply import CandidateOutcome, Reply
from trellis.evaluation.execution import ExecutionResult, execute_reply
from trellis.questions.row import QuestionRow
from trellis.steps.ground.verify import check_statements

Ask = Callable[[Question], Awaitable[Reply]]

Verify = Callable[[str], Awaitable[ClaimReply]]

Reread = Callable[[Question, Reply], Awaitable[Sequence[bool]]]
"""Whether each candidate's text, parsed again independently, gives the query that was run."""


LanguageOf = Callable[[Question, Reply], Awaitable[Any]]
"""The language of a reply's candidates, built from a new retrieval; None if they have none."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of one question: a reply or an error, and the checks of the reply."""

    gold: QuestionRow
    seconds: float
    reply: Reply | None = None
    claim: ClaimReply | None = None  # in place of a reply, where a claim was verified
    error: str | None = None
    error_kind: str = ""  # the name of the error's class
    faithful: tuple[bool, ...] = ()  # for each triple of the evidence: the graph contains it
    well_formed: tuple[bool, ...] = ()  # for each candidate: its language contains it
    execution: ExecutionResult = ExecutionResult()  # noqa: RUF009


async def run_suite(
    questions: Sequence[QuestionRow],
    ask: Ask,
    graph: Graph | None,
    reread: Reread | None,
    topics: Topics = "linked",
    at_once: int = 1,
    queries: Queries | None = None,
    verify: Verify | None = None,
) -> AsyncIterator[Outcome]:
    """Ask the questions, `at_once` of them together; iterates over outcomes in their order.

    Without `graph`, evidence is not checked; without `reread`, nor are candidates; without
    `queries`, gold queries are not compared.
    """
    for start in range(0, len(questions), at_once):
        batch = questions[start : start + at_once]
        for outcome in await asyncio.gather(
            *(
                _verify_claim(gold, verify, graph)
                if gold.claim and verify
                else _ask_question(gold, ask, graph, reread, topics, queries)
                for gold in batch
            )
        ):
            yield outcome


async def _ask_question(
    gold: QuestionRow,
    ask: Ask,
    graph: Graph | None,
    reread: Reread | None,
    topics: Topics,
    queries: Queries | None,
) -> Outcome:
    asked = Question(gold.question, (gold.topics or None) if topics == "gold" else None)
    started = time.perf_counter()
    try:
        reply = await ask(asked)
        seconds = time.perf_counter() - started
        faithful = (await check_statements(graph, reply.statements())).values() if graph else ()
        well_formed = await reread(asked, reply) if reread else ()
        execution = (
            await execute_reply(queries, gold.cypher, reply) if queries else ExecutionResult()
        )
    except TrellisError as error:
        wrong = ExecutionResult(match=False if gold.cypher and queries else None)
        return replace(_build_failure(gold, started, error), execution=wrong)
    return Outcome(
        gold,
        seconds,
        reply,
        faithful=tuple(faithful),
        well_formed=tuple(well_formed),
        execution=execution,
    )


async def _verify_claim(gold: QuestionRow, verify: Verify, graph: Graph | None) -> Outcome:
    started = time.perf_counter()
    try:
        reply = await verify(gold.claim)
        seconds = time.perf_counter() - started
        relationships = [triple for triple in reply.evidence if triple.tail.id]
        faithful = await graph.check_triples(relationships) if graph else ()
    except TrellisError as error:
        return _build_failure(gold, started, error)
    return Outcome(gold, seconds, claim=reply, faithful=tuple(faithful))


def _build_failure(gold: QuestionRow, started: float, error: TrellisError) -> Outcome:
    """The outcome of a question that ended in an error."""
    seconds = time.perf_counter() - started
    return Outcome(gold, seconds, error=str(error), error_kind=type(error).__name__)


def read_candidates_again(language_of: LanguageOf) -> Reread:
    """A check that parses the text of each candidate again, in a newly built language."""

    async def reread(asked: Question, reply: Reply) -> Sequence[bool]:
        language = await language_of(asked, reply) if reply.candidates else None
        if language is None:
            return ()
        reader: Reader[Any, Any] = Reader(language)
        return [_is_read_as_run(reader, tried) for tried in reply.candidates]

    return reread


def _is_read_as_run(reader: Reader[Any, Any], candidate: CandidateOutcome) -> bool:
    reading = reader.read_text(candidate.text)
    return isinstance(reading, SentenceReading) and candidate.query in reading.values
