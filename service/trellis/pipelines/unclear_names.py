"""Replies where it is not clear which nodes a question names, though all of the answer depends on
them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.links import Link, Mention
from trellis.domain.ports import Graph
from trellis.domain.replies.reply import NodeChoice, Reply
from trellis.pipelines.record import Record
from trellis.steps.conclude.tell_apart import tell_apart
from trellis.steps.describe.phrases import join_phrases
from trellis.steps.link.named_nodes import NamedNodes
from trellis.steps.link.nearest import find_nearest_names

_MOST_ALIKE = 3  # names like an unknown one that are told


def note_likeness(record: Record, named: NamedNodes) -> None:
    """Write down the mentions, and which of them were taken for a name that is only similar."""
    record.mentions = named.mentions
    for mention in named.mentions:
        if mention.best.is_similar:
            record.add_note(f"“{mention.text}” was taken for {mention.best.node.name}")


async def explain_unknown_names(
    record: Record, graph: Graph, names: Sequence[str], alike: Sequence[Link]
) -> Reply:
    """The reply that nothing has these names; `alike`: the nodes that may be meant, if any."""
    quoted = join_phrases([f"“{name}”" for name in names], "or")
    alike = alike or await find_nearest_names(" ".join(names), graph, (), _MOST_ALIKE)
    like = f"; names like it: {join_phrases([it.node.name for it in alike])}" if alike else ""
    reply = record.build_silent_reply().hold_back(f"nothing in this graph is called {quoted}{like}")
    return replace(reply, similar_nodes=tuple(alike))


async def ask_back(record: Record, graph: Graph, mention: Mention, nodes: Sequence[Node]) -> Reply:
    """The reply that asks which of several nodes a name means."""
    told = await tell_apart(graph, nodes)
    choices = tuple(NodeChoice(node, told.get(node.id) or ", ".join(node.labels)) for node in nodes)
    reason = f"“{mention.text}” may mean any of {len(nodes):,} nodes: choose one"
    return replace(record.build_silent_reply().hold_back(reason), choices=choices)
