"""The gate against a real Neo4j: what is refused changes nothing, what only reads passes."""

from __future__ import annotations

import asyncio
import json
import re
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from hostile_queries import HostileWriter
from memory_graph import TrigramEmbedder
from real_neo4j import emptied
from trellis.domain.errors import (
    GraphTimeoutError,
    QueryError,
    QuerySyntaxError,
    RefusedQueryError,
    TrellisError,
)
from trellis.domain.graphs.graph import Node, Triple, Walk
from trellis.domain.structures.cypher import CypherQuery, QueryLimits, nodes_in, triples_in
from trellis.graph.database.connection import GraphConnection
from trellis.graph.gate import Limits, Neo4jQueries
from trellis.graph.indexes.indexing import index_graph
from trellis.graph.loading import load_graph
from trellis.settings import BUNDLED_GRAPH

CORPUS = Path(__file__).parents[1] / "data" / "gate"
LIMITS = Limits(rows=2_000, bytes=500_000)
REFUSALS = {"refused": RefusedQueryError, "unparsed": QuerySyntaxError}

_ODD = "CREATE (:`Odd ``label`` 😀` {name: 'odd', `na me`: 'odd', `MATCH`: 1, `日本`: '語'})"
_HELD = """
MATCH (n) OPTIONAL MATCH (n)-[r]->()
RETURN count(DISTINCT n) AS nodes, count(r) AS relationships,
       sum(size(keys(n))) AS properties, sum(size(labels(n))) AS labels
"""


def corpus(name: str) -> list[Any]:
    lines = (CORPUS / name).read_text(encoding="utf-8").split("\n")
    return [json.loads(line) for line in lines if line]


ATTEMPTS, READS = corpus("attempts.jsonl"), corpus("reads.jsonl")


def query(one: dict[str, Any]) -> CypherQuery:
    return CypherQuery(one["text"], one.get("params", {}))


@pytest.fixture(scope="module")
async def atlas(connection: GraphConnection) -> GraphConnection:
    """The atlas with its indexes, and a node whose names are odd."""
    await load_graph(await emptied(connection), BUNDLED_GRAPH)
    await connection.run_write(_ODD)
    await index_graph(connection, TrigramEmbedder())
    return connection


@pytest.fixture(scope="module")
def queries(atlas: GraphConnection) -> Neo4jQueries:
    return Neo4jQueries(atlas, LIMITS)


async def held(connection: GraphConnection) -> Any:
    """All that an attempt could change: counts, and the names of indexes and constraints."""
    counted = await connection.read_rows(_HELD)
    indexes = await connection.run_command("SHOW INDEXES YIELD name RETURN name ORDER BY name")
    constraints = await connection.run_command(
        "SHOW CONSTRAINTS YIELD name RETURN name ORDER BY name"
    )
    return counted, indexes, constraints


@pytest.fixture(scope="module")
async def before(atlas: GraphConnection) -> Any:
    return await held(atlas)


@pytest.mark.parametrize("attempt", ATTEMPTS, ids=lambda one: one["why"])
async def test_no_attempt_passes(queries: Neo4jQueries, attempt: dict[str, Any]) -> None:
    if attempt["expect"] == "stopped":
        assert await stopped(queries, attempt)
    else:
        with pytest.raises(REFUSALS[attempt["expect"]]) as refused:
            await queries.run(query(attempt))
        assert refused.value.problem
        assert refused.value.remedy


async def stopped(queries: Neo4jQueries, attempt: dict[str, Any]) -> bool:
    """Whether a limit ended a query that the plan does not tell to be costly."""
    try:
        rows = await queries.run(query(attempt), QueryLimits(seconds=5))
    except (GraphTimeoutError, RefusedQueryError):
        return True
    return bool(rows.cut) and len(rows.rows) <= LIMITS.rows


async def test_the_attempts_changed_nothing(
    queries: Neo4jQueries, atlas: GraphConnection, before: Any
) -> None:
    for attempt in ATTEMPTS:
        if attempt["expect"] != "stopped":
            with pytest.raises(TrellisError):
                await queries.run(query(attempt))
    assert await held(atlas) == before


