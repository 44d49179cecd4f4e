"""The Triple-GNN: a graph network that scores entities for a schema graph.

Source: STEM, section 3.3 and appendix A. Relations walked backwards have vectors of their own,
which is ours: the graph is directed, and messages go both ways.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from trellis.domain.graphs.graph import Neighbourhood


@dataclass(frozen=True, eq=False, slots=True)
class EntityGraph:
    """A neighbourhood as tensors (n nodes, m entries).

    `sources`, `targets` [m]: rows of nodes; a message goes from source to target along `keys` [m],
    which is `2 * type + direction`. `shares` [n, 1]: one over the number of messages that a node
    gets.
    """

    nodes: int
    sources: Tensor
    targets: Tensor
    keys: Tensor
    shares: Tensor

    @classmethod
    def of(cls, around: Neighbourhood) -> EntityGraph:
        count = len(around.nodes)
        sizes = _read_numbers(around.offsets).diff()
        targets = _read_numbers(around.targets)
        counts = torch.bincount(targets, minlength=count).clamp(min=1)
        return cls(
            count,
            torch.repeat_interleave(torch.arange(count), sizes),
            targets,
            2 * _read_numbers(around.types) + _read_numbers(around.directions),
            (1.0 / counts)[:, None],
        )


def _read_numbers(array: NDArray[np.integer]) -> Tensor:
    """An array as numbers of 64 bits; it may be read-only."""
    return torch.from_numpy(array.astype(np.int64))


class TripleGnn(nn.Module):
    """`dimensions`: of the embedder's vectors; `width`: of the network's own; `layers`: how far
    messages go."""

    def __init__(self, dimensions: int, width: int, layers: int) -> None:
        super().__init__()
        self.width = width
        self.triple = nn.Linear(3 * dimensions, width)
        self.relation = nn.Linear(dimensions, 2 * width)
        self.relations = nn.ModuleList(
            nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, width))
            for _ in range(layers)
        )
        self.updates = nn.ModuleList(
            nn.Sequential(nn.Linear(2 * width, width), nn.LayerNorm(width), nn.ReLU())
            for _ in range(layers)
        )
        self.score = nn.Linear(width, 1)

    def forward(
        self, graph: EntityGraph, relations: Tensor, triples: Tensor, anchors: Tensor
    ) -> Tensor:
        """The logit of each entity [n] that it is meant.

        `relations` [types, d], `triples` [t, 3, d], `anchors` [a]: rows of nodes.
        """
        asked = self.triple(triples.flatten(1)).mean(0)  # w
        own = self.relation(relations).view(-1, self.width)  # 2 types, w
        hidden = torch.zeros(graph.nodes, self.width)
        hidden[anchors] = asked
        for relation, update in zip(self.relations, self.updates, strict=True):
            messages = hidden[graph.sources] * relation(own)[graph.keys]  # m, w: DistMult
            pooled = torch.zeros_like(hidden).index_add(0, graph.targets, messages) * graph.shares
            hidden = update(torch.cat((hidden, pooled), 1))
        return cast(Tensor, self.score(hidden)).squeeze(1)
