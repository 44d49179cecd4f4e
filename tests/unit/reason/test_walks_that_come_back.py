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


def path(start: str, *steps: Step) -> RelationPath:
    anchor = next(node for node in GRAPH.nodes if node.name == start)
    return RelationPath((anchor.id,), steps)


def sentence(*paths: RelationPath) -> Sentence:
    return Sentence("", (), (PathQuery(paths),), 0.0, 0)


@pytest.mark.parametrize(
    ("walks", "simple_first", "as_they_are"),
    [
        (path("Ana", ACTED, BACK), {"Ben"}, {"Ana", "Ben"}),
        (path("Zion", RECORDING, RECORDING), {"Zion"}, {"Zion"}),
    ],
)
async def test_simple_walks_go_first(
    walks: RelationPath, simple_first: set[str], as_they_are: set[str]
) -> None:
    said = [sentence(walks)]
    for prefers_simple, wanted in ((True, simple_first), (False, as_they_are)):
        [found] = await ground_paths(GRAPH, said, "any", 10, prefers_simple=prefers_simple)
        assert {grounded.node.name for grounded in found.nodes} == wanted
    coming_back = sentence(path("Zion", RECORDING, RECORDING))
    [found] = await ground_paths(GRAPH, [coming_back], "simple", 10)
    assert not found.nodes


async def test_walks_that_are_joined_give_nothing_that_one_of_them_starts_from() -> None:
    joined = sentence(path("Ana", ACTED), path("Dawn", BACK, ACTED))
    [found] = await ground_paths(GRAPH, [joined], "any", 10, prefers_simple=True)
    assert not found.nodes
    met = sentence(path("Ana", ACTED), path("Ben", ACTED))
    [found] = await ground_paths(GRAPH, [met], "any", 10, prefers_simple=True)
    assert [grounded.node.name for grounded in found.nodes] == ["Dawn"]
