"""Counted items: what is counted is things, each once.

`How many tags does it have` asks for the number of a list's items: a query that gives the list
itself is made to give how long it is. Who supplies the most parts is not who supplies one part in
the most batches: a general model that orders by the number of matches means the number of nodes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from trellis.automata.cypher.items import RETURN_FORMS, SHOW, ReturnItem
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.property_types import is_list
from trellis.automata.cypher.query import QueryGraph
from trellis.domain.decoding import Sentence
from trellis.domain.schema import Schema
from trellis.steps.align.answer_types.asked_value import asks_count
from trellis.steps.align.queries.rewritten.rewriting import (
    list_values,
    read_sentence,
    rewrite_sentence,
)

_COUNT_ONCE = next(form for form in RETURN_FORMS if form.word == "count")
_OFTEN = re.compile(r"\b(?:times|often|frequent\w*)\b", re.IGNORECASE)


def count_items(
    question: str, sentences: Sequence[Sentence], language: CypherLanguage
) -> list[Sentence]:
    """The sentences; where the question asks how many, a query that gives nothing but a list of
    nodes gives the number of its items."""
    if not asks_count(question):
        return list(sentences)
    return [_count_items(each, language) for each in sentences]


def count_nodes_once(
    question: str, sentences: Sequence[Sentence], language: CypherLanguage
) -> list[Sentence]:
    """The sentences; numbers of matches that rows are ordered by count each node once, unless the
    question asks how many times."""
    if _OFTEN.search(question):
        return list(sentences)
    return [_count_once(each, language) for each in sentences]


def _count_once(sentence: Sentence, language: CypherLanguage) -> Sentence:
    graph = read_sentence(sentence, language)
    if graph is None:
        return sentence
    orders = tuple(replace(each, item=_take_once(each.item)) for each in graph.orders)
    items = tuple(map(_take_once, graph.items))
    if (orders, items) == (graph.orders, graph.items) or not graph.orders:
        return sentence
    once = replace(graph, items=items, orders=orders)
    return rewrite_sentence(sentence, once, list_values(language))


def _take_once(item: ReturnItem) -> ReturnItem:
    is_count = item.form.function == "count" and item.form.is_whole_node
    return replace(item, form=_COUNT_ONCE) if is_count and item.edge is None else item


def _count_items(sentence: Sentence, language: CypherLanguage) -> Sentence:
    graph = read_sentence(sentence, language)
    if graph is None:
        return sentence
    if len(graph.items) != 1 or not _is_list(graph, graph.items[0], language.known.schema):
        return sentence
    counted = replace(graph, items=(replace(graph.items[0], form=SHOW, part="size"),))
    return rewrite_sentence(sentence, counted, list_values(language))


def _is_list(graph: QueryGraph, item: ReturnItem, schema: Schema) -> bool:
    """Whether an item is a whole list of a node, and no aggregate of it."""
    kind = schema.find_property(graph.nodes[item.node].label, item.key)
    is_whole = not (item.is_aggregate or item.part or item.term) and item.edge is None
    return is_whole and kind is not None and is_list(kind.type)
