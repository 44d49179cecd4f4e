"""Describe connections: how two nodes are connected, or that they are not, in plain English."""

from __future__ import annotations

from collections.abc import Sequence

from trellis.domain.graphs.graph import Node, Walk
from trellis.domain.graphs.sentences import write_sentence
from trellis.steps.describe.phrases import join_phrases, quote_text

_MOST_WAYS = 3  # that the sentence names


def describe_search(names: Sequence[str], steps: int) -> str:
    """`the shortest paths between Kenya and Mali, of at most 6 steps`."""
    ends = join_phrases([quote_text(name) for name in names])
    each = "each two of " if len(names) > 2 else ""
    return f"the shortest paths between {each}{ends}, of at most {steps} {_say_steps(steps)}"


def describe_walk_in_sentences(walk: Walk) -> str:
    """`Keanu Reeves acted in The Matrix; Carrie-Anne Moss acted in The Matrix`."""
    return "; ".join(write_sentence(triple).removesuffix(".") for triple in walk.triples())


def describe_connection(walks: Sequence[Walk]) -> str:
    """How the ends of some walks are connected, the shortest first: `Kenya and Mali are connected
    in 2 steps, through Africa.`"""
    names = f"{walks[0].anchor.name} and {walks[0].tail.name}"
    length = len(walks[0].steps)
    if length == 1:
        return f"{names} are connected directly: {describe_walk_in_sentences(walks[0])}."
    inner = (walk.nodes[1:-1] for walk in walks if len(walk.steps) == length)
    ways = [*dict.fromkeys(_name_way(nodes) for nodes in inner)]
    shown = ways[:_MOST_WAYS]
    more = ["other nodes"] if len(ways) > len(shown) else []
    if length > 2:  # a way has several nodes
        through = ", or through ".join([*shown, *more])
    else:
        through = join_phrases([*shown, *more], "or")
    return f"{names} are connected in {length} {_say_steps(length)}, through {through}."


def describe_no_connection(first: str, second: str, steps: int) -> str:
    """`Kenya and Oslo are not connected within 6 steps.`"""
    return f"{first} and {second} are not connected within {steps} {_say_steps(steps)}."


def describe_hubs(hubs: Sequence[tuple[Node, int]], *, are_in_all: bool) -> str:
    """What hubs make of the paths that pass through them; `are_in_all`: each path does."""
    told = [f"{node.name} has {size:,} relationships" for node, size in hubs]
    which = "every path found passes" if are_in_all else "the last paths pass, though shorter,"
    return f"{which} through a hub, which joins almost any two nodes: {join_phrases(told)}"


def _name_way(nodes: Sequence[Node]) -> str:
    return join_phrases([node.name for node in nodes])


def _say_steps(count: int) -> str:
    return "step" if count == 1 else "steps"
