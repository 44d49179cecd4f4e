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
from trellis.domain.graph import NodeId, PathQuery, Reached, Revisit
from trellis.domain.ports import Graph
from trellis.domain.reply import Finding, GroundedNode


async def ground(
    graph: Graph, sentences: Sequence[Sentence], revisit: Revisit, limit: int
) -> tuple[Finding, ...]:
    """For each sentence the nodes that its paths reach in the database (at most `limit` a path)."""
    found = await asyncio.gather(
        *(_reached(graph, sentence.values, revisit, limit) for sentence in sentences)
    )
    return tuple(
        Finding(
            sentence.text, math.exp(sentence.score), tuple(map(GroundedNode.of_reached, reached))
        )
        for sentence, reached in zip(sentences, found, strict=True)
    )


async def _reached(
    graph: Graph, readings: Sequence[PathQuery], revisit: Revisit, limit: int
) -> tuple[Reached, ...]:
    """The union of the nodes that all readings of one sentence reach."""
    union: dict[NodeId, Reached] = {}
    for query in readings:
        paths = [await graph.reach(path, revisit, limit) for path in query.paths]
        for reached in reduce(_meeting, paths):
            union.setdefault(reached.node.id, reached)
    return tuple(union.values())


def _meeting(one: Sequence[Reached], other: Sequence[Reached]) -> list[Reached]:
    """The nodes that both paths reach, each with a walk along both."""
    others = {reached.node.id: reached for reached in other}
    return [
        Reached(
            r.node, r.walk, r.walks * others[r.node.id].walks, (*r.also, others[r.node.id].walk)
        )
        for r in one
        if r.node.id in others
    ]
