"""Token alignment: what of a question a reading explains, and what of the reading the question
supports.

Each token of the one is compared with its nearest token of the other, in context. Source: the late
interaction of Khattab and Zaharia, "ColBERT" (2020), here in both directions and without training.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import asdict, astuple, dataclass

import numpy as np
from numpy.typing import NDArray

from trellis.domain.models.token_vectors import TokenVectors
from trellis.domain.ports import Embedder

_WORST = 2  # tokens


@dataclass(frozen=True, slots=True)
class Alignment:
    """Mean cosines of tokens with their nearest ones on the other side: of all tokens of the
    question's words (`explained`) and of the reading's (`supported`), and of the two worst of
    each."""

    explained: float
    supported: float
    least_explained: float
    least_supported: float


WEIGHTS = Alignment(7.9, 5.7, 12.5, 5.4)
"""Log-likelihood of a reading for each unit of its alignment, beside its log-probability; fitted
over the first right candidates of questions over three made graphs (films, football, a shop)."""


def align_tokens(question: TokenVectors, reading: TokenVectors) -> Alignment:
    """How far a question and a reading say the same; a side without words asks nothing of the
    other."""
    likeness = question.vectors @ reading.vectors.T
    explained = likeness.max(axis=1, initial=-1.0)[_find_words(question)]
    supported = likeness.max(axis=0, initial=-1.0)[_find_words(reading)]
    return Alignment(
        _average(explained),
        _average(supported),
        _average_worst(explained),
        _average_worst(supported),
    )


async def measure_alignment(
    question: str, reading: str, embedder: Embedder | None
) -> Mapping[str, float]:
    """Features of how a reading aligns with a question, both with their names; none without an
    embedder or a reading."""
    if embedder is None or not reading:
        return {}
    tokens = await asyncio.to_thread(embedder.embed_tokens, [question, reading])
    return describe_alignment(align_tokens(*tokens))


def describe_alignment(alignment: Alignment) -> dict[str, float]:
    """An alignment as features."""
    return {f"aligned_{name}": value for name, value in asdict(alignment).items()}


def measure_log_likelihood(alignment: Alignment) -> float:
    """How likely the alignment makes a reading, but for a constant."""
    return float(np.dot(astuple(WEIGHTS), astuple(alignment)))


def _find_words(tokens: TokenVectors) -> NDArray[np.bool_]:
    """For each token whether it is of a word, and no mark between words."""
    return np.array([any(map(str.isalnum, tokens.text[a:b])) for a, b in tokens.spans], np.bool_)


def _average(cosines: NDArray[np.float32]) -> float:
    return float(cosines.mean()) if len(cosines) else 1.0


def _average_worst(cosines: NDArray[np.float32]) -> float:
    return _average(np.sort(cosines)[:_WORST])
