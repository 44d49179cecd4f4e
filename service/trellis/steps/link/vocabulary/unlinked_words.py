"""Unlinked words: what a question says beside grammar and what was linked."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from trellis.domain.graphs.links import Mention
from trellis.domain.ports import Embedder
from trellis.linking.names.spans import Atom, ParsedQuestion


def list_unlinked_words(question: ParsedQuestion, mentions: Sequence[Mention]) -> list[Atom]:
    """The words that are neither grammar nor part of a mention."""
    return [
        atom
        for atom in question.atoms
        if atom.is_nameable
        and not atom.is_function_word
        and not any(m.start < atom.span.end and atom.span.start < m.end for m in mentions)
    ]


def measure_known_share(words: Sequence[Atom]) -> float:
    """The share of some words that questions over this graph use; 1 of none."""
    return sum(word.is_common for word in words) / len(words) if words else 1.0


async def measure_similarity(
    text: str, words: Sequence[Atom], other: str, embedder: Embedder | None
) -> float:
    """The cosine between some words of a question's `text` and another text; 0 where there are no
    words, or there is no embedding model."""
    if embedder is None or not words:
        return 0.0
    said = " ".join(text[word.span.start : word.span.end].lower() for word in words)
    vectors = await asyncio.to_thread(embedder.embed, [said, other])
    return float(vectors[0] @ vectors[1])
