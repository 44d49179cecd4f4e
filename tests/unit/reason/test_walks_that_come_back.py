"""Walks that come back: their ends are given where no other walk of the path has one."""

from __future__ import annotations

import pytest

from memory_graph import MemoryGraph
from trellis.domain.graphs.graph import PathQuery, RelationPath, Step
from trellis.domain.models.decoding import Sentence
from trellis.steps.ground.ground_paths import ground_paths

GRAPH = MemoryGraph.of(
    [
        ("Ana", "acted_in", "Dawn"),
        ("Ben", "acted_in", "Dawn"),
        ("Zion", "recording", "Tape"),
        ("Tape", "recording", "Zion"),
    ]
)
ACTED, BACK = Step("acted_in"), Step("acted_in", reversed=True)
RECORDING = Step("recording")


def sentence(start: str, *steps: Step) -> Sentence:
    anchor = next(node for node in GRAPH.nodes if node.name == start)
    return Sentence("", (), (PathQuery((RelationPath((anchor.id,), steps),)),), 0.0, 0)


@pytest.mark.parametrize(
    ("path", "simple_first", "as_they_are"),
    [
        (sentence("Ana", ACTED, BACK), {"Ben"}, {"Ana", "Ben"}),
        (sentence("Zion", RECORDING, RECORDING), {"Zion"}, {"Zion"}),
    ],
)
async def test_simple_walks_go_first(
    path: Sentence, simple_first: set[str], as_they_are: set[str]
) -> None:
    for prefers_simple, wanted in ((True, simple_first), (False, as_they_are)):
        [found] = await ground_paths(GRAPH, [path], "any", 10, prefers_simple=prefers_simple)
        assert {grounded.node.name for grounded in found.nodes} == wanted
    [found] = await ground_paths(GRAPH, [sentence("Zion", RECORDING, RECORDING)], "simple", 10)
    assert not found.nodes
