"""Grow: read the relationships that chains lack, in one call for all of them, and add them.

Source: DoG, equation 1: after a triple its nodes' triples belong to the subgraph too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from trellis.automata.chains.opening import Chains
from trellis.domain.chains import TripleChain
from trellis.domain.decoding import Sentence
from trellis.domain.graph import Neighbourhood, NodeId
from trellis.domain.ports import Graph
from trellis.steps.chains.settings import ChainSettings
from trellis.steps.chains.trim_hubs import trim_hubs

MOST_GROWN = 2_000
"""The most nodes that one growth reads: those of the likeliest chains come first."""


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
        chains = (value for sentence in begun for value in sentence.values)
        lacking = [chain.needs for chain in chains if isinstance(chain, TripleChain)]
        needed = list(dict.fromkeys(node for nodes in lacking for node in nodes))
        if len(needed) > MOST_GROWN:
            self._note(f"chains went on from {MOST_GROWN:,} of the nodes that they had reached")
        return needed[:MOST_GROWN]

    def _note(self, note: str) -> None:
        if note not in self.notes:
            self.notes.append(note)
