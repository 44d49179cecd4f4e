"""Rank described nodes: a model reads the question and all that is known of a node together.

Source: GraphRAFT, section on the local subgraph reasoner; a cross-encoder in its place.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from trellis.domain.errors import ModelError
from trellis.domain.models.calibration import BIAS, logistic
from trellis.domain.ports import Graph, TextRanker
from trellis.steps.describe.describe_texts import describe_texts
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.retrieve.described.described_nodes import DescribedNode

MOST_READ = 20
"""The nodes that are read, best first; others keep their places behind them."""

_READ = 0.4  # weight of what the model says, as of a relationship to what the question names


@dataclass(frozen=True, slots=True)
class RankedNodes:
    """Described nodes, best first; `note`: why no model ordered them, where one should have."""

    nodes: tuple[DescribedNode, ...]
    note: str = ""


async def rank_described(
    ranker: TextRanker, graph: Graph, form: QuestionForm, nodes: Sequence[DescribedNode]
) -> RankedNodes:
    """The nodes in the order of their scores and of what a ranker says of the first of them."""
    read, others = nodes[:MOST_READ], nodes[MOST_READ:]
    texts = await describe_texts(graph, read)
    try:
        logits = await asyncio.to_thread(ranker.score, form.text, texts)
    except ModelError as error:
        note = f"the ranker failed, the order stands without it: {error.problem}"
        return RankedNodes(tuple(nodes), note)
    scored = [
        replace(each, score=add_logit(each.score, float(logit)))
        for each, logit in zip(read, logits, strict=True)
    ]
    ordered = sorted(scored, key=lambda each: (-each.score, each.match.node.name))
    return RankedNodes((*ordered, *others))


def add_logit(score: float, logit: float) -> float:
    """The score of a search and a ranker's logit as one. The logistic function scales logits to
    (0, 1), so that neither outweighs the other."""
    return score + _READ * logistic({}, {BIAS: logit})
