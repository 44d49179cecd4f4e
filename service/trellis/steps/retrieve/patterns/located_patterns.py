"""Patterns in the graph's own terms: what a search found them as."""

from __future__ import annotations

from dataclasses import dataclass

from trellis.domain.graphs.graph import NodeId, Step
from trellis.domain.structures.question_patterns import QuestionPattern


@dataclass(frozen=True, slots=True)
class LocatedPattern:
    """A pattern in the graph's own terms, and the distance of the nearest subgraph of these terms.

    `steps` [triples]: the relationship type of each, and whether it leads from tail to head.
    `anchors` [nodes]: the nodes that a mention may be; None for what is unknown. `labels` [nodes]:
    the label that a kind stands for; empty where any node fits. `surplus`: the distance without
    that of the nodes that the mentions are taken to mean, which all patterns have in common, and
    with what relations that lead the other way count.
    """

    pattern: QuestionPattern
    steps: tuple[Step, ...]
    anchors: tuple[tuple[NodeId, ...] | None, ...]
    labels: tuple[str, ...]
    distance: float
    surplus: float


@dataclass(frozen=True, slots=True)
class PatternOutcome:
    """What a pattern was found as, nearest first. `is_complete`: whether nothing is nearer."""

    located: tuple[LocatedPattern, ...]
    is_complete: bool = True
