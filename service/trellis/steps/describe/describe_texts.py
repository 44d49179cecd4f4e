"""Writes what is known of described nodes as texts, for a model that reads them beside a question.

Source: GraphRAFT, section on the local subgraph reasoner, which reads the candidates' whole texts.
"""

from __future__ import annotations

from collections.abc import Sequence

from trellis.domain.ports import Graph
from trellis.linking.text import name_key
from trellis.steps.describe.describe_answers import RelationshipGroup, read_relationship_groups
from trellis.steps.retrieve.described.described_nodes import DescribedNode

_KINDS = 6  # kinds of relationships that are told


async def describe_texts(graph: Graph, described: Sequence[DescribedNode]) -> list[str]:
    """A text for each node, in their order: `ario (package). made with -> gtk. GTK client for …`.

    What relates it to what the question names comes first of its relationships. They come before
    its nearest passages, for a model that reads less cuts the end. The graph is read once.
    """
    ids = [each.match.node.id for each in described]
    named = {
        name_key(end.name): end.name
        for each in described
        for triple in each.backing
        for end in (triple.head, triple.tail)
        if end.id not in ids
    }
    groups = await read_relationship_groups(graph, ids, named)
    return [_describe_node(each, groups.get(each.match.node.id, ())) for each in described]


def _describe_node(described: DescribedNode, groups: Sequence[RelationshipGroup]) -> str:
    node = described.match.node
    labels = ", ".join(label.replace("_", " ").lower() for label in node.labels)
    around = "; ".join(group.describe_group() for group in groups[:_KINDS])
    passages = [each.text for each in described.match.passages]
    return ". ".join(filter(None, (f"{node.name} ({labels})", around, *passages)))
