"""Anchors: the nodes that a mention is taken to mean: those as good as the best of its links."""

from __future__ import annotations

from trellis.domain.graphs.graph import NodeId
from trellis.domain.graphs.links import Mention

_TIED = 0.95
"""Share of the best link's score from which a link is an anchor too: mostly nodes of one name."""


def list_anchor_ids(mention: Mention) -> list[NodeId]:
    """The nodes that a mention is taken to mean, best first."""
    return [link.node.id for link in mention.links if link.score >= _TIED * mention.score]
