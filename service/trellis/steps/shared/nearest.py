"""Nearest: where nothing of the question is in the graph, find the names most like its words."""

from __future__ import annotations

from collections.abc import Collection

from trellis.domain.links import Link
from trellis.domain.ports import Graph
from trellis.linking.spans import parsed

_LIKE = 0.5  # likeness of spelling from which a name may be the one that was misspelt


async def nearest_names(
    question: str, graph: Graph, wording: Collection[str], most: int = 5
) -> tuple[Link, ...]:
    """The nodes spelt most like an informative word of the question, best first.

    `wording`: lower-case words that questions over this graph use, rather than names.
    """
    asked = parsed(question, wording)
    words = [question[a.span.start : a.span.end] for a in asked.atoms if a.telling]
    found = await graph.by_text(words, most) if words else []
    best = {link.node.id: link for links in found for link in reversed(links)}
    like = [link for link in best.values() if link.score >= _LIKE]
    return tuple(sorted(like, key=lambda link: (-link.score, link.node.name))[:most])
