"""Guide: the entities that a model of task `guidance` finds most likely for each candidate.

Source: STEM, section 3.3: the 4 |T| best entities of the neighbourhood are the nodes of the global
guidance subgraph of a schema graph with |T| triples.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trellis.domain.errors import GuidanceMismatchError
from trellis.domain.graphs.graph import Neighbourhood, NodeId
from trellis.domain.graphs.links import Mention
from trellis.domain.graphs.schema import Schema
from trellis.domain.identifiers import put_last_first, split_identifier
from trellis.domain.models.guidance import GuidanceQuery
from trellis.domain.ports import Embedder, Graph, GuidanceModel
from trellis.domain.structures.question_patterns import MentionNode, PatternNode, QuestionPattern
from trellis.steps.link.anchors import list_anchor_ids
from trellis.steps.retrieve.schema_graphs.compare_schema import share_of_relations
from trellis.steps.retrieve.schema_graphs.settings import GuidanceSettings

ENTITIES_A_TRIPLE = 4
"""How many entities the guidance subgraph has for each triple of the schema graph (K / |T|)."""

_LEAST_SHARED = 0.5
"""Share of relationship types from which a graph is the one that a model was trained on, changed
since then, rather than another one."""

TripleTexts = tuple[str, str, str]
"""The texts of a triple's head, relation and tail."""


@dataclass(frozen=True, slots=True)
class Guidance:
    """For each candidate the nodes of its guidance subgraph; `threshold`: of its T-scores, where
    there are some; `notes`: why there are none."""

    nodes: Sequence[tuple[NodeId, ...]]
    threshold: float | None = None
    notes: tuple[str, ...] = ()


async def guide_entities(
    graph: Graph,
    guide: GuidanceModel | None,
    embedder: Embedder,
    patterns: Sequence[QuestionPattern],
    mentions: Sequence[Mention],
    edge_budget: int,
    entities: int = ENTITIES_A_TRIPLE,
) -> Guidance:
    """The guidance of some patterns, of so many `entities` for each of their triples. Without a
    model, or with one that does not fit the graph, it is empty, and a note says why."""
    nothing = [() for _ in patterns]
    if not patterns:
        return Guidance(nothing)
    if guide is None:
        return Guidance(
            nothing, notes=("no model does task 'guidance': traces follow words alone",)
        )
    settings = guide.card.settings(GuidanceSettings)
    try:
        check_guidance(settings, await graph.schema(), embedder)
    except GuidanceMismatchError as error:
        return Guidance(nothing, notes=(f"{error.problem}: traces follow words alone",))
    anchors = dict.fromkeys(id for mention in mentions for id in list_anchor_ids(mention))
    around = await graph.neighbourhood(
        list(anchors), settings.hops, edge_budget=edge_budget, names=False
    )
    if not len(around.nodes):
        return Guidance(nothing)
    texts = [list_triple_texts(pattern, mentions) for pattern in patterns]
    words = list(map(write_relation_words, around.relation_types))
    vectors = await _embed_texts(
        embedder, [*words, *(t for those in texts for x in those for t in x)]
    )
    queries = [
        GuidanceQuery(_stack_triples(those, vectors), _find_anchor_rows(pattern, mentions, around))
        for pattern, those in zip(patterns, texts, strict=True)
    ]
    relations = np.stack([vectors[text] for text in words]) if words else np.zeros((0, 1))
    scores = await guide.score_entities(around, relations.astype(np.float32), queries)
    return Guidance(
        [
            pick_best_nodes(around, row, entities * len(pattern.triples))
            for row, pattern in zip(scores, patterns, strict=True)
        ],
        settings.threshold,
    )


def check_guidance(settings: GuidanceSettings, schema: Schema, embedder: Embedder) -> None:
    """GuidanceMismatchError where a model was trained on another graph, or with other vectors."""
    if embedder.dimensions != settings.dimensions:
        raise GuidanceMismatchError(
            f"the guidance model takes vectors of {settings.dimensions} numbers, and the embedder "
            f"gives {embedder.dimensions}",
            "set TRELLIS_EMBEDDER to the one that it was trained with, or train it again",
        )
    if schema.fingerprint != settings.fingerprint and (
        share_of_relations(settings.relations, schema) < _LEAST_SHARED
    ):
        raise GuidanceMismatchError(
            "the guidance model was trained on another graph",
            "train it on this one: `trellis train --task guidance`",
        )


def list_triple_texts(
    pattern: QuestionPattern, mentions: Sequence[Mention]
) -> tuple[TripleTexts, ...]:
    """The triples of a pattern as texts: names of mentions, placeholders, words of relations."""
    said = [
        mentions[node.index].best.node.name if isinstance(node, MentionNode) else name_unknown(node)
        for node in pattern.nodes
    ]
    return tuple(
        (said[t.head], write_relation_words(t.relation), said[t.tail]) for t in pattern.triples
    )


def name_unknown(node: PatternNode) -> str:
    """The text of an unknown node: what is asked for, or something between."""
    return "something" if isinstance(node, MentionNode) or not node.is_asked else "answer"


def write_relation_words(relation: str) -> str:
    """The words of a relation as they are embedded."""
    return " ".join(split_identifier(put_last_first(relation))) or relation


def pick_best_nodes(
    around: Neighbourhood, scores: NDArray[np.float32], count: int
) -> tuple[NodeId, ...]:
    """The nodes with the best scores [nodes]; of equal ones the first."""
    best = np.argsort(-scores, kind="stable")[:count]
    return tuple(around.nodes[row] for row in best)


async def _embed_texts(
    embedder: Embedder, texts: Sequence[str]
) -> Mapping[str, NDArray[np.float32]]:
    distinct = list(dict.fromkeys(texts))
    vectors = await asyncio.to_thread(embedder.embed, distinct)
    return dict(zip(distinct, vectors, strict=True))


def _stack_triples(
    texts: Sequence[TripleTexts], vectors: Mapping[str, NDArray[np.float32]]
) -> NDArray[np.float32]:
    return np.stack([np.stack([vectors[text] for text in triple]) for triple in texts])


def _find_anchor_rows(
    pattern: QuestionPattern, mentions: Sequence[Mention], around: Neighbourhood
) -> tuple[int, ...]:
    """The rows of the nodes that a pattern's mentions are taken to mean."""
    indices = [node.index for node in pattern.nodes if isinstance(node, MentionNode)]
    ids = {id for index in indices for id in list_anchor_ids(mentions[index])}
    return tuple(int(row) for row in around.anchors if around.nodes[row] in ids)
