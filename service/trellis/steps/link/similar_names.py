"""Similar names: what an answer took a name of the question for that is nowhere in the graph.

Whoever asks for Bavaria and gets what is said of Ajaria has to be told.
"""

from __future__ import annotations

from collections.abc import Sequence

from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.links import Link, Mention


def tell_similar_names(mentions: Sequence[Mention], reading: str) -> tuple[str, ...]:
    """A note for each name of the question that the reading of answers has as a similar one."""
    notes = (
        f"“{mention.text}” was read as “{_get_name(mention.best)}”, the nearest name in the graph"
        for mention in mentions
        if mention.best.how == "text" and _get_name(mention.best) in reading
    )
    return tuple(dict.fromkeys(notes))


def _get_name(link: Link) -> str:
    return link.node.name if isinstance(link.target, Node) else str(link.stored.value)
