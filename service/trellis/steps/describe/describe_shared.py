"""Describe what nodes have in common, or that they share nothing, in plain English."""

from __future__ import annotations

from collections.abc import Sequence

from trellis.domain.graphs.graph import Node
from trellis.steps.describe.phrases import join_phrases, quote_text


def describe_shared_search(names: Sequence[str]) -> str:
    """`what is related directly to both Kenya and Mali`."""
    ends = join_phrases([quote_text(name) for name in names])
    return f"what is related directly to {'both' if len(names) == 2 else 'all of'} {ends}"


def describe_shared(names: Sequence[str], shared: Sequence[str], total: int) -> str:
    """What the named nodes share: `Kenya and Uganda have 2 things in common: Lake Victoria and
    Africa.` `shared`: the first of the `total` things."""
    ends = join_phrases(names)
    if not shared:
        return f"{ends} have nothing in common, as far as one step from each goes."
    things = "one thing" if total == 1 else f"{total:,} things"
    introduction = ", among them" if total > len(shared) else ":"
    return f"{ends} have {things} in common{introduction} {join_phrases(shared)}."


def describe_shared_hubs(hubs: Sequence[tuple[Node, int]]) -> str:
    """What it means that shared nodes are hubs, with their relationships; empty without hubs."""
    if not hubs:
        return ""
    told = join_phrases([f"{node.name} has {size:,} relationships" for node, size in hubs])
    return f"hubs come last, for almost any two nodes share one: {told}"
