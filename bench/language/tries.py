"""What the KG-Trie and its masks cost, without any model.

`ready` is the time until the first mask stands, once the neighbourhood is there. Our trie is built
while sentences are decoded, the reference's before, so what is compared is `ready` with all masks
of ten sentences, a mask at every token: with the reference's trie alone, and with its trie and its
masks. Names keep their spellings from one topic to the next, as in a service.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import numpy as np

from bench.figure import Figure, compare_seconds, time_call
from bench.made.graphs import make_hub_graph, make_skewed_graph, read_triples
from trellis.automata.paths.adjacency import cut_neighbourhood
from trellis.automata.paths.walks import Start, Walks
from trellis.automata.tokens.automaton import TokenAutomaton
from trellis.automata.tokens.vocabulary import Vocabulary
from trellis.domain.graphs.graph import Neighbourhood
from trellis.domain.models.card import Rendering

Automaton = TokenAutomaton[Any, Any]

_TOPICS = 100


@dataclass(frozen=True, slots=True)
class ReferenceTrie:
    """Seconds that the reference takes on one graph with 3 hops: until its trie is built (mean
    and worst topic), and for one mask (None: not measured)."""

    built: tuple[float, float]
    mask: float | None = None

    def with_masks(self) -> tuple[float, ...]:
        """Mean and worst seconds until the trie is built and ten sentences have all their masks."""
        return tuple(seconds + _MASKS * self.mask for seconds in self.built) if self.mask else ()


_MASKS = 280
"""Tokens of ten sentences of 3 hops in the reference's tokenizer, which needs a mask for each."""

_GRAPHS = (
    ("PathQuestion-3hop", "pathquestion/3hop-graph.tsv.gz", ReferenceTrie((0.035, 0.256))),
    ("WorldCup2014", "worldcup2014/graph.tsv.gz", ReferenceTrie((0.183, 0.655), 0.000_68)),
)
"""Each graph's name, its file, and what the reference takes on the same graph."""


def measure_tries(data: Path, vocabulary: Vocabulary) -> Iterator[Figure]:
    """All figures: real graphs where their data is there, and synthetic ones."""
    for name, file, reference in _GRAPHS:
        if (data / file).is_file():
            yield from _measure_graph(name, read_triples(data / file), 3, vocabulary, reference)
    large = make_skewed_graph(100_000, 1_000_000, 50)
    for hops in (2, 3):
        yield from _measure_graph("100k nodes, 1M edges", large, hops, vocabulary)
    yield from _measure_memory(large)
    yield from _measure_hub(vocabulary)
    yield from _measure_masks(vocabulary)


def _measure_graph(
    name: str,
    graph: Neighbourhood,
    hops: int,
    vocabulary: Vocabulary,
    reference: ReferenceTrie | None = None,
) -> Iterator[Figure]:
    topics = Random(7).sample(range(len(graph.nodes)), min(_TOPICS, len(graph.nodes)))
    ready, masked, edges = [], [], []
    for topic in topics:
        hood = cut_neighbourhood(graph, [topic], hops)
        automaton, seconds = time_call(_prepare_automaton, hood, hops, vocabulary)
        ready.append(seconds)
        masked.append(seconds + time_call(make_random_sentences, automaton, Random(topic))[1])
        edges.append(hood.edges)
    described = f"{name}, {hops} hops (up to {max(edges):,} entries)"
    yield compare_seconds(f"KG-Trie ready, {described}", ready)
    what = f"ready, and all masks of ten sentences, {described}"
    if reference is None:
        yield compare_seconds(what, masked)
        return
    yield compare_seconds(f"{what}; the reference without masks", masked, reference.built)
    if reference.mask:
        yield compare_seconds(f"{what}; the reference with masks", masked, reference.with_masks())


def _measure_hub(vocabulary: Vocabulary) -> Iterator[Figure]:
    hood = cut_neighbourhood(make_hub_graph(10_213, 10), [0], 2)
    automaton, seconds = time_call(_prepare_automaton, hood, 2, vocabulary)
    yield compare_seconds("KG-Trie ready, hub of degree 10,213, 2 hops", [seconds], [7.4])
    seconds += time_call(make_random_sentences, automaton, Random(1))[1]
    yield compare_seconds("ready, and all masks of ten sentences, at that hub", [seconds], [7.4])


def _measure_masks(vocabulary: Vocabulary) -> Iterator[Figure]:
    """Masks at the node site of hubs: names never seen, names known but no trie, and warm."""
    for degree in (10, 100, 1_000, 10_000, 100_000):
        hood = cut_neighbourhood(make_hub_graph(degree, 10), [0], 2)
        cold = [
            time_call(_advance_to_choice, _prepare_automaton(hood, 2, vocabulary))[1] for _ in "ab"
        ]
        automaton = _prepare_automaton(hood, 2, vocabulary)
        state = _advance_to_choice(automaton)
        warm = median(time_call(automaton.allow, state)[1] for _ in range(200))
        new, known = (f"{1e6 * seconds / degree:.1f}" for seconds in cold)
        yield Figure(
            f"one mask, {10 * degree:,} paths, {degree:,} choices",
            f"warm {1e6 * warm:.1f} µs; cold {known} µs a choice, names new {new}",
            ".02–192 ms (10 beams)",
        )


def _measure_memory(graph: Neighbourhood) -> Iterator[Figure]:
    """Bytes an entry of the neighbourhood, and what a question's language adds to it."""
    topic = int(np.diff(graph.offsets).argmax())
    hood = cut_neighbourhood(graph, [topic], 3)
    arrays = (hood.targets, hood.types, hood.directions, hood.keys)
    held = sum(array.nbytes for array in arrays) / hood.edges
    for rendering in ("relations", "full"):
        tracemalloc.start()
        walks = _build_walks(hood, 3, rendering)
        _follow_random_moves(walks, Random(1))
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        yield Figure(
            f"memory an entry, {hood.edges:,} entries, 3 hops, {rendering}",
            f"{held:.0f} bytes, at most {peak / hood.edges:.1f} more for ten sentences",
        )


def _follow_random_moves(walks: Walks, random: Random) -> None:
    """Ten random sentences of the language itself, without a tokenizer."""
    for _ in range(10):
        state = walks.start()
        while moves := len(walks.moves(state)):
            after = walks.follow(state, random.randrange(moves))
            assert after is not None
            state = after


def _advance_to_choice(automaton: Automaton) -> Any:
    """The first state where there is something to choose, its mask built."""
    _, state = automaton.forced(automaton.start())
    automaton.allow(state)
    return state


def _build_walks(hood: Neighbourhood, hops: int, rendering: Rendering) -> Walks:
    text = hood.names[0] if rendering == "full" else "ENT1"
    return Walks(hood, [Start(f" {text}", (0,))], hops=hops, revisit="simple", rendering=rendering)


def _prepare_automaton(hood: Neighbourhood, hops: int, vocabulary: Vocabulary) -> Automaton:
    automaton: Automaton = TokenAutomaton(_build_walks(hood, hops, "full"), vocabulary)
    automaton.allow(automaton.start())
    return automaton


def make_random_sentences(automaton: Automaton, random: Random, count: int = 10) -> None:
    """Random sentences, a mask at every token."""
    for _ in range(count):
        state = automaton.start()
        while True:
            automaton.allow(state)
            tokens = automaton.allowed_tokens(state)
            following = (
                automaton.advance(state, int(random.choice(tokens))) if len(tokens) else None
            )
            if following is None:
                break
            state = following
