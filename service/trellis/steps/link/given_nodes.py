"""Given nodes: topics that are ids of nodes say which of several nodes of one name is meant.

A topic that is a name replaces linking; one that is an id only narrows it, so that all else that a
question mentions is linked as ever.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from trellis.domain.errors import UnknownTopicError
from trellis.domain.graphs.graph import Node, NodeId
from trellis.domain.graphs.links import Link, Mention
from trellis.domain.ports import Graph
from trellis.domain.replies.conversation import Turn
from trellis.linking.names.spans import Span, find_occurrences
from trellis.linking.text import name_key

_ID = re.compile(r"\d+:[0-9A-Fa-f-]+:\d+")
"""An element id of Neo4j, as replies give it."""


@dataclass(frozen=True, slots=True)
class GivenTopics:
    """The topics of a question: names, and nodes that were given by their ids."""

    names: tuple[str, ...] = ()
    nodes: tuple[Node, ...] = ()


def is_name(topic: str) -> bool:
    """Whether a topic is a name, and no id."""
    return not _ID.fullmatch(topic)


async def find_chosen_nodes(question: str, turns: Sequence[Turn], graph: Graph) -> tuple[Node, ...]:
    """The nodes that were given with earlier questions and whose names stand in this one: who has
    said which of several nodes a name means is not asked again."""
    topics = [topic for turn in reversed(turns) for topic in turn.topics if not is_name(topic)]
    given = await read_known_topics(topics, graph)
    named = {node.name: node for node in reversed(given.nodes)}  # the last choice counts
    return tuple(node for node in named.values() if any(find_occurrences(question, node.name)))


async def read_known_topics(topics: Sequence[str], graph: Graph) -> GivenTopics:
    """The topics of an earlier question, apart, without ids that no node has any more."""
    found = await _find_nodes([topic for topic in topics if not is_name(topic)], graph)
    return GivenTopics(tuple(filter(is_name, topics)), tuple(found.values()))


async def read_given_topics(topics: Sequence[str] | None, graph: Graph) -> GivenTopics:
    """The topics, apart; UnknownTopicError for an id that no node with a name has."""
    given = await read_known_topics(topics or (), graph)
    found = {node.id for node in given.nodes}
    ids = [topic for topic in topics or () if not is_name(topic)]
    if missing := [id for id in ids if id not in found]:
        raise UnknownTopicError(
            f"no node of the graph has the id {missing[0]}",
            "ids change when a graph is loaded again: ask again without topics for those of now",
        )
    return given


async def _find_nodes(ids: Sequence[NodeId], graph: Graph) -> dict[NodeId, Node]:
    if not ids:
        return {}
    around = await graph.neighbourhood(ids, 1, edge_budget=len(ids), names=True)
    names = dict(zip(around.nodes, around.names, strict=True))
    keys = sorted({name_key(names[id]) for id in ids if id in names})
    called = await graph.find_by_key(keys) if keys else {}
    nodes = {node.id: node for each in called.values() for node in each}
    return {id: nodes[id] for id in ids if id in nodes}


def narrow_mentions(
    question: str, mentions: Sequence[Mention], nodes: Sequence[Node]
) -> tuple[Mention, ...]:
    """The mentions, of the given nodes those alone where they may mean one; a node that no mention
    may mean becomes one where its name stands, else at the question's end."""
    narrowed = [_narrow_mention(mention, nodes) for mention in mentions]
    held = {id for mention in narrowed for id in _list_ids(mention)}
    left = [node for node in nodes if node.id not in held]
    added = [_add_mention(question, node, narrowed) for node in left]
    return tuple(sorted([*narrowed, *added], key=lambda mention: mention.start))


def _narrow_mention(mention: Mention, nodes: Sequence[Node]) -> Mention:
    linked = _list_ids(mention)
    links = tuple(Link(node, 1.0, "given") for node in nodes if node.id in linked)
    return Mention(mention.start, mention.end, mention.text, links or mention.links)


def _list_ids(mention: Mention) -> set[NodeId]:
    return {link.node.id for link in mention.links}


def _add_mention(question: str, node: Node, mentions: Sequence[Mention]) -> Mention:
    taken = [Span(mention.start, mention.end) for mention in mentions]
    places = (p for p in find_occurrences(question, node.name) if not any(map(p.overlaps, taken)))
    place = next(places, Span(len(question), len(question)))
    text = question[place.start : place.end] or node.name
    return Mention(place.start, place.end, text, (Link(node, 1.0, "given"),))
