"""Connected ends: the nodes of which a question asks how they are connected, or what they share."""

from __future__ import annotations

from dataclasses import dataclass

from trellis.domain.graphs.schema import Schema
from trellis.domain.graphs.sentences import relation_words
from trellis.domain.ports import Embedder, Graph
from trellis.domain.replies.question import Question
from trellis.linking.questions.connections import (
    CONNECTION_WORDS,
    ConnectionRequest,
    read_connection_request,
    speaks_of_connection,
)
from trellis.steps.link.named_nodes import NamedNodes, find_named_nodes
from trellis.steps.link.vocabulary.schema_vocabulary import read_schema_vocabulary


@dataclass(frozen=True, slots=True)
class ConnectedEnds:
    """What a question about a connection asks, and the nodes that it names."""

    request: ConnectionRequest
    named: NamedNodes


async def find_connected_ends(
    question: Question, graph: Graph, embedder: Embedder | None
) -> ConnectedEnds | None:
    """The ends, fewer than two where a name is unknown; None where the question asks for anything
    else, or may mean a relation of the graph that is called so."""
    if not speaks_of_connection(question.text):
        return None
    schema = await graph.schema()
    words = read_schema_vocabulary(schema)
    named = await find_named_nodes(question, graph, embedder, words, CONNECTION_WORDS)
    request = read_connection_request(question.text, named.spans, words.list_noun_words())
    if request is None or request.may_mean_relation(_list_relation_words(schema)):
        return None
    return ConnectedEnds(request, named)


def _list_relation_words(schema: Schema) -> frozenset[str]:
    """The words by which the relationship types are called, in small letters."""
    types = schema.relation_types
    called = (word for name in types for word in schema.synonyms.get(name, ()))
    return frozenset(word for name in types for word in relation_words(name)).union(
        *(phrase.lower().split() for phrase in called)
    )
