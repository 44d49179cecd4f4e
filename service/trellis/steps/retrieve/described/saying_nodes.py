"""Finds the nodes whose texts say what a question wants them to say, and that are related to what
it names.

A full-text index finds the texts that have the words; each text is then read, because an index
does not show where they stand, and knows other words by the same stem.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from trellis.domain.graphs.graph import Node, NodeId, Triple
from trellis.domain.graphs.links import Mention
from trellis.domain.graphs.texts import Passage, TextKind, TextMatch
from trellis.domain.ports import Graph
from trellis.linking.questions.text_conditions import SaidPhrase, TextCondition
from trellis.steps.retrieve.described.described_nodes import list_ways, may_join
from trellis.steps.retrieve.described.sentences import cut_around

MOST_TEXTS = 5_000
"""Texts that are read for one phrase."""

_MOST_NAMED = 10_000  # nodes of one name, or with one value
_EDGES = 100_000  # relationships that are read around them


@dataclass(frozen=True, slots=True)
class SayingNode:
    """A node whose texts say what they should: the passages that show it, one for each phrase, and
    what relates it to what the question names."""

    node: Node
    passages: tuple[Passage, ...]
    triples: tuple[Triple, ...] = ()


@dataclass(frozen=True, slots=True)
class SayingNodes:
    """All nodes that say it, best first. `is_cut`: whether not all texts with its words were
    read."""

    nodes: tuple[SayingNode, ...]
    is_cut: bool = False


async def find_saying_nodes(
    condition: TextCondition, kinds: Collection[TextKind], graph: Graph
) -> SayingNodes:
    """The nodes of which texts of some kinds say all phrases of a condition, or one of them."""
    found = await asyncio.gather(
        *(graph.find_texts(phrase.text, MOST_TEXTS) for phrase in condition.phrases)
    )
    said = await asyncio.to_thread(
        lambda: [
            _keep_saying(phrase, matches, kinds)
            for phrase, matches in zip(condition.phrases, found, strict=True)
        ]
    )
    joined: dict[NodeId, list[SayingNode]] = {}
    for each in said:
        for node in each:
            joined.setdefault(node.node.id, []).append(node)
    least = 1 if condition.is_choice else len(condition.phrases)
    nodes = (_join(those) for those in joined.values() if len(those) >= least)
    return SayingNodes(tuple(nodes), any(len(matches) >= MOST_TEXTS for matches in found))


def _keep_saying(
    phrase: SaidPhrase, matches: Sequence[TextMatch], kinds: Collection[TextKind]
) -> list[SayingNode]:
    """The nodes whose texts say a phrase, each with the first passage that does."""
    said = ((match.node, _find_passage(phrase, match, kinds)) for match in matches)
    return [SayingNode(node, (passage,)) for node, passage in said if passage]


def _find_passage(
    phrase: SaidPhrase, match: TextMatch, kinds: Collection[TextKind]
) -> Passage | None:
    for text in match.passages:
        if any(TextKind(label, text.property) in kinds for label in match.node.labels):
            place = phrase.find(text.text)
            if place is not None:
                return cut_around(text, *place)
    return None


def _join(those: Sequence[SayingNode]) -> SayingNode:
    return replace(those[0], passages=tuple(passage for each in those for passage in each.passages))


async def keep_related(
    found: SayingNodes, names: Sequence[Mention], labels: Collection[str], graph: Graph
) -> SayingNodes | None:
    """Those that are related to all that a question names, or have it as a value. `labels`: of the
    nodes that it asks for. None where the graph around a name is too large to be read."""
    kept = found.nodes
    for mention in names:
        ways = await _read_around(mention, labels, graph)
        if ways is None:
            return None
        kept = tuple(
            replace(each, triples=(*each.triples, *ways[each.node.id]))
            for each in kept
            if each.node.id in ways
        )
    return SayingNodes(kept, found.is_cut)


async def _read_around(
    mention: Mention, labels: Collection[str], graph: Graph
) -> Mapping[NodeId, Sequence[Triple]] | None:
    """What joins each node to what a mention names; nothing for nodes that have it as a value."""
    values = [link.stored for link in mention.links]
    schema = await graph.schema()
    ways: dict[NodeId, Sequence[Triple]] = {}
    for value, holders in zip(values, await graph.find_holders(values, _MOST_NAMED), strict=True):
        if holders is None:
            return None
        kind = schema.label(value.label)
        if value.label in labels and kind and kind.naming != value.property:
            ways.update(dict.fromkeys(holders, ()))
            continue
        hops = 1 if may_join(schema, value.label, labels) else 2
        around = await graph.neighbourhood(tuple(holders), hops, edge_budget=_EDGES, names=True)
        if around.cut:
            return None
        known = [Node(id_, name) for id_, name in zip(around.nodes, around.names, strict=True)]
        for row in around.anchors.tolist():
            for target, way in (await asyncio.to_thread(list_ways, around, known, row)).items():
                ways.setdefault(known[target].id, way)
    return ways
