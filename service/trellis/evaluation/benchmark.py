"""The benchmark of the core: what the KG-Trie and its masks cost, without any model.

`ready` is the time until the first mask stands, once the neighbourhood is there; `one question`
is all that ten beams of three hops need of the trie, every mask cold. The reference is the
published GCR code on two cores (enumerates all paths, tokenises them, builds the trie).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import mean, median
from typing import Any

from trellis.automata.adjacency import adjacency, around
from trellis.automata.automaton import TokenAutomaton
from trellis.automata.vocabulary import Vocabulary
from trellis.automata.walks import Start, Walks
from trellis.domain.values import Neighbourhood
from trellis.graph.loading.triples import TriplesSource

Automaton = TokenAutomaton[Any, Any]


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table; `reference` is empty where the reference has no such figure."""

    what: str
    ours: str
    reference: str = ""


def figures(data: Path, vocabulary: Vocabulary) -> Iterator[Figure]:
    """All figures: real graphs where their data is there, and synthetic hubs."""
    for name, file, reference in (
        ("PathQuestion-3hop", "pathquestion/3hop-graph.tsv.gz", "106 ms, worst 3.7 s"),
        ("WorldCup2014", "worldcup2014/graph.tsv.gz", ""),
    ):
        if (data / file).is_file():
            yield from _graph_figures(name, read(data / file), reference, vocabulary)
    yield from _hub_figures(vocabulary)
    yield from _mask_figures(vocabulary)


def read(path: Path) -> Neighbourhood:
    """A triples file as adjacency arrays."""
    rows = [(row.start, row.type, row.end) for row in TriplesSource(path).relationships()]
    names = list(dict.fromkeys(name for head, _, tail in rows for name in (head, tail)))
    number = {name: i for i, name in enumerate(names)}
    return adjacency(names, names, ((number[h], r, number[t]) for h, r, t in rows))


def hub(degree: int, fan: int) -> Neighbourhood:
    """A node with `degree` neighbours, each of which has `fan` neighbours of its own."""
    first = [(0, "hub_of", 1 + i) for i in range(degree)]
    second = [
        (1 + i, "leads_to", 1 + degree + (7 * i + j) % degree)
        for i in range(degree)
        for j in range(fan)
    ]
    names = [f"Node {degree} Number {i}" for i in range(1 + 2 * degree)]
    return adjacency(names, names, first + second)


def _graph_figures(
    name: str, graph: Neighbourhood, reference: str, vocabulary: Vocabulary
) -> Iterator[Figure]:
    topics = Random(7).sample(range(len(graph.nodes)), min(100, len(graph.nodes)))
    ready, asked = [], []
    for topic in topics:
        hood = around(graph, [topic], 3)
        automaton, seconds = timed(_ready, hood, 3, vocabulary)
        ready.append(seconds)
        asked.append(seconds + timed(_beams, automaton, Random(topic))[1])
    yield Figure(f"KG-Trie ready, {name}, 3 hops, full", _mean_worst(ready), reference)
    yield Figure(f"all masks of one question, {name}, 10 beams", _mean_worst(asked))


def _hub_figures(vocabulary: Vocabulary) -> Iterator[Figure]:
    hood = around(hub(10_213, 10), [0], 2)
    automaton, seconds = timed(_ready, hood, 2, vocabulary)
    yield Figure("KG-Trie ready, hub of degree 10,213, 2 hops", _ms(seconds), "7.4 s")
    _, seconds = timed(_beams, automaton, Random(1))
    yield Figure("all masks of one question at that hub, 10 beams", _ms(seconds))


def _mask_figures(vocabulary: Vocabulary) -> Iterator[Figure]:
    """Masks at the node site of hubs: cold (names tokenised, trie built) and warm."""
    for degree in (10, 100, 1_000, 10_000, 100_000):
        automaton = _ready(around(hub(degree, 10), [0], 2), 2, vocabulary)
        state, cold = timed(_at_choice, automaton)
        warm = median(timed(automaton.allow, state)[1] for _ in range(200))
        yield Figure(
            f"one mask, {10 * degree:,} paths, {degree:,} choices",
            f"cold {_ms(cold)} ({1e6 * cold / degree:.1f} µs a choice), warm {1e6 * warm:.0f} µs",
            ".02–192 ms",
        )


def _at_choice(automaton: Automaton) -> Any:
    """The first state where there is something to choose, its mask built."""
    _, state = automaton.forced(automaton.start())
    automaton.allow(state)
    return state


def _ready(hood: Neighbourhood, hops: int, vocabulary: Vocabulary) -> Automaton:
    start = Start(f" {hood.names[0]}", (0,))
    walks = Walks(hood, [start], hops=hops, revisit="simple", rendering="full")
    automaton: Automaton = TokenAutomaton(walks, vocabulary)
    automaton.allow(automaton.start())
    return automaton


def _beams(automaton: Automaton, random: Random, beams: int = 10) -> None:
    """Ten random sentences, a mask at every token."""
    for _ in range(beams):
        state = automaton.start()
        while True:
            automaton.allow(state)
            tokens = automaton.allowed(state)
            following = (
                automaton.advance(state, int(random.choice(tokens))) if len(tokens) else None
            )
            if following is None:
                break
            state = following


def timed(work: Callable[..., Any], *given: Any) -> tuple[Any, float]:
    """What some work gives, and the seconds it took."""
    began = time.perf_counter()
    result = work(*given)
    return result, time.perf_counter() - began


def _mean_worst(seconds: Sequence[float]) -> str:
    return f"{_ms(mean(seconds))}, worst {_ms(max(seconds))}"


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:.2f} ms"
