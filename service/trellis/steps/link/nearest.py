"""Nearest: where nothing of the question is in the graph, find the names most like its words."""

from __future__ import annotations

from collections.abc import Collection

from trellis.domain.graphs.links import Link
from trellis.domain.ports import Graph
from trellis.linking.names.spans import parse_question

_LEAST_LIKENESS = 0.5  # likeness of spelling from which a name may be the one that was misspelt


async def find_nearest_names(
    question: str, graph: Graph, wording: Collection[str], limit: int = 5
) -> tuple[Link, ...]:
    """The nodes spelt most like an informative word of the question, best first.

    `wording`: lower-case words that questions over this graph use, rather than names.
    """
    asked = parse_question(question, wording)
    words = [question[a.span.start : a.span.end] for a in asked.atoms if a.is_informative]
    found = await graph.search_by_text(words, limit) if words else []
    best = {link.node.id: link for links in found for link in reversed(links)}
    like = [link for link in best.values() if link.score >= _LEAST_LIKENESS]
    return tuple(sorted(like, key=lambda link: (-link.score, link.node.name))[:limit])
