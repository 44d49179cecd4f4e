"""Grow: read the relationships that chains lack, in one call for all of them, and add them.

Source: DoG, equation 1: after a triple its nodes' triples belong to the subgraph too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from trellis.automata.chains.opening import Chains
from trellis.domain.graphs.graph import Neighbourhood, NodeId
from trellis.domain.models.decoding import Sentence
from trellis.domain.ports import Graph
from trellis.steps.retrieve.chains.settings import ChainSettings
from trellis.steps.retrieve.chains.trim_hubs import trim_hubs

MOST_GROWN = 2_000
"""About the most nodes that one growth reads, shared among the chains by their probability."""

_LEAST_GROWN = 50
"""The nodes of a chain that are read however improbable it is, to see what goes on from it."""

_LIKELY = 0.05
"""A cut is told of a chain that is at least this share as probable as the best: others hardly
win."""


@dataclass
class ChainGrowth:
    """Reads what the chains of one question lack; what is cut is added to `notes`.

    `edge_budget`: the entries that one call may read.
    """

    graph: Graph
    question: str
    edge_budget: int
    settings: ChainSettings
    notes: list[str] = field(default_factory=list)

    async def grow(self, language: Chains, begun: Sequence[Sentence]) -> Chains:
        """The language in which the chains that were begun, best first, can go on."""
        needed = self._list_needed(begun)
        if not needed:
            return language
        read = await self.read_rows(needed, 1)
        return language.extended(language.graph.make_delta(needed, read))

    async def read_rows(self, nodes: Sequence[NodeId], hops: int) -> Neighbourhood:
        """What is up to `hops` from some nodes, within the budget; of hubs what is relevant."""
        is_named = self.settings.rendering == "full"
        read = await self.graph.neighbourhood(
            nodes, hops, edge_budget=self.edge_budget, names=is_named
        )
        if read.cut:
            self._note(f"the graph around the chains was cut at {self.edge_budget:,} entries")
        return trim_hubs(read, self.question, self.notes) if is_named else read

    def _list_needed(self, begun: Sequence[Sentence]) -> list[NodeId]:
        """The nodes to read: of each chain what it lacks, within a share of the budget."""
        needed = dict[NodeId, None]()
        for sentence, share in zip(begun, _share_out(begun), strict=True):
            lacking = dict.fromkeys(node for chain in sentence.values for node in chain.needs)
            most = max(_LEAST_GROWN, int(MOST_GROWN * share))
            needed |= dict.fromkeys(list(lacking)[:most])
            if len(lacking) > most and share >= _LIKELY * max(_share_out(begun)):
                self._note(
                    f"a chain went on from {most:,} of the {len(lacking):,} nodes it reached"
                )
        return list(needed)

    def _note(self, note: str) -> None:
        if note not in self.notes:
            self.notes.append(note)


def _share_out(begun: Sequence[Sentence]) -> list[float]:
    """The probability of each chain, as a share of that of all."""
    best = max((each.score for each in begun), default=0.0)
    weights = [math.exp(each.score - best) for each in begun]
    return [weight / sum(weights) for weight in weights]
