"""Answer kinds: whether what a query gives is what the question asks for by its first words.

`Which customers` asks for customers, `who` for persons or what they make up, `how much` and `how
many` for a number. A query that gives something else, or misreads the question, was hardly meant.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from trellis.automata.cypher.indexed_schema import IndexedSchema
from trellis.automata.cypher.items import ReturnItem
from trellis.automata.cypher.query import QueryGraph
from trellis.domain.decoding import Sentence
from trellis.domain.links import Mention
from trellis.domain.schema import PropertyKind
from trellis.steps.queries.misreadings import find_item_property, is_misbuilt, is_misread
from trellis.steps.queries.read_meaning import QueryMeaning, read_meaning
from trellis.steps.shared.asked_kind import AskedKind, find_asked_kind, measure_gain
from trellis.steps.shared.asked_value import asks_amount, asks_count
from trellis.steps.shared.label_words import read_label_words

_OTHER_KIND = 0.02
"""Weight of a query that gives another kind of thing than the question asks for."""
_MISBUILT = 1e-4
"""Weight of a query that can hardly mean anything: it answers only where no other does."""

_FIGURES = ("count", "sum", "avg", "min", "max")


def reweigh_kinds(
    question: str,
    mentions: Sequence[Mention],
    sentences: Sequence[Sentence],
    known: IndexedSchema,
) -> list[Sentence]:
    """The sentences, best first, with lower scores for those that give another kind of thing.

    What these lose goes to the others, but for what goes to none being meant.
    """
    asked = find_asked_kind(question, mentions, read_label_words(known.schema))
    weights = [_weigh_query(question, asked, each, known) for each in sentences]
    return reweigh_queries(sentences, weights)


def reweigh_queries(sentences: Sequence[Sentence], weights: Sequence[float]) -> list[Sentence]:
    """The sentences, best first, by weights in (0, 1].

    What some lose goes to the others, but for what goes to none being meant.
    """
    gain = measure_gain([math.exp(each.score) for each in sentences], weights)
    reweighed = [
        replace(each, score=each.score + math.log(weight * gain))
        for each, weight in zip(sentences, weights, strict=True)
    ]
    return sorted(reweighed, key=lambda sentence: -sentence.score)


def _weigh_query(question: str, asked: AskedKind, each: Sentence, known: IndexedSchema) -> float:
    meaning = read_meaning(each.values[0])
    if meaning is None:
        return 1.0
    if is_misbuilt(question, meaning):
        return _MISBUILT
    if meaning.asks_whether or not _gives_other(question, asked, meaning, known):
        return 1.0
    return _OTHER_KIND


def _gives_other(
    question: str, asked: AskedKind, meaning: QueryMeaning, known: IndexedSchema
) -> bool:
    graph = meaning.graph
    if is_misread(question, meaning, known):
        return True
    if asks_amount(question) or asks_count(question):
        return not any(_is_amount(item, graph, known) for item in graph.items)
    if asked.wh == "when":
        return not any(_may_be_time(item, graph, asked, known) for item in graph.items)
    return not asked.is_open() and not any(_fits(item, graph, asked) for item in graph.items)


def _is_node(item: ReturnItem) -> bool:
    """Whether an item is a node rather than a property of one or a figure."""
    return item.form.is_whole_node and not item.form.function


def _may_be_time(
    item: ReturnItem, graph: QueryGraph, asked: AskedKind, known: IndexedSchema
) -> bool:
    """Whether an item may be a day or a year; a node, where its label says nothing else."""
    if _is_node(item):
        label = graph.nodes[item.node].label
        return not asked.words.is_named((label,)) or asked.words.is_time((label,))
    return _is_amount(item, graph, known)


def _fits(item: ReturnItem, graph: QueryGraph, asked: AskedKind) -> bool:
    """Whether an item is of the asked kind, as far as its node has a label."""
    label = graph.nodes[item.node].label
    is_place = asked.wh == "where" and not _is_node(item)  # a person's city
    return item.edge is not None or not label or is_place or asked.fits_labels((label,))


def _is_amount(item: ReturnItem, graph: QueryGraph, known: IndexedSchema) -> bool:
    """Whether an item may be a number or a length of time; texts may hold one."""
    if item.form.function in _FIGURES or item.edge is not None:
        return True
    if _is_node(item):
        return False
    kind = find_item_property(item, graph, known)
    return kind is None or kind.type != "STRING" or _holds_numbers(kind)


def _holds_numbers(kind: PropertyKind) -> bool:
    texts = [text for text in (*kind.values, *kind.examples) if isinstance(text, str)]
    return not texts or any(letter.isdigit() for text in texts for letter in text)
