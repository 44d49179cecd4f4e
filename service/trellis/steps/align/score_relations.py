"""Score relations: which relationship types a relation of a schema graph may be.

Source: STEM, equation 12. A T-score compares what is known of both triples: their relations, by the
cosine of their words. The entities of a triple are not compared, since that of the schema graph is
a placeholder, or an anchor that has a score of its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from trellis.domain.errors import NotIndexedError
from trellis.domain.identifiers import put_last_first, split_identifier
from trellis.domain.ports import Embedder, Graph
from trellis.domain.structures.question_patterns import QuestionPattern
from trellis.domain.structures.traces import RelationScores

MOST_TYPES = 16
"""The most relationship types that a relation may be."""

LEAST_LIKENESS = 0.5
"""The cosine from which on a relation may be another one, too; below it, nothing is found."""


async def score_relations(
    graph: Graph, embedder: Embedder, patterns: Sequence[QuestionPattern]
) -> Mapping[str, RelationScores]:
    """For each relation of some patterns the types that it may be: itself at score 1, and others
    whose words are near. Where the graph has no embeddings, it is itself alone."""
    relations = sorted({triple.relation for each in patterns for triple in each.triples})
    texts = [" ".join(split_identifier(put_last_first(name))) or name for name in relations]
    vectors = await asyncio.to_thread(embedder.embed, texts)
    try:
        rows = await graph.search_relations_by_vector(vectors, MOST_TYPES)
    except NotIndexedError:
        rows = [() for _ in relations]
    found: dict[str, RelationScores] = {}
    for relation, row in zip(relations, rows, strict=True):
        likeness = {near.name: 1 - near.distance**2 / 2 for near in row}
        scores = {name: alike for name, alike in likeness.items() if alike >= LEAST_LIKENESS}
        scores[relation] = 1.0
        found[relation] = RelationScores(tuple(scores), tuple(scores.values()))
    return found
