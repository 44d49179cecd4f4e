"""Connected ends: the nodes of which a question asks how they are connected, or what they share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trellis.domain.graph import Node
from trellis.domain.links import Link, Mention
from trellis.domain.ports import Embedder, Graph
from trellis.domain.question import Question
from trellis.domain.schema import Schema
from trellis.domain.sentences import relation_words
from trellis.linking.closeness import measure_closeness
from trellis.linking.connections import (
    CONNECTION_WORDS,
    ConnectionRequest,
    read_connection_request,
    speaks_of_connection,
)
from trellis.linking.spans import Span
from trellis.steps.link.link import link_question
from trellis.steps.link.vocabulary.label_words import LabelWords, read_label_words

_CLOSE = 0.8  # likeness in spelling of a name that is misspelt


@dataclass(frozen=True, slots=True)
class ConnectedEnds:
    """What a question about a connection asks, its mentions, and for each the nodes that it means
    equally well: one, unless several have its name. `alike`: nodes that may be meant by a name
    which is not close enough to theirs."""

    request: ConnectionRequest
    mentions: tuple[Mention, ...]
    nodes: tuple[tuple[Node, ...], ...]
    alike: tuple[Link, ...] = ()


async def find_connected_ends(
    question: Question, graph: Graph, embedder: Embedder | None
) -> ConnectedEnds | None:
    """The ends, fewer than two where a name is unknown; None where the question asks for anything
    else, or may mean a relation of the graph that is called so."""
    if not speaks_of_connection(question.text):
        return None
    schema = await graph.schema()
    words = read_label_words(schema)
    wording = words.wording | CONNECTION_WORDS
    linked = await link_question(question, graph, embedder, wording)
    mentions = tuple(mention for mention in linked if _is_close(mention))
    names = [Span(mention.start, mention.end) for mention in mentions]
    request = read_connection_request(question.text, names, words.list_noun_words())
    if request is None or request.may_mean_relation(_list_relation_words(schema)):
        return None
    alike = tuple(mention.best for mention in linked if mention not in mentions)
    nodes = _choose_nodes([_narrow_by_noun(question.text, each, words) for each in mentions])
    return ConnectedEnds(request, mentions, nodes, alike)


def _is_close(mention: Mention) -> bool:
    """Whether a name is spelt as that of its node, about: all of the answer depends on it."""
    best = mention.best
    return not best.is_similar or measure_closeness(mention.text, best.node.name) >= _CLOSE


def _narrow_by_noun(question: str, mention: Mention, words: LabelWords) -> tuple[Node, ...]:
    """The nodes that a mention means best, those of the kind named before it if there are any:
    `the river Jordan`."""
    nodes = tuple(link.node for link in mention.links if link.score >= mention.score)
    before = question[: mention.start].lower().split()[-1:]
    labels = frozenset[str]().union(*map(words.find_labels, before))
    return tuple(node for node in nodes if labels.intersection(node.labels)) or nodes


def _choose_nodes(nodes: Sequence[tuple[Node, ...]]) -> tuple[tuple[Node, ...], ...]:
    """The nodes of each mention; one each of a name that is given twice and that two nodes have."""
    if len(nodes) == 2 and nodes[0] == nodes[1] and len(nodes[0]) == 2:
        return nodes[0][:1], nodes[0][1:]
    return tuple(nodes)


def _list_relation_words(schema: Schema) -> frozenset[str]:
    """The words by which the relationship types are called, in small letters."""
    types = schema.relation_types
    called = (word for name in types for word in schema.synonyms.get(name, ()))
    return frozenset(word for name in types for word in relation_words(name)).union(
        *(phrase.lower().split() for phrase in called)
    )
