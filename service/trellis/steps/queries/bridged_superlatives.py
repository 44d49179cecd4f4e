"""Bridged superlatives: relationships with a superlative in their name, of nodes that the question
says nothing of.

`The tallest mountain in Asia` is one of them, and not the highest point of each country there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trellis.automata.cypher.query import QueryEdge, QueryGraph
from trellis.automata.cypher.wording import split_name
from trellis.domain.graph import Step
from trellis.domain.links import Mention
from trellis.domain.schema import Schema
from trellis.lexicon.names import read_name, strip_endings
from trellis.lexicon.plurals import make_plural
from trellis.linking.operators import has_superlative
from trellis.linking.text import bare_words
from trellis.steps.queries.possible_labels import find_possible_labels
from trellis.steps.shared.label_words import LabelWords, read_label_words
from trellis.steps.shared.mask_mentions import mask_mentions


def says_superlative(edge: QueryEdge) -> bool:
    """Whether a relationship's name has a superlative, as in HAS_HIGHEST_POINT."""
    return has_superlative(split_name(edge.type))


def find_bridged_superlatives(
    question: str, mentions: Sequence[Mention], graph: QueryGraph, schema: Schema
) -> list[QueryEdge]:
    """The relationships of a query that say a superlative of nodes which the question does not
    speak of: with no value on either end, no noun of the owner's label, and no word of another
    relationship that the owner has; nor are they called in the plural, as by `highest points`."""
    text = mask_mentions(question, mentions)
    edges = [edge for edge in graph.edges if says_superlative(edge) and not _is_plural(edge, text)]
    if not edges:
        return []
    words = read_label_words(schema)
    nouns = words.find_said_nouns(text)
    names = frozenset[str]().union(*nouns.values())
    spoken = frozenset(map(strip_endings, bare_words(text)))
    labels = find_possible_labels(graph, schema)
    bridged = []
    for edge in edges:
        own = [_find_node(graph, end) for end in (edge.source, edge.target)]
        owners = own if edge.direction == "any" else own[edge.direction != "out" :][:1]
        has_value = any(graph.nodes[number].filters for number in own)
        is_named = any(not names.isdisjoint(labels[owner]) for owner in owners)
        others = (other for owner in owners for other in _list_others(graph, edge, owner))
        if not (has_value or is_named or any(_is_said(each, spoken, words) for each in others)):
            bridged.append(edge)
    return bridged


def _is_plural(edge: QueryEdge, text: str) -> bool:
    """Whether a text in small letters says the name of a relationship in the plural."""
    return make_plural(read_name(edge.type).core) in text


def _find_node(graph: QueryGraph, number: int) -> int:
    """The first of the numbers that stand for one node."""
    same = graph.nodes[number].same
    return number if same is None else _find_node(graph, same)


def _list_others(graph: QueryGraph, edge: QueryEdge, owner: int) -> Iterator[QueryEdge]:
    """The other relationships of an edge's owner."""
    for other in graph.edges:
        ends = {_find_node(graph, other.source), _find_node(graph, other.target)}
        if other != edge and owner in ends:
            yield other


def _is_said(edge: QueryEdge, spoken: frozenset[str], words: LabelWords) -> bool:
    """Whether the question has a word of a relationship, other than the nouns of labels."""
    nouns = frozenset(map(strip_endings, words.list_noun_words()))
    return not spoken.isdisjoint(words.list_step_words(Step(edge.type)) - nouns)
