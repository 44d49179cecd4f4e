"""Finds the nodes that a question describes, and ranks them.

Source: GraphRAFT, where answers have texts (STaRK): what a node's text says and what it is related
to count together. A node's score is how near its text is to the question, by meaning and by words,
and more for each relationship to a node that the question names; one of few nodes counts more. A
name that was linked wrongly costs little: it restricts nothing.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from trellis.domain.graph import Neighbourhood, Node, NodeId, Triple
from trellis.domain.links import Link, Mention, StoredValue
from trellis.domain.ports import Embedder, Graph
from trellis.domain.texts import TextKind, TextMatch, TextSearch
from trellis.linking.ordinary_words import ORDINARY_WORDS

_WORDS = 0.2  # weight of words, beside that of meaning
_RELATED = 0.4  # weight of a relationship to a node of one neighbour; of all nodes it is 0
_SIMILAR = ("text", "vector")  # how searching finds names that are like a text
_SAME = 0.9  # score from which a link to part of a name counts
_MOST_ANCHORS = 20  # nodes of one name
_MOST_NEAR = 1_000  # neighbours of a node that are judged though their texts are unlike
_EDGES = 20_000  # relationships that are read


@dataclass(frozen=True, slots=True)
class DescribedNode:
    """A node that a question may describe.

    `score`: how well it fits, from 0 to about 2. `backing`: its relationships to nodes that the
    question names.
    """

    match: TextMatch
    score: float
    backing: tuple[Triple, ...] = ()

    @property
    def ends(self) -> frozenset[NodeId]:
        """The nodes of its relationships."""
        return frozenset(end.id for triple in self.backing for end in (triple.head, triple.tail))


@dataclass(frozen=True, slots=True)
class Description:
    """What a question describes: `nodes`, best first; `topics`: the nodes with texts that it names
    itself, nearest first; `names`: what it says as it is stored, with the ids of what it means;
    `places`: by node that it names, where in the question."""

    nodes: tuple[DescribedNode, ...] = ()
    topics: tuple[TextMatch, ...] = ()
    names: Mapping[str, frozenset[NodeId]] = field(default_factory=dict)
    places: Mapping[NodeId, Sequence[int]] = field(default_factory=dict)

    def keep_labels(self, labels: Collection[str]) -> Description:
        """The same with nodes of some labels alone; with all where there are none."""
        if not labels:
            return self
        kept = (each for each in self.nodes if not set(labels).isdisjoint(each.match.node.labels))
        return replace(self, nodes=tuple(kept))

    def list_used(
        self, mentions: Sequence[Mention], nodes: Collection[NodeId]
    ) -> tuple[Mention, ...]:
        """The mentions that mean one of some nodes."""
        used = {place for node in nodes for place in self.places.get(node, ())}
        return tuple(mention for mention in mentions if mention.start in used)


@dataclass(frozen=True, slots=True)
class _Named:
    """What is around the nodes that a question names.

    `triples`: by node, its relationships to them. `mentions`: by named node, where in the question
    it is named. `weights`: what a relationship to it counts.
    """

    triples: Mapping[NodeId, Sequence[Triple]]
    mentions: Mapping[NodeId, Sequence[int]]
    weights: Mapping[NodeId, float]

    def weigh(self, node: NodeId) -> float:
        """What a node's relationships to named nodes count; of those of one mention the best."""
        best: dict[int, float] = {}
        for triple in self.triples.get(node, ()):
            for end in (triple.head.id, triple.tail.id):
                for mention in self.mentions.get(end, ()):
                    best[mention] = max(best.get(mention, 0.0), self.weights[end])
        return math.fsum(best.values())


def drop_texts(mentions: Sequence[Mention], kinds: Sequence[TextKind]) -> list[Mention]:
    """The mentions without those of whole texts: a text is described, and no name."""
    texts = {(kind.label, kind.property) for kind in kinds}
    named = [
        replace(mention, links=tuple(link for link in mention.links if not _is_text(link, texts)))
        for mention in mentions
    ]
    return [mention for mention in named if mention.links]


def _is_text(link: Link, texts: Collection[tuple[str, str]]) -> bool:
    target = link.target
    return isinstance(target, StoredValue) and (target.label, target.property) in texts


