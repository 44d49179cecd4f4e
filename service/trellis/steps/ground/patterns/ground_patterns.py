"""Ground: run located patterns as Cypher, with the asked node free, so that all answers come.

The relationship types and directions are those of the located subgraph; mentions are fixed by the
ids of their nodes. Queries go through the gate as those of a model do.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby

from trellis.domain.errors import GraphTimeoutError, QueryError, RefusedQueryError
from trellis.domain.graphs.facts import Fact
from trellis.domain.graphs.graph import Node, Revisit, Triple
from trellis.domain.identifiers import quote_name
from trellis.domain.models.decoding import Sentence
from trellis.domain.ports import Queries
from trellis.domain.replies.reply import Finding, GroundedNode
from trellis.domain.structures.cypher import CypherQuery, QueryLimits, Rows
from trellis.domain.structures.question_patterns import MentionNode
from trellis.steps.retrieve.patterns.located_patterns import LocatedPattern, PatternOutcome

_NEARNESS = 4.0
"""How fast the weight of a subgraph falls with its distance: one at distance 1 has 2 % of it."""

_LEAST_SHARE_OF_BEST = 0.05
"""A reading is run if it is at least this share as probable as the best: others cannot win."""


@dataclass(frozen=True, slots=True)
class PatternReading:
    """A sentence, what the graph takes its pattern for, and how probable it is that this is meant.

    `sentence`: its place among the sentences.
    """

    sentence: int
    located: LocatedPattern
    probability: float


@dataclass(frozen=True, slots=True)
class GroundedReading:
    """A reading with the finding of its query; `problem`: why it could not be run."""

    reading: PatternReading
    query: CypherQuery
    finding: Finding
    problem: str = ""


def weigh_readings(
    sentences: Sequence[Sentence], outcomes: Sequence[PatternOutcome]
) -> list[PatternReading]:
    """The readings that can change the answer, most probable first.

    A sentence's probability is shared among its readings by their distances, and falls with the
    least of these: a pattern that no subgraph is like was hardly meant.
    """
    readings = [
        PatternReading(number, located, math.exp(sentence.score) * share)
        for number, (sentence, outcome) in enumerate(zip(sentences, outcomes, strict=False))
        for located, share in zip(outcome.located, _share_out(outcome.located), strict=True)
    ]
    best = max((reading.probability for reading in readings), default=0.0)
    kept = [each for each in readings if each.probability >= _LEAST_SHARE_OF_BEST * best]
    return sorted(kept, key=lambda reading: -reading.probability)


def _share_out(located: Sequence[LocatedPattern]) -> list[float]:
    """What each way to locate one pattern gets of its probability; they come nearest first.

    One at no distance gets all of it. Else further ones get some of what is left; equally near ones
    get the same.
    """
    shares: list[float] = []
    left = 1.0
    for surplus, level in groupby(each.surplus for each in located):
        taken = left * math.exp(-_NEARNESS * surplus)
        count = len(list(level))
        shares += [taken / count] * count
        left -= taken
    return shares


async def ground_patterns(
    queries: Queries,
    sentences: Sequence[Sentence],
    readings: Sequence[PatternReading],
    revisit: Revisit,
    limit: int,
) -> list[GroundedReading]:
    """For each reading all nodes that may be asked for (at most `limit`), each with a subgraph."""
    grounding = (
        _ground_reading(queries, sentences[reading.sentence].text, reading, revisit, limit)
        for reading in readings
    )
    return list(await asyncio.gather(*grounding))


async def _ground_reading(
    queries: Queries, text: str, reading: PatternReading, revisit: Revisit, limit: int
) -> GroundedReading:
    query = write_grounding_query(reading.located, revisit)
    try:
        rows = await queries.run(query, QueryLimits(rows=limit))
    except (RefusedQueryError, QueryError, GraphTimeoutError) as error:
        return GroundedReading(
            reading, query, Finding(text, reading.probability), str(error.problem)
        )
    nodes = tuple(_iterate_nodes(rows))
    return GroundedReading(reading, query, Finding(text, reading.probability, nodes))


def write_grounding_query(located: LocatedPattern, revisit: Revisit) -> CypherQuery:
    """The query of all nodes that a located pattern asks for.

    Its columns are the node, the relationships of one subgraph that shows it, and the number of
    such subgraphs. `revisit`: which nodes of a subgraph may be the same.
    """
    pattern = located.pattern
    assert pattern.asked is not None, "a claim's pattern asks for no node"
    pairs = list(enumerate(zip(pattern.triples, located.steps, strict=True)))
    steps = [
        f"(n{triple.head}){'<' if step.reversed else ''}-[r{i}:{quote_name(step.relation)}]-"
        f"{'' if step.reversed else '>'}(n{triple.tail})"
        for i, (triple, step) in pairs
    ]
    apart = revisit == "simple"  # different nodes have different relationships
    match = f"MATCH {', '.join(steps)}" if apart else "\n".join(f"MATCH {step}" for step in steps)
    conditions = [*_list_node_conditions(located), *_list_unlike_nodes(located, revisit)]
    where = f"\nWHERE {' AND '.join(conditions)}" if conditions else ""
    facts = ", ".join(f"r{i}" for i, _ in pairs)
    returned = (
        f"RETURN n{pattern.asked} AS asked, head(collect([{facts}])) AS facts, count(*) AS ways"
    )
    params = {f"n{i}": list(ids) for i, ids in enumerate(located.anchors) if ids is not None}
    return CypherQuery(f"{match}{where}\n{returned}", params)


def _list_node_conditions(located: LocatedPattern) -> Iterator[str]:
    for i, (ids, label) in enumerate(zip(located.anchors, located.labels, strict=True)):
        if ids is not None:
            yield f"elementId(n{i}) IN $n{i}"
        if label:
            yield f"n{i}:{quote_name(label)}"


def _list_unlike_nodes(located: LocatedPattern, revisit: Revisit) -> Iterator[str]:
    """The pairs of nodes that a rule keeps apart; two mentions always are."""
    for (i, first), (j, second) in combinations(enumerate(located.pattern.nodes), 2):
        mentions = sum(isinstance(node, MentionNode) for node in (first, second))
        if revisit == "simple" or mentions == 2 or (mentions and revisit == "not_topic"):
            yield f"n{i} <> n{j}"


def _iterate_nodes(rows: Rows) -> Iterator[GroundedNode]:
    for asked, facts, ways in rows.rows:
        assert isinstance(asked, Node)
        triples = [fact for fact in facts if isinstance(fact, Triple)]
        yield GroundedNode(asked, (Fact.of_triples(triples),), ways)
