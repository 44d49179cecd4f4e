"""Finds the nodes that a question describes, and ranks them.

Source: GraphRAFT, where answers have texts (STaRK): what a node's text says and what it is related
to count together. A node's score is how near its text is to the question, by meaning and by words,
and more for each relationship to a node that the question names; one of few nodes counts more. A
name that was linked wrongly costs little: it restricts nothing.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from trellis.domain.graphs.graph import Neighbourhood, Node, NodeId, Triple
from trellis.domain.graphs.links import Link, Mention, StoredValue
from trellis.domain.graphs.schema import Schema
from trellis.domain.graphs.texts import IndexedTexts, TextKind, TextMatch, TextSearch
from trellis.domain.ports import Embedder, Graph
from trellis.linking.names.ordinary_words import ORDINARY_WORDS
from trellis.steps.link.question_form import QuestionForm

_WORDS = 0.2  # weight of words, beside that of meaning
_RELATED = 0.4  # weight of a relationship to a node of one neighbour; of all nodes it is 0
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

    @property
    def is_about_topic(self) -> bool:
        """Whether the text of a node that the question names is nearer to it than all others."""
        if not self.topics or not self.topics[0].passages:
            return False
        others = max((each.match.closeness for each in self.nodes), default=-1.0)
        return self.topics[0].closeness > others

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
    form: QuestionForm,
    texts: IndexedTexts,
    graph: Graph,
    embedder: Embedder | None,
    asked: Collection[str] = (),
) -> Description:
    """What a question may describe of the nodes with `texts`. `asked`: the labels of the
    nodes that it asks for, where it tells: names that none of these can be related to count over
    one node between."""
    named = await _read_named(form, graph, texts.labels, asked)
    vector = None
    if embedder is not None and texts.has_vectors:
        vector = (await asyncio.to_thread(embedder.embed, [form.text]))[0]
    among = tuple(dict.fromkeys((*named.mentions, *named.triples)))
    found = await graph.search_texts(TextSearch(form.text, vector, among))
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
        _collect_names(form.mentions, named),
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


async def _read_named(
    form: QuestionForm, graph: Graph, labels: Collection[str], asked: Collection[str]
) -> _Named:
    """What is around the nodes that a question names; `labels`: of those that have texts."""
    pairs = [
        (mention.start, link.stored)
        for mention in form.mentions
        for link in mention.links
        if _is_named(mention, link, labels)
    ]
    holders = await graph.find_holders([value for _, value in pairs], _MOST_ANCHORS)
    by_node: dict[NodeId, list[int]] = {}
    by_hops: dict[int, list[NodeId]] = {}
    for (start, value), nodes in zip(pairs, holders, strict=True):
        hops = 1 if not asked or may_join(form.schema, value.label, asked) else 2
        by_hops.setdefault(hops, []).extend(nodes or ())
        for node in nodes or ():
            by_node.setdefault(node, []).append(start)
    triples: dict[NodeId, list[Triple]] = {}
    weights: dict[NodeId, float] = {}
    for hops, anchors in by_hops.items():
        if anchors:
            distinct = tuple(dict.fromkeys(anchors))
            around = await graph.neighbourhood(distinct, hops, edge_budget=_EDGES, names=True)
            await asyncio.to_thread(_add_ways, around, form.schema.nodes, triples, weights)
    return _Named(triples, by_node, weights)


def may_join(schema: Schema, label: str, others: Collection[str]) -> bool:
    """Whether a relationship may join nodes of a label to those of some others."""
    ends = ({kind.start_label, kind.end_label} for kind in schema.relationships)
    return any(label in pair and not pair.isdisjoint(others) for pair in ends)


def _is_named(mention: Mention, link: Link, labels: Collection[str]) -> bool:
    """Whether a mention names what it is linked to: texts are full of ordinary words, so one of
    these names no other node that has texts, and what is merely similar names nothing."""
    if not isinstance(link.target, StoredValue) or link.is_similar or link.score < _SAME:
        return False
    is_ordinary = mention.text.lower() in ORDINARY_WORDS
    return bool(link.stored.label) and not (is_ordinary and link.stored.label in labels)


def _add_ways(
    around: Neighbourhood,
    nodes: int,
    triples: dict[NodeId, list[Triple]],
    weights: dict[NodeId, float],
) -> None:
    """Add what joins the neighbourhood's nodes to its anchors, and what each anchor weighs."""
    known = [Node(id_, name) for id_, name in zip(around.nodes, around.names, strict=True)]
    for row in around.anchors.tolist():
        ways = list_ways(around, known, row)
        weights[known[row].id] = _RELATED * _measure_rarity(len(ways), nodes)
        for target, way in ways.items() if len(ways) <= _MOST_NEAR else ():
            triples.setdefault(known[target].id, []).extend(way)


def list_ways(
    around: Neighbourhood, known: Sequence[Node], row: int
) -> Mapping[int, Sequence[Triple]]:
    """What joins each node to an anchor: relationships, or of two hops the first way of two."""
    ways: dict[int, list[Triple]] = {}
    for target, triple in _iterate_triples(around, known, row):
        ways.setdefault(target, []).append(triple)
    if around.hops == 1:
        return ways
    behind: dict[int, list[Triple]] = {}
    for middle, first in ways.items():
        for target, triple in _iterate_triples(around, known, middle):
            if target != row and target not in ways:
                behind.setdefault(target, [first[0], triple])
    return behind


def _iterate_triples(
    around: Neighbourhood, known: Sequence[Node], row: int
) -> Iterator[tuple[int, Triple]]:
    """The relationships of a node, with the row of the other end."""
    for entry in around.entries_of(row):
        ends = (known[row], known[entry.target])
        head, tail = ends if entry.outgoing else ends[::-1]
        yield entry.target, Triple(head, entry.relation, tail)


def _measure_rarity(neighbours: int, nodes: int) -> float:
    """From 1, of a node with one neighbour, to 0, of one with all nodes."""
    return 1 - math.log(max(1, neighbours)) / math.log(max(2, nodes))