async def retrieve_described(
    question: str, mentions: Sequence[Mention], graph: Graph, embedder: Embedder | None
) -> Description:
    """What a question may describe; nothing where no texts are indexed."""
    texts = await graph.indexed_texts()
    if not texts.kinds:
        return Description()
    labels = frozenset(kind.label for kind in texts.kinds)
    named = await _read_named(mentions, graph, labels)
    vector = None
    if embedder is not None and texts.has_vectors:
        vector = (await asyncio.to_thread(embedder.embed, [question]))[0]
    among = tuple(dict.fromkeys((*named.mentions, *named.triples)))
    found = await graph.search_texts(TextSearch(question, vector, among))
    most = max((match.words for match in found), default=0.0) or 1.0
    described = [
        DescribedNode(
            match,
            _score_text(match, most) + named.weigh(match.node.id),
            tuple(named.triples.get(match.node.id, ())),
        )
        for match in found
        if match.node.id not in named.mentions
    ]
    topics = [match for match in found if match.node.id in named.mentions]
    return Description(
        tuple(sorted(described, key=lambda each: (-each.score, each.match.node.name))),
        tuple(sorted(topics, key=lambda each: (-each.closeness, each.node.name))),
        _collect_names(mentions, named),
        named.mentions,
    )


def _collect_names(mentions: Sequence[Mention], named: _Named) -> Mapping[str, frozenset[NodeId]]:
    """What the question says as it is stored, with the shape of a name, and what it means."""
    said = {m.start: m.text for m in mentions if _has_name_shape(m.text)}
    meant: dict[str, set[NodeId]] = {}
    for node, starts in named.mentions.items():
        for start in starts:
            if start in said:
                meant.setdefault(said[start], set()).add(node)
    return {text: frozenset(nodes) for text, nodes in meant.items()}


def _has_name_shape(text: str) -> bool:
    return not text.islower() or "-" in text


def _score_text(match: TextMatch, most_words: float) -> float:
    return (1 - _WORDS) * match.closeness + _WORDS * match.words / most_words


async def _read_named(mentions: Sequence[Mention], graph: Graph, labels: Collection[str]) -> _Named:
    """What is around the nodes that a question names; `labels`: of those that have texts."""
    pairs = [
        (mention.start, link.stored)
        for mention in mentions
        for link in mention.links
        if _is_named(mention, link, labels)
    ]
    holders = await graph.find_holders([value for _, value in pairs], _MOST_ANCHORS)
    by_node: dict[NodeId, list[int]] = {}
    for (start, _), nodes in zip(pairs, holders, strict=True):
        for node in nodes or ():
            by_node.setdefault(node, []).append(start)
    if not by_node:
        return _Named({}, {}, {})
    around = await graph.neighbourhood(tuple(by_node), 1, edge_budget=_EDGES, names=True)
    triples, weights = _collect_triples(around, (await graph.schema()).nodes)
    return _Named(triples, by_node, weights)


def _is_named(mention: Mention, link: Link, labels: Collection[str]) -> bool:
    """Whether a mention names what it is linked to: texts are full of ordinary words, so one of
    these names no other node that has texts, and what is merely similar names nothing."""
    if not isinstance(link.target, StoredValue) or link.how in _SIMILAR or link.score < _SAME:
        return False
    is_ordinary = mention.text.lower() in ORDINARY_WORDS
    return bool(link.stored.label) and not (is_ordinary and link.stored.label in labels)


def _collect_triples(
    around: Neighbourhood, nodes: int
) -> tuple[Mapping[NodeId, Sequence[Triple]], Mapping[NodeId, float]]:
    triples: dict[NodeId, list[Triple]] = {}
    weights: dict[NodeId, float] = {}
    known = [Node(id_, name) for id_, name in zip(around.nodes, around.names, strict=True)]
    for row in around.anchors.tolist():
        entries = list(around.entries_of(row))
        neighbours = len({entry.target for entry in entries})
        weights[known[row].id] = _RELATED * _measure_rarity(neighbours, nodes)
        for entry in entries if neighbours <= _MOST_NEAR else ():
            ends = (known[row], known[entry.target])
            head, tail = ends if entry.outgoing else ends[::-1]
            triples.setdefault(known[entry.target].id, []).append(
                Triple(head, entry.relation, tail)
            )
    return triples, weights


def _measure_rarity(neighbours: int, nodes: int) -> float:
    """From 1, of a node with one neighbour, to 0, of one with all nodes."""
    return 1 - math.log(max(1, neighbours)) / math.log(max(2, nodes))
