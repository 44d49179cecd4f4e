"""Ground: run decoded paths in the database, and collect the nodes that they reach.

The relations of a path are run with its end left open, so that a question with many answers gets
all of them. Paths that are joined give the nodes that all of them reach, but for where one starts.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from functools import reduce

from trellis.domain.graphs.graph import NodeId, PathQuery, ReachedNode, Revisit
from trellis.domain.limits.many_rows import work_through_rows
from trellis.domain.models.decoding import Sentence
from trellis.domain.ports import Graph
from trellis.domain.replies.reply import Finding, GroundedNode


async def ground_paths(
    graph: Graph,
    sentences: Sequence[Sentence],
    revisit: Revisit,
    limit: int,
    *,
    prefers_simple: bool = False,
) -> tuple[Finding, ...]:
    """For each sentence the nodes that its paths reach in the database (at most `limit` a path).

    `prefers_simple`: where walks that visit no node twice reach some, these are all.
    """
    order: list[Revisit] = ["simple", revisit] if prefers_simple else [revisit]
    found = await asyncio.gather(
        *(_reach_first(graph, sentence.values, order, limit) for sentence in sentences)
    )
    return await work_through_rows(sum(map(len, found)), _list_findings, sentences, found)


def _list_findings(
    sentences: Sequence[Sentence], found: Sequence[Sequence[ReachedNode]]
) -> tuple[Finding, ...]:
    """The nodes that each sentence reaches, with the facts on the way there."""
    return tuple(
        Finding(
            sentence.text,
            math.exp(sentence.score),
            tuple(map(GroundedNode.of_reached, reached)),
            str([query.relations() for query in sentence.values]),
        )
        for sentence, reached in zip(sentences, found, strict=True)
    )


async def _reach_first(
    graph: Graph, readings: Sequence[PathQuery], order: Sequence[Revisit], limit: int
) -> tuple[ReachedNode, ...]:
    """The nodes that all readings reach by the first kind of walks that reaches any."""
    for revisit in dict.fromkeys(order):
        if reached := await _reach_union(graph, readings, revisit, limit):
            return reached
    return ()


async def _reach_union(
    graph: Graph, readings: Sequence[PathQuery], revisit: Revisit, limit: int
) -> tuple[ReachedNode, ...]:
    """The union of the nodes that all readings of one sentence reach."""
    union: dict[NodeId, ReachedNode] = {}
    for query in readings:
        paths = [await graph.reach_nodes(path, revisit, limit) for path in query.paths]
        if len(paths) > 1:
            paths = [_leave_out_returned(reached) for reached in paths]
        for reached in reduce(_intersect_reached, paths):
            union.setdefault(reached.node.id, reached)
    return tuple(union.values())


def _leave_out_returned(reached: Sequence[ReachedNode]) -> list[ReachedNode]:
    """The nodes without those that a walk comes back to from where it started."""
    return [each for each in reached if each.walk.anchor.id != each.node.id]


def _intersect_reached(
    first: Sequence[ReachedNode], second: Sequence[ReachedNode]
) -> list[ReachedNode]:
    """The nodes that both paths reach, each with a walk along both."""
    others = {reached.node.id: reached for reached in second}
    return [
        ReachedNode(
            r.node,
            r.walk,
            r.walks * others[r.node.id].walks,
            (*r.other_walks, others[r.node.id].walk),
        )
        for r in first
        if r.node.id in others
    ]
