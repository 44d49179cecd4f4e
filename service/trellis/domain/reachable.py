"""Which relation-type paths exist from some anchors: what grounded Cypher may say."""

from __future__ import annotations

from dataclasses import dataclass

from trellis.domain.values import Cut, Step


@dataclass(frozen=True, slots=True)
class ReachablePath:
    """One relation-type path that is walked by at least one walk from the anchors.

    `labels`: all labels of the nodes at its end, sorted. `walks`: relationship by relationship,
    walks may come back anywhere (`revisit` any); those above 2**62 count as that. `ends`: distinct
    nodes at its end. Every path's beginnings are reachable paths too.
    """

    steps: tuple[Step, ...]
    labels: tuple[str, ...]
    walks: int
    ends: int


@dataclass(frozen=True, slots=True)
class Reachable:
    """All paths of 1 to some hops, shortest first, then by their steps.

    `cut`: whether a budget left any out, or made a count too small; `cuts` say where relationships
    were left out; `unwalked`: paths that exist but were not gone on from, for want of budget.
    """

    paths: tuple[ReachablePath, ...]
    cut: bool = False
    cuts: tuple[Cut, ...] = ()
    unwalked: int = 0
