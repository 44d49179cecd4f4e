"""Random small graphs and brute force for the laws of the core."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from hypothesis import strategies as st

from trellis.automata.paths.adjacency import build_adjacency, cut_neighbourhood
from trellis.domain.graphs.graph import Neighbourhood, Revisit, Step
from trellis.domain.models.card import Rendering

NAMES = (
    *("a", "a b", "ab", "a ", "A", "á", "a\u0301"),  # prefixes, and what some tokenizers equate
    *("a -> r", "-> r ->", " <- r s -> a", "& ENT1", "a & ENT2", "->"),  # separators
    *("Ünï ✓", "日本 語", "👩‍🚀", "\u202eabc", "ﷺ"),
    *('q"\n', "it's `r`", "\t\r\n", "\x00\x1b", "", " ", "\u200b"),
    *("<|end|>", "ENT1", "[UNK]", "</s> a", "▁a", "##b", "<0x0A>", "<|im_start|>user"),
)
RELATIONS = ("r", "r s", "rs", "-> r", "R", "<|end|>", "r\n& ENT2")


@dataclass(frozen=True)
class World:
    """A neighbourhood as edges (head, relation, tail), with how walks may go in it."""

    names: tuple[str, ...]
    edges: tuple[tuple[int, int, int], ...]
    anchors: tuple[int, ...]
    hops: int
    revisit: Revisit
    rendering: Rendering

    def neighbourhood(self) -> Neighbourhood:
        graph = build_adjacency(
            [f"n{i}" for i in range(len(self.names))],
            self.names,
            [(head, RELATIONS[relation], tail) for head, relation, tail in self.edges],
        )
        return cut_neighbourhood(graph, self.anchors, self.hops)

    def walks(self) -> Iterator[tuple[tuple[int, ...], tuple[Step, ...]]]:
        """Every walk of 1 to `hops` steps that `revisit` admits, by brute force."""
        steps = [(h, Step(RELATIONS[r]), t) for h, r, t in self.edges]
        steps += [(t, Step(RELATIONS[r], True), h) for h, r, t in self.edges]

        def grow(nodes: tuple[int, ...], said: tuple[Step, ...]) -> Iterator:
            if said:
                yield nodes, said
            if len(said) < self.hops:
                for source, step, target in steps:
                    if source == nodes[-1] and self._admits(nodes, target):
                        yield from grow((*nodes, target), (*said, step))

        for anchor in self.anchors:
            yield from grow((anchor,), ())

    def _admits(self, nodes: Sequence[int], target: int) -> bool:
        if self.revisit == "any":
            return True
        return target != nodes[0] if self.revisit == "not_topic" else target not in nodes


def random_world(seed: int) -> World:
    """A world with a few walks in it; seeds spread evenly over all settings."""
    random = Random(seed)
    n = random.randint(2, 5)
    edges = [
        (random.randrange(n), random.randrange(len(RELATIONS)), random.randrange(n))
        for _ in range(random.randint(2, 7))
    ]
    return World(
        names=tuple(random.choice(NAMES) for _ in range(n)),
        edges=tuple(edges),
        anchors=tuple(random.sample(range(n), random.randint(1, 2))),
        hops=random.choice((1, 2, 3, 3)),
        revisit=random.choice(("any", "not_topic", "simple")),
        rendering=random.choice(("full", "relations")),
    )


def worlds() -> st.SearchStrategy[World]:
    return st.integers(0, 2**32).map(random_world)
