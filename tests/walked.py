"""KG-Tries of small random graphs, and prompts to decode in them."""

from __future__ import annotations

from random import Random

from trellis.automata.paths.adjacency import build_adjacency, cut_neighbourhood
from trellis.automata.paths.walks import Start, Walks
from trellis.domain.models.card import Rendering
from trellis.domain.models.prompt import Prompt
from trellis.steps.retrieve.paths.path_prompt import build_masked_path_prompt

RELATIONS = ("capital", "borders", "member of", "language", "currency", "continent", "river")
NAMES = ("France", "France", "Italy", "Nauru", "Côte d'Ivoire", "a -> b", "日本", "S. Tomé & P.")


def kg_trie(
    seed: int, *, hops: int = 2, rendering: Rendering = "relations", edges: int = 24
) -> Walks:
    """Walks from one node of a random graph, in which names and relations come up again."""
    random = Random(seed)
    names = [random.choice(NAMES) for _ in range(12)]
    triples = [
        (random.randrange(12), random.choice(RELATIONS), random.randrange(12)) for _ in range(edges)
    ]
    first = triples[0][0]
    near = cut_neighbourhood(
        build_adjacency([f"n{i}" for i in range(12)], names, triples), [first], hops
    )
    text = " ENT1" if rendering == "relations" else f" {names[first]}"
    start = Start(text, tuple(near.anchors.tolist()))
    return Walks(near, [start], hops=hops, revisit="any", rendering=rendering)


def prompt(seed: int) -> Prompt:
    """A question as the bundled model reads it."""
    words = Random(seed).sample(RELATIONS, 2)
    return build_masked_path_prompt(f"what is the {words[0]} of the {words[1]} of ENT1 ?")
