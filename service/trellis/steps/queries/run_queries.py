"""Run queries: run each candidate behind the gate, and keep its rows.

A candidate whose values have several readings is run for each, likeliest first, until one gives a
result. A refusal, a failure or a timeout is noted, and the other candidates go on.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from trellis.domain.cypher import CypherQuery, Most, Plan, Rows
from trellis.domain.decoding import Search, Sentence
from trellis.domain.errors import GraphTimeoutError, QueryError, RefusedQueryError
from trellis.domain.ports import Queries
from trellis.steps.shared.candidates import worth_running

_WIDER = 3  # factor on the width of a repeated search


@dataclass(frozen=True, slots=True)
class QueryRun:
    """A candidate with its rows, or with the problem that kept it from giving any.

    `score`: log-probability of its sentence.
    """

    text: str
    score: float
    query: CypherQuery
    rows: Rows | None = None
    plan: Plan | None = None
    problem: str = ""

    @property
    def probability(self) -> float:
        return math.exp(self.score)

    @property
    def says_something(self) -> bool:
        """Whether any cell of its rows is neither null, nor 0, nor an empty list."""
        return self.rows is not None and any(
            cell not in (None, 0, []) for row in self.rows.rows for cell in row
        )


async def run_queries(
    queries: Queries, sentences: Sequence[Sentence], most: Most, first: int
) -> tuple[QueryRun, ...]:
    """Run the likely ones of the `first` sentences; if none gives a result, all others too."""
    likely = worth_running(sentences)[:first]
    runs = await _all(queries, likely, most)
    if not any(run.says_something for run in runs):
        runs += await _all(queries, sentences[len(likely) :], most)
    return tuple(runs)


def wider(search: Search) -> Search:
    """The same search with a larger width, for when the first found nothing."""
    return replace(search, width=_WIDER * search.width)


async def _all(queries: Queries, sentences: Sequence[Sentence], most: Most) -> list[QueryRun]:
    runs = (_readings(queries, sentence, most) for sentence in sentences)
    return list(await asyncio.gather(*runs))


async def _readings(queries: Queries, sentence: Sentence, most: Most) -> QueryRun:
    """The run of the first reading that gives a result, else of the first reading."""
    runs: list[QueryRun] = []
    for query in sentence.values:
        runs.append(await _run(queries, sentence, query, most))
        if runs[-1].says_something:
            return runs[-1]
    return runs[0]


async def _run(queries: Queries, sentence: Sentence, query: CypherQuery, most: Most) -> QueryRun:
    try:
        verdict = await queries.explain(query)
        rows = await queries.run(query, most)
    except (RefusedQueryError, QueryError, GraphTimeoutError) as error:
        return QueryRun(sentence.text, sentence.score, query, problem=error.problem)
    return QueryRun(sentence.text, sentence.score, query, rows, verdict.plan)
