"""Reading likeness: how much a query's reading means the same as the question, by its embedding.

A model may be sure of a query that leaves out a hop, or takes another relation; what it asks for,
said in plain words, then differs from the question.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from trellis.domain.ports import Embedder

_MOST_RIVALS = 4  # readings of other candidates, best first
_MOST_NEARER = 0.1
"""A greater difference says no more: where candidates are few and strange, even a reading that is
hardly like the question is much nearer than the others."""


async def measure_reading_likeness(
    embedder: Embedder | None, question: str, reading: str, others: Sequence[str]
) -> Mapping[str, float]:
    """Features of a query's reading; none without an embedder or a reading.

    `alike`: the cosine of the question and the reading. `nearer`: by how much it is above that of
    the best other reading, of the likeliest candidates, at most .1.
    """
    if embedder is None or not reading:
        return {}
    rivals = list(dict.fromkeys(other for other in others if other and other != reading))
    texts = [question, reading, *rivals[:_MOST_RIVALS]]
    vectors = await asyncio.to_thread(embedder.embed, texts)
    likeness = vectors[1:] @ vectors[0]
    best_rival = max(map(float, likeness[1:]), default=0.0)
    nearer = min(_MOST_NEARER, float(likeness[0]) - best_rival)
    return {"alike": float(likeness[0]), "nearer": nearer}