@pytest.mark.parametrize("read", READS, ids=lambda one: one["text"])
async def test_reads_pass(queries: Neo4jQueries, read: dict[str, Any]) -> None:
    verdict = await queries.explain(query(read))
    assert verdict.is_allowed, verdict
    assert verdict.plan is not None
    rows = await queries.run(query(read))
    assert rows.columns == verdict.plan.columns
    if "rows" in read:
        assert [list(row) for row in rows.rows] == read["rows"]
    assert "_trellis" not in repr(rows).lower()


async def test_nodes_relationships_and_paths_come_as_evidence(queries: Neo4jQueries) -> None:
    text = """
    MATCH (c:Country {name: $name})-[r:HAS_CAPITAL]->(n), p = (c)-[:IN_CONTINENT]->()
    RETURN r, p, [n, {it: n}] AS some
    """
    rows = await queries.run(CypherQuery(text, {"name": "Kenya"}))
    [[triple, walk, some]] = rows.rows
    assert isinstance(triple, Triple)
    assert isinstance(walk, Walk)
    assert isinstance(some[0], Node)
    assert (triple.head.name, triple.relation, triple.tail.name) == (
        "Kenya",
        "HAS_CAPITAL",
        "Nairobi",
    )
    assert (triple.head.labels, triple.tail.labels) == (("Country",), ("City",))
    assert [node.name for node in nodes_in(some)] == ["Nairobi", "Nairobi"]
    assert some[0].properties["name"] == "Nairobi"
    assert [one.tail.name for one in triples_in([triple, walk])] == ["Nairobi", "Africa"]


async def test_nothing_of_ours_shows(queries: Neo4jQueries) -> None:
    for text in (
        "MATCH (n) RETURN n",
        "MATCH (n) RETURN DISTINCT labels(n) AS labels",
        "MATCH (n) UNWIND labels(n) AS label RETURN DISTINCT label",
        "MATCH (n:City) UNWIND keys(n) AS key RETURN DISTINCT key",
        "MATCH (n) RETURN DISTINCT keys(n) AS keys",
        "MATCH (n:City) RETURN n {.*} AS n LIMIT 5",
        "MATCH (n) RETURN properties(n) AS p ORDER BY size(keys(n)) DESC",
        "MATCH (n) RETURN collect({labels: labels(n), it: n})[..3] AS all",
    ):
        rows = await queries.run(CypherQuery(text))
        shown = repr(
            [(row, [node.properties for c in row for node in nodes_in(c)]) for row in rows.rows]
        )
        assert rows.rows
        assert "_trellis" not in shown.lower(), text
        assert "embedder" not in shown, text


async def test_limits_cut_rows_and_bytes(queries: Neo4jQueries) -> None:
    rows = await queries.run(CypherQuery("MATCH (n:City) RETURN n.name"), QueryLimits(rows=7))
    assert (len(rows.rows), rows.cut) == (7, "7 rows")
    whole = await queries.run(CypherQuery("UNWIND range(1, 7) AS i RETURN i"), QueryLimits(rows=7))
    assert (len(whole.rows), whole.cut) == (7, "")
    long = CypherQuery("UNWIND range(1, 100) AS i RETURN $text", {"text": "x" * 9_900})
    rows = await queries.run(long)
    assert (len(rows.rows), rows.cut) == (50, "500,000 bytes")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("RETURN $nothing", "nothing"),
        ("RETURN 1 / 0", "zero"),
        ("MATCH (n:City) RETURN n.name - 1", "string"),
        ("CALL db.index.fulltext.queryNodes('no index', 'x') YIELD node RETURN node", "no index"),
    ],
)
async def test_what_cannot_be_answered_says_why(
    queries: Neo4jQueries, text: str, said: str
) -> None:
    with pytest.raises(QueryError) as refused:
        await queries.run(CypherQuery(text))
    assert not isinstance(refused.value, QuerySyntaxError)
    assert said in refused.value.problem.lower()


