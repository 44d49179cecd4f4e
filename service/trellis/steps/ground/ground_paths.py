"""Ground: run decoded paths in the database, and collect the nodes that they reach.

The relations of a path are run with its end left open, so that a question with many answers gets
all of them. Paths that are joined give the nodes that all of them reach.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from functools import reduce

from trellis.domain.decoding import Sentence
from trellis.domain.graph import NodeId, PathQuery, ReachedNode, Revisit
from trellis.domain.ports import Graph
from trellis.domain.reply import Finding, GroundedNode


async def ground_paths(
    graph: Graph, sentences: Sequence[Sentence], revisit: Revisit, limit: int
) -> tuple[Finding, ...]:
    """For each sentence the nodes that its paths reach in the database (at most `limit` a path)."""
    found = await asyncio.gather(
        *(_reach_union(graph, sentence.values, revisit, limit) for sentence in sentences)
    )
    return tuple(
        Finding(
            sentence.text, math.exp(sentence.score), tuple(map(GroundedNode.of_reached, reached))
        )
        for sentence, reached in zip(sentences, found, strict=True)
    )


async def _reach_union(
    graph: Graph, readings: Sequence[PathQuery], revisit: Revisit, limit: int
) -> tuple[ReachedNode, ...]:
    """The union of the nodes that all readings of one sentence reach."""
    union: dict[NodeId, ReachedNode] = {}
    for query in readings:
        paths = [await graph.reach_nodes(path, revisit, limit) for path in query.paths]
        for reached in reduce(_intersect_reached, paths):
            union.setdefault(reached.node.id, reached)
    return tuple(union.values())


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
