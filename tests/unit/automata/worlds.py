"""Random small graphs, tokenizers and brute force for the laws of the core."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random

from hypothesis import strategies as st
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

from trellis.automata.adjacency import adjacency, around
from trellis.automata.vocabulary import TokenizerVocabulary
from trellis.domain.values import Neighbourhood, Rendering, Revisit, Step

NAMES = ("a", "a b", "ab", "a -> r", "Ünï ✓", 'q"\n', "", "a", "-> r ->", "& ENT1")
RELATIONS = ("r", "r s", "rs", "-> r")


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
        graph = adjacency(
            [f"n{i}" for i in range(len(self.names))],
            self.names,
            [(head, RELATIONS[relation], tail) for head, relation, tail in self.edges],
        )
        return around(graph, self.anchors, self.hops)

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


@cache
def vocabulary(kind: str) -> TokenizerVocabulary:
    """A real tokenizer trained on a few lines: byte-level BPE, or one that merges across words."""
    byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=kind == "bpe")
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = byte_level
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=320,
        special_tokens=["<|end|>", "ENT1"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    lines = [f" {name} -> {relation}" for name in NAMES for relation in RELATIONS]
    tokenizer.train_from_iterator(lines * 3, trainer)
    return TokenizerVocabulary(tokenizer, ends=[0])
