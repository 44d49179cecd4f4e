"""Distance ends: the places from which a question asks distances, and the kinds of things to
which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.places import PlaceProperty, find_place_properties
from trellis.domain.graphs.schema import Schema
from trellis.domain.graphs.sentences import relation_words
from trellis.domain.ports import Embedder, Graph
from trellis.domain.replies.question import Question
from trellis.linking.questions.distances import (
    DISTANCE_WORDS,
    DistanceRequest,
    read_distance_request,
    speaks_of_distance,
)
from trellis.steps.link.named_nodes import NamedNodes, find_named_nodes
from trellis.steps.link.vocabulary.schema_vocabulary import SchemaVocabulary, read_schema_vocabulary

_STORED = DISTANCE_WORDS - {"away", "apart", "beyond", "close", "outside", "within"}
"""Words whose relation or property says itself how far apart things are."""


@dataclass(frozen=True, slots=True)
class DistanceEnds:
    """What a question about distances asks, the nodes that it names, and the labels of the kinds
    that it asks for. `places`: of each label that has any, what tells where its nodes are."""

    request: DistanceRequest
    named: NamedNodes
    labels: frozenset[str]
    places: Mapping[str, tuple[PlaceProperty, ...]]

    def list_asked_places(self) -> dict[str, tuple[PlaceProperty, ...]]:
        """Of each label that is asked for and has any, what tells where its nodes are."""
        return {label: self.places[label] for label in sorted(self.labels) if label in self.places}

    def list_places_of(self, node: Node) -> frozenset[PlaceProperty]:
        """What may tell where a node is, by its labels."""
        return frozenset(its for label in node.labels for its in self.places.get(label, ()))


async def find_distance_ends(
    question: Question, graph: Graph, embedder: Embedder | None
) -> DistanceEnds | None:
    """The ends; None where the question asks for anything else, and over a graph without places or
    with a relation or property of its own for how far apart things are."""
    if not speaks_of_distance(question.text):
        return None
    schema = await graph.schema()
    places = list_place_properties(schema)
    if not places or _stores_distances(schema):
        return None
    words = read_schema_vocabulary(schema)
    named = await find_named_nodes(question, graph, embedder, words, DISTANCE_WORDS)
    request = read_distance_request(
        question.text, named.spans, lambda noun: bool(_find_labels(noun, words))
    )
    if request is None:
        return None
    labels = frozenset(it for noun in request.nouns for it in _find_labels(noun, words))
    labels = labels or frozenset(places)
    return DistanceEnds(request, named, labels, places)


def list_place_properties(schema: Schema) -> dict[str, tuple[PlaceProperty, ...]]:
    """Of each label that has any what tells where its nodes are, sorted."""
    places = {label.label: find_place_properties(label.properties) for label in schema.labels}
    return {label: found for label, found in places.items() if found}


def _find_labels(noun: str, words: SchemaVocabulary) -> frozenset[str]:
    """The labels that a noun names, a vague one (`place`) that which is called so."""
    called = [words.nouns[noun]] if noun in words.nouns else []
    return words.find_labels(noun) or frozenset(called)


def _stores_distances(schema: Schema) -> bool:
    names = (*schema.relation_types, *(kind.name for _, kind in schema.iterate_properties()))
    return not _STORED.isdisjoint(word for name in names for word in relation_words(name))


def choose_keys(
    origin: Sequence[PlaceProperty], others: Mapping[str, Sequence[PlaceProperty]]
) -> tuple[PlaceProperty, dict[str, PlaceProperty]] | None:
    """Between which properties distances are measured: that of the origin, and one by label.

    These are those of one name, or those that have no others beside them; None where it is not
    told which are meant.
    """
    common = [key for key in origin if all(key in keys for keys in others.values())]
    if len(common) == 1:
        return common[0], dict.fromkeys(others, common[0])
    if len(origin) == 1 and all(len(keys) == 1 for keys in others.values()):
        return origin[0], {label: keys[0] for label, keys in others.items()}
    return None
