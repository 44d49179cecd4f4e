"""Sets of walks against walks one by one, in graphs dense enough for every way of coming back."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

import numpy as np
import pytest

from trellis.automata.paths.adjacency import build_adjacency
from trellis.automata.paths.frontier import Front, Walker, mark_nodes_reaching, sort_distinct
from trellis.domain.graphs.graph import Neighbourhood, Revisit

NODES, RELATIONS = 9, "rs"


def dense(seed: int) -> Neighbourhood:
    """Few nodes, many relationships, some of them parallel, and a few hubs."""
    random = Random(seed)
    edges = random.choice((12, 25, 60))
    heads = [min(random.randrange(NODES), random.randrange(NODES)) for _ in range(edges)]
    triples = [(head, random.choice(RELATIONS), random.randrange(NODES)) for head in heads]
    names = [str(i) for i in range(NODES)]
    return build_adjacency(names, names, triples)


def every_walk(
    graph: Neighbourhood, keys: tuple[int, ...], revisit: Revisit
) -> Iterator[tuple[int, ...]]:
    def grow(walk: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(walk) > len(keys):
            yield walk
            return
        for at in range(graph.offsets[walk[-1]], graph.offsets[walk[-1] + 1]):
            target = int(graph.targets[at])
            forbidden = {"any": (), "not_topic": walk[:1], "simple": walk}[revisit]
            if graph.keys[at] == keys[len(walk) - 1] and target not in forbidden:
                yield from grow((*walk, target))

    return grow((0,))


def walked(walker: Walker, keys: tuple[int, ...]) -> Front | None:
    front = walker.start_front(0)
    for key in keys:
        pairs = walker.find_next_steps(front).get(key)
        if pairs is None:
            return None
        front = walker.advance_front(front, pairs)
    return front


@pytest.mark.parametrize("revisit", ["any", "not_topic", "simple"])
@pytest.mark.parametrize("seed", range(12))
def test_a_front_reaches_what_its_walks_reach(seed: int, revisit: Revisit) -> None:
    graph = dense(seed)
    walker = Walker(graph, revisit, keep_pairs=False)
    for length in (1, 2, 3, 4):
        for keys in product(range(2 * len(graph.relation_types)), repeat=length):
            front = walked(walker, keys)
            reached = front.tails.tolist() if front else []
            assert reached == sorted({walk[-1] for walk in every_walk(graph, keys, revisit)})


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("revisit", ["any", "not_topic"])
def test_reaching_says_from_where_a_target_can_be_walked_to(seed: int, revisit: Revisit) -> None:
    graph, targets = dense(seed), {1, 2}
    nodes = np.array(sorted(targets), np.int32)
    levels = mark_nodes_reaching(graph, nodes, 3, None if revisit == "any" else 0)
    avoided = {0} if revisit == "not_topic" else set()
    inside = targets - avoided
    for level in levels:
        assert set(level.nonzero()[0].tolist()) == inside
        nearer = {
            node
            for node in range(NODES)
            for at in range(graph.offsets[node], graph.offsets[node + 1])
            if int(graph.targets[at]) in inside
        }
        inside = (inside | nearer) - avoided


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("revisit", ["any", "not_topic", "simple"])
def test_only_steps_to_wanted_nodes_are_found(seed: int, revisit: Revisit) -> None:
    graph, random = dense(seed), Random(seed)
    wanted = np.array([random.random() < 0.4 for _ in range(NODES)])
    walker = Walker(graph, revisit, keep_pairs=False)
    for keys in product(range(2 * len(graph.relation_types)), repeat=2):
        front = walked(walker, keys)
        if front is None:
            continue
        steps = {
            key: {*zip(pairs.sources.tolist(), pairs.targets.tolist(), strict=True)}
            for key, pairs in walker.find_next_steps(front).items()
        }
        kept = {key: {(a, b) for a, b in pairs if wanted[b]} for key, pairs in steps.items()}
        found = {
            key: {*zip(pairs.sources.tolist(), pairs.targets.tolist(), strict=True)}
            for key, pairs in walker.find_next_steps(front, wanted).items()
        }
        assert found == {key: pairs for key, pairs in kept.items() if pairs}


@pytest.mark.parametrize("size", [0, 1, 2, 7, 300])
def test_distinct_nodes_are_what_numpy_says(size: int) -> None:
    nodes = np.random.default_rng(size).integers(0, size + 1, size).astype(np.int32)
    assert sort_distinct(nodes).tolist() == np.unique(nodes).tolist()
