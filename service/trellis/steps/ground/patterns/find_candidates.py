"""Candidates: what the parts of patterns may be in the graph, each with its distance.

Source: SimGRAG, sections 4.2 and 5.1. A mention may be the nodes that it was linked to. A relation
may be the type of that name, and the types whose words mean something near. A kind may be the label
of that name, else the labels whose words are near.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from trellis.domain.errors import NotIndexedError
from trellis.domain.graphs.links import Mention
from trellis.domain.identifiers import put_last_first, split_identifier
from trellis.domain.ports import Embedder, Graph
from trellis.domain.structures.patterns import LabelCandidates, NodeCandidates, RelationCandidates
from trellis.domain.structures.question_patterns import (
    MentionNode,
    PatternNode,
    QuestionPattern,
    UnknownNode,
)
from trellis.steps.link.anchors import list_anchor_ids
from trellis.steps.retrieve.patterns.retrieve_patterns import list_relation_types

MOST_TYPES = 16
"""The most relationship types, or labels, that words may stand for."""

NameDistances = Mapping[str, float]
"""The distances of names of the graph."""


@dataclass(frozen=True, slots=True)
class PatternCandidates:
    """What the parts of some patterns may be.

    `mentions`: by the mention's index. `relations`, `kinds`: by what is said; a kind that is left
    out fits any node. `note`: what was not looked for.
    """

    mentions: tuple[NodeCandidates, ...]
    relations: Mapping[str, RelationCandidates]
    kinds: Mapping[str, LabelCandidates]
    note: str = ""

    def measure_links(self, nodes: Iterable[PatternNode]) -> float:
        """The distance of the nodes that the mentions among some nodes are taken to mean."""
        mentions = (node.index for node in nodes if isinstance(node, MentionNode))
        return sum(min(self.mentions[index].distances) for index in mentions)

    def is_named(self, relation: str) -> bool:
        """Whether a relation is said by its own name in the graph, so that its direction counts."""
        given = self.relations.get(relation)
        return given is not None and relation in given.types


async def find_candidates(
    graph: Graph,
    embedder: Embedder | None,
    patterns: Sequence[QuestionPattern],
    mentions: Sequence[Mention],
) -> PatternCandidates:
    """The candidates of all parts of some patterns."""
    schema = await graph.schema()
    types, labels = list_relation_types(schema), [kind.label for kind in schema.labels]
    relations = sorted({triple.relation for each in patterns for triple in each.triples})
    kinds = _list_kinds(patterns) if len(labels) > 1 else []
    said = {text: _find_named(text, types) for text in relations}
    said_kinds = {text: _find_named(text, labels) for text in kinds}
    unnamed = [text for text, found in said_kinds.items() if not found]
    note = ""
    try:
        if embedder is None:
            raise NotIndexedError("there is no embedding model", "set TRELLIS_EMBEDDER")
        near = await _search_near(graph, embedder, relations, unnamed)
    except NotIndexedError as error:
        near = ([], [])
        missing = [text for text, found in (said | said_kinds).items() if not found]
        note = _write_note(missing, error) if missing else ""
    said |= _join_distances(said, relations, near[0])
    said_kinds |= _join_distances(said_kinds, unnamed, near[1])
    return PatternCandidates(
        tuple(map(list_mention_nodes, mentions)),
        {text: RelationCandidates(*_list_pairs(found)) for text, found in said.items()},
        {text: LabelCandidates(*_list_pairs(found)) for text, found in said_kinds.items()},
        note,
    )


def list_mention_nodes(mention: Mention) -> NodeCandidates:
    """The nodes that a mention was linked to; all that it is taken to mean are equally near."""
    anchors = set(list_anchor_ids(mention))
    whole = 1.0 if mention.best.is_similar else mention.score
    nearest = _measure_distance(mention.score / whole)
    distances = {
        link.node.id: nearest if link.node.id in anchors else _measure_distance(link.score / whole)
        for link in mention.links
    }
    return NodeCandidates(tuple(distances), tuple(distances.values()))


def _measure_distance(likeness: float) -> float:
    """The distance of two unit vectors with a cosine; 0 of a name that is said as it stands."""
    return math.sqrt(2 * max(0.0, 1 - likeness))


def _list_kinds(patterns: Iterable[QuestionPattern]) -> list[str]:
    nodes = (node for pattern in patterns for node in pattern.nodes)
    return sorted({node.kind for node in nodes if isinstance(node, UnknownNode) and node.kind})


def _find_named(text: str, names: Sequence[str]) -> NameDistances:
    """The name that a text is, else those that have the same words."""
    if text in names:
        return {text: 0.0}
    words = split_identifier(text)
    return {name: 0.0 for name in names if words and split_identifier(name) == words}


async def _search_near(
    graph: Graph, embedder: Embedder, relations: Sequence[str], kinds: Sequence[str]
) -> tuple[Sequence[NameDistances], Sequence[NameDistances]]:
    """For each text the names whose words are nearest."""
    texts = [" ".join(split_identifier(put_last_first(t))) or t for t in (*relations, *kinds)]
    vectors = await asyncio.to_thread(embedder.embed, texts)
    at = len(relations)
    types = await graph.search_relations_by_vector(vectors[:at], MOST_TYPES) if at else ()
    labels = await graph.search_labels_by_vector(vectors[at:], MOST_TYPES) if kinds else ()
    found = [
        [{near.name: near.distance for near in row} for row in rows] for rows in (types, labels)
    ]
    return found[0], found[1]


def _join_distances(
    named: Mapping[str, NameDistances], texts: Sequence[str], near: Sequence[NameDistances]
) -> dict[str, NameDistances]:
    """What texts name, beside what they are near to."""
    return {text: {**found, **named[text]} for text, found in zip(texts, near, strict=False)}


def _list_pairs(distances: NameDistances) -> tuple[tuple[str, ...], tuple[float, ...]]:
    return tuple(distances), tuple(distances.values())


def _write_note(missing: Sequence[str], error: NotIndexedError) -> str:
    texts = ", ".join(f"“{text}”" for text in missing[:3])
    return f"{texts} is no name of the graph, and nothing near was searched: {error.problem}"