async def test_a_syntax_error_is_told_by_its_place(queries: Neo4jQueries) -> None:
    with pytest.raises(QuerySyntaxError, match=r"line 1, column 10\b"):
        await queries.explain(CypherQuery("MATCH (n RETURN n"))


async def running(connection: GraphConnection, part: str = "") -> bool:
    """Whether the server runs a query that has this part."""
    rows = await connection.run_command("SHOW TRANSACTIONS YIELD currentQuery RETURN currentQuery")
    texts = [row["currentQuery"] for row in rows if "SHOW TRANSACTIONS" not in row["currentQuery"]]
    return any(text and part in text for text in texts)


async def test_who_goes_away_ends_the_query_in_the_server(
    queries: Neo4jQueries, atlas: GraphConnection
) -> None:
    text = "UNWIND range(1, 9999) AS here_for_long MATCH (n:City)--(m) RETURN count(m.name)"
    asking = asyncio.create_task(queries.run(CypherQuery(text)))
    while not await running(atlas, "here_for_long"):
        assert not asking.done()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    async with asyncio.timeout(600):
        while await running(atlas, "here_for_long"):
            pass


_SPACES = (" ", "\n", "\t", "  ", " /* x */ ", " // x\n", "\u00a0", "/**/", "\u2003")
_SHORT = [one for one in ATTEMPTS if one["expect"] != "stopped" and 0 < len(one["text"]) < 500]


@given(attempt=st.sampled_from(_SHORT), chance=st.randoms(use_true_random=False))
@settings(max_examples=200, suppress_health_check=list(HealthCheck))
async def test_no_attempt_passes_in_disguise(
    queries: Neo4jQueries, attempt: dict[str, Any], chance: Random
) -> None:
    text = disguised(attempt["text"], chance)
    note(text)
    with pytest.raises(TrellisError):
        await queries.run(CypherQuery(text, attempt.get("params", {})))


def disguised(text: str, chance: Random) -> str:
    """The text with letters in another case, other spaces, comments, and at times an escape.

    Escapes that it holds stay as they are: in another case they would be none.
    """
    parts = re.findall(r"\\+.|.", text, re.DOTALL)
    letters = [
        one if one[0] == "\\" else chance.choice((one.lower(), one.upper(), one)) for one in parts
    ]
    spaced = [chance.choice(_SPACES) if letter == " " else letter for letter in letters]
    at = chance.randrange(3 * len(spaced))
    if at < len(spaced) and len(spaced[at]) == 1:
        spaced[at] = f"\\u{ord(spaced[at]):04x}"
    return "".join(spaced)


_SECONDS = 2.0  # that a query may take
_MADE = 20  # hostile queries of each kind
_KINDS = list(HostileWriter(Random(0)).kinds)


@pytest.mark.slow
async def test_nothing_goes_on_after_its_reply(
    queries: Neo4jQueries, atlas: GraphConnection
) -> None:
    asked = [query(one) for one in (*READS, *ATTEMPTS)]
    writers = [(HostileWriter(Random(seed)), kind) for seed in range(_MADE) for kind in _KINDS]
    asked += [writer.write(kind) for writer, kind in writers]
    longest, counts = 0.0, {"served": 0, "stopped": 0, "refused": 0}
    for one in asked:
        counts[await name_outcome(queries, one)] += 1
        began = time.perf_counter()
        while await running(atlas):
            await asyncio.sleep(0.02)
            assert time.perf_counter() - began < 60, one.text[:300]
        longest = max(longest, time.perf_counter() - began)
    print(f"{counts}; the longest that a query went on after its reply: {longest:.2f} s")
    assert counts["refused"] >= _MADE * len(_KINDS)
    assert counts["served"] >= len(READS)


async def name_outcome(queries: Neo4jQueries, one: CypherQuery) -> str:
    try:
        await queries.run(one, QueryLimits(seconds=_SECONDS))
    except TrellisError as error:
        return "stopped" if error.status == 504 else "refused"
    return "served"
