"""How long anything of the gate's corpus goes on in Neo4j after its reply."""

from __future__ import annotations

import asyncio
import time
from random import Random

import pytest

from graph.test_gate import ATTEMPTS, LIMITS, READS, query
from graph.test_gate import atlas as atlas
from hostile_queries import HostileWriter
from trellis.domain.cypher import CypherQuery, QueryLimits
from trellis.domain.errors import TrellisError
from trellis.graph.connection import GraphConnection
from trellis.graph.gate import Neo4jQueries

_SECONDS = 2.0  # that a query may take
_MADE = 20  # hostile queries of each kind
_RUNNING = """
SHOW TRANSACTIONS YIELD currentQuery, status
WHERE NOT currentQuery CONTAINS 'SHOW TRANSACTIONS' AND currentQuery <> '' RETURN currentQuery
"""


@pytest.mark.slow
async def test_nothing_goes_on_after_its_reply(atlas: GraphConnection) -> None:
    queries = Neo4jQueries(atlas, LIMITS)
    asked = [query(one) for one in (*READS, *ATTEMPTS)]
    writers = [(HostileWriter(Random(seed)), kind) for seed in range(_MADE) for kind in _KINDS]
    asked += [writer.write(kind) for writer, kind in writers]
    longest, counts = 0.0, {"served": 0, "stopped": 0, "refused": 0}
    for one in asked:
        counts[await run(queries, one)] += 1
        began = time.perf_counter()
        while await atlas.run_command(_RUNNING):
            await asyncio.sleep(0.02)
            assert time.perf_counter() - began < 60, one.text[:300]
        longest = max(longest, time.perf_counter() - began)
    print(f"{counts}; the longest that a query went on after its reply: {longest:.2f} s")
    assert counts["refused"] >= _MADE * len(_KINDS)
    assert counts["served"] >= len(READS)


_KINDS = list(HostileWriter(Random(0)).kinds)


async def run(queries: Neo4jQueries, one: CypherQuery) -> str:
    try:
        await queries.run(one, QueryLimits(seconds=_SECONDS))
    except TrellisError as error:
        return "stopped" if error.status == 504 else "refused"
    return "served"
