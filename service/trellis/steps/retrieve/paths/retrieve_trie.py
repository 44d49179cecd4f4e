"""Retrieve: read the neighbourhood of the mentions in one call, and build the KG-Trie over it.

Source: GCR, section 4.1. The trie is a language over the neighbourhood; its paths are never listed.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from trellis.automata.paths.walks import Start, Walks
from trellis.domain.graphs.graph import Neighbourhood, NodeId
from trellis.domain.graphs.links import Mention
from trellis.domain.ports import Graph
from trellis.steps.link.anchors import list_anchor_ids
from trellis.steps.link.mask_mentions import mention_placeholder
from trellis.steps.retrieve.paths.settings import PathSettings
from trellis.steps.retrieve.paths.wider_paths import list_path_texts


async def retrieve_trie(
    graph: Graph, mentions: Sequence[Mention], settings: PathSettings, edge_budget: int
) -> Walks:
    """The KG-Trie of the mentions' anchors, up to the hops that the model was trained for."""
    anchors = [anchor for mention in mentions for anchor in list_anchor_ids(mention)]
    full = settings.rendering == "full"
    neighbourhood = await graph.neighbourhood(
        list(dict.fromkeys(anchors)), settings.hops, edge_budget=edge_budget, names=full
    )
    schema = await graph.schema()
    texts = list_path_texts(schema, settings)
    return build_trie(neighbourhood, mentions, settings, texts, schema.list_like_relations())


def build_trie(
    neighbourhood: Neighbourhood,
    mentions: Sequence[Mention],
    settings: PathSettings,
    alphabet: Sequence[str] = (),
    like: Collection[str] = (),
) -> Walks:
    """The KG-Trie over a neighbourhood that holds the mentions' anchors.

    `alphabet`: all texts of paths over the graph (`list_path_texts`). `like`: as of `Walks`.
    """
    index = {neighbourhood.nodes[i]: int(i) for i in neighbourhood.anchors}
    starts = [
        Start(text, tuple(index[node] for node in nodes if node in index), number)
        for number, mention in enumerate(mentions)
        for text, nodes in _group_anchors_by_text(mention, number, settings).items()
    ]
    return Walks(
        neighbourhood,
        [start for start in starts if start.nodes],
        hops=settings.hops,
        revisit=settings.revisit,
        rendering=settings.rendering,
        meets=settings.meets,
        alphabet=alphabet,
        like=like,
    )


def _group_anchors_by_text(
    mention: Mention, number: int, settings: PathSettings
) -> dict[str, list[NodeId]]:
    """The texts with which a walk from a mention may begin, each with its nodes."""
    if settings.rendering == "relations":
        return {f" {mention_placeholder(number)}": list_anchor_ids(mention)}
    by_text: dict[str, list[NodeId]] = {}
    anchors = set(list_anchor_ids(mention))
    for link in mention.links:
        if link.node.id in anchors:
            by_text.setdefault(f" {link.node.name}", []).append(link.node.id)
    return by_text
