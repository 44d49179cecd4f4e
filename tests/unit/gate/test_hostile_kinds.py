"""What Neo4j could not stop is refused by its text alone, before Neo4j sees it."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from hostile_queries import HostileWriter
from trellis.domain.errors import RefusedQueryError
from trellis.domain.structures.cypher import CypherQuery
from trellis.graph.gate.parameters import check_parameters
from trellis.graph.gate.rules import check_rules
from trellis.graph.gate.tokens import tokenize

_OF_EACH = 60
_READS = Path(__file__).parents[2] / "data" / "gate" / "reads.jsonl"


def check(query: CypherQuery) -> None:
    check_parameters(query.params)
    check_rules(tokenize(query.text), query.params)


def is_refused(query: CypherQuery) -> bool:
    try:
        check(query)
    except RefusedQueryError as refused:
        return bool(refused.remedy)
    return False


def reads() -> list[dict[str, Any]]:
    return [json.loads(line) for line in _READS.read_text(encoding="utf-8").split("\n") if line]


@pytest.mark.parametrize("kind", HostileWriter(Random(0)).kinds)
def test_hostile_queries_of_each_kind_are_refused(kind: str) -> None:
    queries = [HostileWriter(Random(seed)).write(kind) for seed in range(_OF_EACH)]
    assert [query for query in queries if not is_refused(query)] == []


@pytest.mark.parametrize("read", reads(), ids=lambda read: read["text"])
def test_good_queries_pass(read: dict[str, Any]) -> None:
    check(CypherQuery(read["text"], read.get("params", {})))


@pytest.mark.parametrize(
    ("text", "params"),
    [
        ("RETURN reduce(s = '', n IN nodes(p) | s + n.name)", {}),
        ("RETURN reduce(s = [], x IN $xs | s + x)", {"xs": [1, 2]}),
        ("RETURN reduce(s = '', x IN names[..50] | s + x)", {}),
        ("RETURN reduce(s = 0.0, x IN xs | s + toFloat(x.price))", {}),
        ("RETURN reduce(s = 0, x IN xs | CASE WHEN size(x) > 3 THEN s + 1 ELSE s END)", {}),
        ("MATCH (n) WHERE n.name =~ '.*paris.*' RETURN n", {}),
        ("MATCH (n) WHERE toLower(n.name) =~ '.*(ville|burg).*' RETURN n", {}),
        ("MATCH (n) WHERE n.name =~ '[A-Z][a-z]+ [A-Z][a-z]+' RETURN n", {}),
        ("RETURN $s =~ 'a*b*c*'", {"s": "a" * 100}),
        ("RETURN 'abc' =~ '.*.*.*'", {}),
        ("MATCH (n) RETURN [x IN collect(n) WHERE x.name =~ 'S.*' | x.name]", {}),
        ("MATCH (n) RETURN DISTINCT n {.*, more: 1} AS n ORDER BY n.name LIMIT 3", {}),
        ("MATCH (n) WHERE n.name STARTS WITH 'a' RETURN n.name ENDS WITH 'b', properties(n)", {}),
        ("MATCH (n) RETURN collect(n {.name, .population}), collect(properties(n).name)", {}),
        ("MATCH (n) UNWIND keys(n) AS key RETURN DISTINCT key", {}),
        ("WITH [1, 2] AS xs RETURN xs[0], xs[-1], xs[size(xs) - 1], xs[$i..]", {"i": 1}),
        ("RETURN [i IN range(0, size(xs) - 1) | xs[i] + xs[i + 1]]", {}),
        ("UNWIND range(0, 3) AS i RETURN [1, 2, 3, 4][i]", {}),
        ("MATCH (n) WHERE n.name IN ['a', 'b'] AND NOT n.x IN [1, 2] RETURN n['name']", {}),
        ("MATCH (n:$any($labels)) RETURN n[$key]", {"labels": ["City", "Lake"], "key": "name"}),
        ("UNWIND $rows AS row UNWIND row.xs AS x RETURN x", {"rows": [{"xs": [1]}] * 900}),
        ("MATCH (n) WHERE " + " OR ".join(f"n.a = {i}" for i in range(90)) + " RETURN n", {}),
        ("RETURN [" + ", ".join("1" for _ in range(2_000)) + "]", {}),
        ("RETURN " + "(" * 90 + "1" + ")" * 90, {}),
    ],
)
def test_what_only_looks_like_these_passes(text: str, params: dict[str, Any]) -> None:
    check(CypherQuery(text, params))
