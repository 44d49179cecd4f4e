"""Graphs to measure on: real ones from their files, and synthetic ones with hubs."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from trellis.automata.paths.adjacency import build_adjacency
from trellis.domain.graphs.graph import Neighbourhood
from trellis.graph.loading.folder import FolderSource
from trellis.graph.loading.triples import TriplesSource


def read_triples(path: Path) -> Neighbourhood:
    """A triples file as adjacency arrays."""
    rows = [(row.start, row.type, row.end) for row in TriplesSource(path).read_relationships()]
    names = list(dict.fromkeys(name for head, _, tail in rows for name in (head, tail)))
    number = {name: i for i, name in enumerate(names)}
    return build_adjacency(names, names, ((number[h], r, number[t]) for h, r, t in rows))


def make_hub_graph(degree: int, fan: int) -> Neighbourhood:
    """A node with `degree` neighbours, each of which has `fan` neighbours of its own."""
    first = [(0, "hub_of", 1 + i) for i in range(degree)]
    second = [
        (1 + i, "leads_to", 1 + degree + (7 * i + j) % degree)
        for i in range(degree)
        for j in range(fan)
    ]
    names = [f"Node {degree} Number {i}" for i in range(1 + 2 * degree)]
    return build_adjacency(names, names, first + second)


def make_skewed_graph(nodes: int, edges: int, relations: int, seed: int = 1) -> Neighbourhood:
    """A random graph where few nodes have most relationships; three hops reach nearly all of it."""
    random = np.random.default_rng(seed)
    heads = (nodes * random.random(edges) ** 4).astype(int).tolist()
    tails = (nodes * random.random(edges) ** 2).astype(int).tolist()
    types = random.integers(0, relations, edges).tolist()
    names = [f"Person {i % 997} of Place {i}" for i in range(nodes)]
    kinds = [f"relation_{i}" for i in range(relations)]
    triples = ((h, kinds[r], t) for h, r, t in zip(heads, types, tails, strict=True))
    return build_adjacency(names, names, triples)


def read_folder(folder: Path) -> Neighbourhood:
    """A folder of node and relationship files as adjacency arrays."""
    source = FolderSource(folder)
    names = {node.key: str(node.properties.get("name", node.key)) for node in source.read_nodes()}
    number = {key: i for i, key in enumerate(names)}
    rows = ((number[r.start], r.type, number[r.end]) for r in source.read_relationships())
    return build_adjacency(list(names), list(names.values()), rows)
