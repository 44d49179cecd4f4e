"""Footnotes are true: over random graphs each cited fact is of its own answer's derivation."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from memory_app import MemoryGraph, WordModel
from memory_matches import Match, MatchedTriples, read_operand
from trellis.domain.graphs.graph import Node, Triple
from trellis.domain.graphs.schema import Schema
from trellis.domain.models.card import Calibration
from trellis.domain.replies.question import Question
from trellis.domain.replies.reply import Reply
from trellis.domain.structures.cypher import CypherQuery, Rows
from trellis.pipelines.gcr import Gcr
from trellis.pipelines.record import Record
from trellis.steps.conclude.queries.judge_query import judge_query
from trellis.steps.conclude.queries.rank_queries import QueryChoice
from trellis.steps.ground.queries.query_evidence import read_query_evidence
from trellis.steps.ground.queries.run_queries import QueryRun
from trellis.steps.retrieve.paths.settings import PathSettings

SCHEMA = Schema((), (), 0, 0, "")
CASES = 300
AGGREGATES: dict[str, Callable[[Any], Any]] = {
    "count(DISTINCT {})": lambda values: len(set(values)),
    "avg({}.`size`)": lambda values: sum(values) / len(values),
    "max({}.`size`)": max,
    "min({}.`size`)": min,
}


def make_graph(chance: random.Random, count: int) -> MatchedTriples:
    """A random graph with namesakes and repeated sizes."""
    nodes = [
        Node(f"n{i}", f"Thing {i % (count - 1)}", ("Thing",), {"size": chance.randrange(1 + count)})
        for i in range(count)
    ]
    pairs = {(chance.choice(nodes), chance.choice(nodes)) for _ in range(3 * count)}
    ordered = sorted(pairs, key=lambda pair: (pair[0].id, pair[1].id))
    return MatchedTriples([Triple(head, "R", tail) for head, tail in ordered])


def make_pattern(chance: random.Random, length: int) -> str:
    """A chain, its last node named or not."""
    named = chance.choice(["", f" WHERE x{length}.`name` = $v0"])
    steps = "".join(f"(x{i}:`Thing`)-[r{i}:`R`]->" for i in range(length))
    return f"MATCH {steps}(x{length}:`Thing`{named})"


def group(matches: Iterable[Match], key: str) -> dict[Any, list[Match]]:
    found: dict[Any, list[Match]] = {}
    for match in matches:
        found.setdefault(read_operand(key)(match), []).append(match)
    return found


def make_case(chance: random.Random) -> tuple[MatchedTriples, QueryRun, dict[str, list[Match]]]:
    """A graph, a query that was run on it, and for each answer the matches that it is read from."""
    count = chance.choice([3, 6, 30, 150])
    graph, length = make_graph(chance, count), chance.choice([1, 2]) if count <= 30 else 1
    pattern, params = make_pattern(chance, length), {"v0": "Thing 0"}
    matches = graph.list_matches(pattern, params)
    node = f"x{chance.randrange(length + 1)}"
    kind = chance.choice(["nodes", "values", "grouped", "aggregated"])
    if kind in ("nodes", "values"):
        key = node if kind == "nodes" else f"{node}.`size`"
        groups = group(matches, key)
        kept = dict(list(groups.items())[: chance.choice([1, 5, 1_000])])
        returned, rows = f"DISTINCT {key}", [[cell] for cell in kept]
        own = {str(getattr(cell, "id", cell)): of for cell, of in kept.items()}
    else:
        function, compute = chance.choice(list(AGGREGATES.items()))
        over = function.format("x0")
        operand = "x0" if function.startswith("count") else "x0.`size`"
        by = group(matches, node) if kind == "grouped" else {None: matches}
        if not matches:
            by = {}
        returned = f"{node}, {over}" if kind == "grouped" else over
        rows, own = [], {}
        for cell, of in by.items():
            value = compute([read_operand(operand)(match) for match in of])
            rows.append([cell, value] if kind == "grouped" else [value])
            picks = function.startswith(("max", "min")) and kind != "grouped"
            name = (
                cell.id if kind == "grouped" else str(int(value) if value == int(value) else value)
            )
            own[name] = [m for m in of if not picks or read_operand(operand)(m) == value]
    query = CypherQuery(f"{pattern}\nRETURN {returned}", params if "$v0" in pattern else {})
    return graph, QueryRun("", 0.0, query, Rows((), rows)), own


async def conclude(graph: MatchedTriples, run: QueryRun, limit: int | None) -> Reply:
    """The reply of a query, as the pipeline ends it."""
    assert run.rows
    evidence = await read_query_evidence(graph, run, SCHEMA)
    judged = judge_query(QueryChoice(run, 0.9), run.rows, evidence, SCHEMA, Calibration(), {})
    record = Record(Question("Which things?", limit=limit), "graphraft")
    answers = [answer.node for answer in judged.answers[:limit]]
    return record.build_reply(judged, evidence.facts, 0, evidence.count_facts(answers))


@pytest.mark.parametrize("seed", range(6))
async def test_each_fact_of_a_query_is_of_its_own_answer(seed: int) -> None:
    chance, cited, cut = random.Random(seed), 0, 0
    for _ in range(CASES // 6):
        graph, run, own = make_case(chance)
        reply = await conclude(graph, run, chance.choice([None, 3, 50]))
        for answer in reply.answers:
            derivations = [
                {cell for cell in match.values() if isinstance(cell, Triple)}
                for match in own[answer.node.id or answer.node.name]
            ]
            assert answer.evidence
            for fact in (reply.evidence[number] for number in answer.evidence):
                assert set(fact.triples) in derivations
                cited += 1
        shown = {number for answer in reply.answers for number in answer.evidence}
        assert len(reply.evidence) == len(shown)
        cut += reply.fact_total is not None
    assert cited > 500
    assert cut  # some answers had more facts than are shown, and this was said


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
async def test_each_fact_of_a_path_leads_to_its_answer(seed: int) -> None:
    chance = random.Random(seed)
    for case in range(8):
        size = chance.choice([3, 20, 140])
        triples = [
            ("France", f"HAS_{chance.choice(['CITY', 'CAPITAL_CITY'])}", f"City {number:03}")
            for number in range(size)
        ]
        gcr = Gcr(MemoryGraph(triples), WordModel(), WordModel.card.settings(PathSettings))
        how = "How many city nodes does" if case % 2 else "Which city does"
        question = Question(f"{how} France have?", limit=chance.choice([None, 5, 120]))
        reply = await gcr.answer(question)
        for answer in reply.answers:
            for number in answer.evidence:
                assert reply.evidence[number].nodes[-1] == answer.node
        total = reply.fact_total or len(reply.evidence)
        assert total >= len(reply.evidence)
        assert any("facts are shown" in note for note in reply.notes) == (
            reply.fact_total is not None
        )
