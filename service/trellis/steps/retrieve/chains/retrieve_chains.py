"""Retrieve: read the triples of the linked nodes in one call, and open the language of chains.

Source: DoG, section 2.3: the query-centric subgraph begins with all triples of the query's nodes.
"""

from __future__ import annotations

from collections.abc import Sequence

from trellis.automata.chains.opening import Chains, open_chains
from trellis.automata.paths.walks import Start
from trellis.domain.graphs.graph import Neighbourhood
from trellis.domain.graphs.links import Mention
from trellis.steps.link.anchors import list_anchor_ids
from trellis.steps.link.mask_mentions import mention_placeholder
from trellis.steps.retrieve.chains.grow_chains import ChainGrowth


async def retrieve_chains(growth: ChainGrowth, mentions: Sequence[Mention]) -> Chains:
    """The chains from the mentions' anchors, over what is read ahead of the first triple."""
    anchors = [anchor for mention in mentions for anchor in list_anchor_ids(mention)]
    settings = growth.settings
    read = await growth.read_rows(list(dict.fromkeys(anchors)), settings.ahead)
    return open_chains(read, _list_starts(read, mentions), settings.options)


def _list_starts(read: Neighbourhood, mentions: Sequence[Mention]) -> list[Start]:
    """For each mention what a chain may start from; those that the graph does not have any more
    are left out."""
    index = {read.nodes[i]: int(i) for i in read.anchors}
    nodes = [
        tuple(index[node] for node in list_anchor_ids(mention) if node in index)
        for mention in mentions
    ]
    return [
        Start(f" {mention_placeholder(number)}", rows, number)
        for number, rows in enumerate(nodes)
        if rows
    ]
