"""Tell apart: what distinguishes nodes of one name, in a few words.

Their kinds, where these differ; else a neighbour by one relation that each has and no two share,
such as their countries; else a property; else their ids.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from trellis.domain.graphs.graph import Neighbourhood, Node, NodeId, Step
from trellis.domain.ports import Graph
from trellis.domain.structures.cypher import write_value

MOST_TOLD_APART = 20
"""The most nodes of one name that are told apart."""

_EDGES = 60  # relationships that are read for each of them, on average
_MOST_TRAITS = 3  # that are told of a node
_LONGEST = 80  # characters of what tells a node apart

Traits = Mapping[NodeId, frozenset[str]]
"""For each node what it has of one kind."""


async def tell_apart(graph: Graph, nodes: Iterable[Node]) -> dict[NodeId, str]:
    """By its id what tells each node from the others of its name; nodes of a name of their own are
    left out, as are those beyond `MOST_TOLD_APART` of a name."""
    named: dict[str, dict[NodeId, Node]] = defaultdict(dict)
    for node in nodes:
        if node.id:
            named[node.name].setdefault(node.id, node)
    told: dict[NodeId, str] = {}
    for namesakes in named.values():
        if len(namesakes) > 1:
            told |= await _tell_namesakes_apart(graph, [*namesakes.values()][:MOST_TOLD_APART])
    return told


async def _tell_namesakes_apart(graph: Graph, nodes: Sequence[Node]) -> dict[NodeId, str]:
    ids = [node.id for node in nodes]
    labels = {node.id: frozenset(node.labels) for node in nodes}
    if _is_telling(labels):
        return _write_traits(labels)
    around = await graph.neighbourhood(ids, 1, edge_budget=_EDGES * len(ids), names=True)
    for traits in (*_list_neighbours(around, nodes), *_list_properties(nodes)):
        if _is_telling(traits):
            return _write_traits(traits)
    return {id: f"id {id}" for id in ids}


def _is_telling(traits: Traits) -> bool:
    """Whether each node has something there, and no two the same."""
    return all(traits.values()) and len(set(traits.values())) == len(traits)


def _write_traits(traits: Traits) -> dict[NodeId, str]:
    return {id: ", ".join(sorted(each)[:_MOST_TRAITS])[:_LONGEST] for id, each in traits.items()}


def _list_neighbours(around: Neighbourhood, nodes: Sequence[Node]) -> Iterator[Traits]:
    """The nodes' neighbours by each step; steps that lead to one node each come first, and of these
    those along a relationship."""
    found: dict[Step, dict[NodeId, set[str]]] = defaultdict(lambda: {n.id: set() for n in nodes})
    for row in around.anchors.tolist():
        for entry in around.entries_of(row):
            found[entry.step][around.nodes[row]].add(around.names[entry.target])
    counts = {step: sum(map(len, each.values())) for step, each in found.items()}
    for step in sorted(found, key=lambda step: (counts[step], step.reversed, step.relation)):
        yield {id: frozenset(names) for id, names in found[step].items()}


def _list_properties(nodes: Sequence[Node]) -> Iterator[Traits]:
    """The nodes' values of each property, where these were read."""
    for key in sorted({key for node in nodes for key in node.properties or {}}):
        values = {node.id: (node.properties or {}).get(key) for node in nodes}
        yield {
            id: frozenset() if value is None else frozenset((f"{key} {write_value(value)}",))
            for id, value in values.items()
        }
