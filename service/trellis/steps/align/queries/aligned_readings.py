"""Aligned readings: how likely each query is by how its reading aligns with the question.

A general model scores one move or token after the other, and may be sure of queries that leave out
half of the question. Read as a whole, beside the others, they are told apart.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from trellis.automata.cypher.words.indexed_schema import IndexedSchema
from trellis.domain.models.decoding import Sentence
from trellis.domain.ports import Embedder
from trellis.domain.structures.cypher import CypherQuery
from trellis.steps.align.queries.answer_kinds import reweigh_queries
from trellis.steps.align.token_alignment import (
    Alignment,
    align_tokens,
    measure_log_likelihood,
)
from trellis.steps.describe.queries.read_meaning import describe_meaning, read_meaning
from trellis.steps.retrieve.queries.query_prompt import drop_masked_kinds


@dataclass(frozen=True, slots=True)
class AlignedQueries:
    """The sentences of queries, best first, and how the reading of each aligns with the question,
    by the sentences' texts; without those that cannot be read."""

    sentences: list[Sentence]
    alignments: Mapping[str, Alignment]


async def weigh_by_reading(
    masked_question: str,
    sentences: Sequence[Sentence],
    known: IndexedSchema,
    embedder: Embedder,
) -> AlignedQueries:
    """The sentences with lower scores for those whose readings align less with the question. Values
    are told by their names in both, and a query that cannot be read is as likely as the least
    likely one that can."""
    readings = [_read_masked(each.values[0], known) for each in sentences]
    said = [reading for reading in readings if reading]
    if not said:
        return AlignedQueries([*sentences], {})
    aligned = await asyncio.to_thread(_align_readings, masked_question, said, embedder)
    likely = {reading: measure_log_likelihood(its) for reading, its in aligned.items()}
    best, least = max(likely.values()), min(likely.values())
    weights = [math.exp(likely.get(reading, least) - best) for reading in readings]
    pairs = zip(sentences, readings, strict=True)
    alignments = {each.text: aligned[reading] for each, reading in pairs if reading}
    return AlignedQueries(reweigh_queries(sentences, weights), alignments)


def _align_readings(
    masked_question: str, readings: Sequence[str], embedder: Embedder
) -> dict[str, Alignment]:
    asked = " ".join(drop_masked_kinds(masked_question).split())
    question, *tokens = embedder.embed_tokens([asked, *readings])
    pairs = zip(readings, tokens, strict=True)
    return {reading: align_tokens(question, its) for reading, its in pairs}


def _read_masked(query: CypherQuery, known: IndexedSchema) -> str:
    """What a query asks for, with its values' names in place of the values."""
    masked = replace(query, params={name: name for name in query.params})
    return describe_meaning(read_meaning(masked), known)
