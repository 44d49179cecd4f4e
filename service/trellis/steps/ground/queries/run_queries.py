"""Run queries: run each candidate behind the gate, and keep its rows.

A candidate whose values have several readings is run for each, likeliest first, until one gives a
result. A refusal, a failure or a timeout is noted, and the other candidates go on.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from trellis.domain.errors import GraphTimeoutError, QueryError, RefusedQueryError
from trellis.domain.models.decoding import Search, Sentence
from trellis.domain.ports import Queries
from trellis.domain.structures.cypher import CypherQuery, Plan, QueryLimits, Rows
from trellis.steps.ground.candidates import drop_improbable_sentences

_WIDENING = 3  # factor on the width of a repeated search


@dataclass(frozen=True, slots=True)
class QueryRun:
    """A candidate with its rows, or with the problem that kept it from giving any.

    `score`: log-probability of its sentence; `support`: the log of the share of the model's
    probability that the language left along it, 0 where the engine does not tell.
    """

    text: str
    score: float
    query: CypherQuery
    rows: Rows | None = None
    plan: Plan | None = None
    problem: str = ""
    support: float = 0.0

    @property
    def probability(self) -> float:
        return math.exp(self.score)

    @property
    def has_results(self) -> bool:
        """Whether any cell of its rows is neither null, nor 0, nor an empty list; `false` is a
        result as `true` is."""
        return self.rows is not None and any(
            cell is False or cell not in (None, 0, []) for row in self.rows.rows for cell in row
        )


async def run_queries(
    queries: Queries, sentences: Sequence[Sentence], limits: QueryLimits, first_count: int
) -> tuple[QueryRun, ...]:
    """Run the likely ones of the `first_count` sentences; if none gives a result, all others."""
    likely = drop_improbable_sentences(sentences)[:first_count]
    runs = await _run_all(queries, likely, limits)
    if not any(run.has_results for run in runs):
        runs += await _run_all(queries, sentences[len(likely) :], limits)
    return tuple(runs)


def widen_search(search: Search) -> Search:
    """The same search, wider and further from the best, for when the first found nothing."""
    return replace(search, width=_WIDENING * search.width, margin=_WIDENING * search.margin)


async def _run_all(
    queries: Queries, sentences: Sequence[Sentence], limits: QueryLimits
) -> list[QueryRun]:
    runs = (_run_readings(queries, sentence, limits) for sentence in sentences)
    return list(await asyncio.gather(*runs))


async def _run_readings(queries: Queries, sentence: Sentence, limits: QueryLimits) -> QueryRun:
    """The run of the first reading that gives a result, else of the first reading."""
    runs: list[QueryRun] = []
    for query in sentence.values:
        runs.append(await _run_query(queries, sentence, query, limits))
        if runs[-1].has_results:
            return runs[-1]
    return runs[0]


async def _run_query(
    queries: Queries, sentence: Sentence, query: CypherQuery, limits: QueryLimits
) -> QueryRun:
    support = sentence.support.total if sentence.support else 0.0
    run = QueryRun(sentence.text, sentence.score, query, support=support)
    try:
        verdict = await queries.explain(query)
        rows = await queries.run(query, limits)
    except (RefusedQueryError, QueryError, GraphTimeoutError) as error:
        return replace(run, problem=error.problem)
    return replace(run, rows=rows, plan=verdict.plan)
