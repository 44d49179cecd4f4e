"""Opens the language of chains that some options ask for."""

from __future__ import annotations

from collections.abc import Sequence

from trellis.automata.chains.graph import ChainDelta, ChainGraph
from trellis.automata.chains.language import ChainOptions, SetChains
from trellis.automata.chains.named import NamedChains
from trellis.automata.chains.reasoned import ReasonedChains
from trellis.automata.paths.walks import Start
from trellis.domain.graphs.graph import Neighbourhood

Chains = SetChains | NamedChains


def open_chains(read: Neighbourhood, starts: Sequence[Start], options: ChainOptions) -> Chains:
    """The chains over a neighbourhood; the nodes of `starts` are numbered as there."""
    return build_chains(ChainGraph().make_delta((), read), starts, options)


def build_chains(first: ChainDelta, starts: Sequence[Start], options: ChainOptions) -> Chains:
    """The chains over what a graph that was empty has grown by."""
    graph = ChainGraph().extended(first)
    if options.rendering == "relations":
        return SetChains(graph, starts, options, (first,))
    kind = ReasonedChains if options.thought_tokens else NamedChains
    return kind(graph, starts, options, (first,))
