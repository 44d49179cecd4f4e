"""Patterns that cannot be searched for are refused with the reason."""

from __future__ import annotations

import math
from typing import Any

import pytest

from trellis.domain.errors import PatternError
from trellis.domain.structures.patterns import (
    DistanceScale,
    LabelCandidates,
    NodeCandidates,
    PatternGraph,
    PatternSearch,
    RelationCandidates,
)


@pytest.mark.parametrize(
    ("nodes", "edges", "reason"),
    [
        (0, (), "a pattern of 0 nodes"),
        (17, (), "a pattern of 17 nodes"),
        (2, (), "several parts"),
        (4, ((0, 1), (2, 3)), "several parts"),
        (2, ((0, 2),), "edge 0 of the pattern joins 0 and 2"),
        (2, ((0, 1), (-1, 1)), "edge 1 of the pattern joins -1 and 1"),
        (2, ((0, 1),) * 30, "a pattern of 30 edges"),
    ],
)
def test_a_pattern_is_one_part_of_a_few_nodes(nodes: int, edges: Any, reason: str) -> None:
    with pytest.raises(PatternError, match=reason):
        PatternGraph(nodes, edges)


@pytest.mark.parametrize("kind", [NodeCandidates, LabelCandidates, RelationCandidates])
@pytest.mark.parametrize("distance", [-0.5, math.nan, math.inf, -math.inf, 1e10])
def test_a_distance_is_a_number_from_0(kind: Any, distance: float) -> None:
    with pytest.raises(PatternError, match=r"the distance of the .* candidate 'x' is"):
        kind(("a", "x"), (0.0, distance))
    with pytest.raises(PatternError, match=r"2 .* candidates have 1 distances"):
        kind(("a", "x"), (0.0,))


def test_there_is_one_entry_for_each_node_and_edge() -> None:
    pattern = PatternGraph(2, ((0, 1),))
    for nodes, relations in (((None,), (None,)), ((None, None), ()), ((None,) * 3, (None,))):
        with pytest.raises(PatternError, match="the candidates list"):
            PatternSearch(pattern, nodes, relations)


def test_sums_of_decimal_distances_do_not_depend_on_their_order() -> None:
    listed = NodeCandidates(("a", "b", "c"), (0.1, 0.2, 0.3))
    scale = DistanceScale.of(PatternSearch(PatternGraph(1, ()), (listed,), ()))
    assert scale.count_ticks(0.1) + scale.count_ticks(0.2) == scale.count_ticks(0.3)
    assert scale.compute_distance(scale.count_ticks(0.1) + scale.count_ticks(0.2)) == 0.3
