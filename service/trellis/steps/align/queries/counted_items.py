"""Counted items: `how many tags does it have` asks for the number of a list's items.

A query that gives the list itself was meant; it is made to give how long the list is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from trellis.automata.cypher.items import SHOW, ReturnItem
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.property_types import is_list
from trellis.automata.cypher.query import QueryGraph
from trellis.automata.cypher.reading.queries import read_query
from trellis.automata.cypher.rendering import render_query
from trellis.domain.decoding import Sentence
from trellis.domain.errors import CypherReadError
from trellis.domain.schema import Schema
from trellis.steps.align.answer_types.asked_value import asks_count


def count_items(
    question: str, sentences: Sequence[Sentence], language: CypherLanguage
) -> list[Sentence]:
    """The sentences; where the question asks how many, a query that gives nothing but a list of
    nodes gives the number of its items."""
    if not asks_count(question):
        return list(sentences)
    return [_count_items(each, language) for each in sentences]


def _count_items(sentence: Sentence, language: CypherLanguage) -> Sentence:
    [query, *_] = sentence.values
    try:
        graph = read_query(language, query.text, query.params)
    except CypherReadError:
        return sentence
    if len(graph.items) != 1 or not _is_list(graph, graph.items[0], language.known.schema):
        return sentence
    counted = replace(graph, items=(replace(graph.items[0], form=SHOW, part="size"),))
    values = [value.stored for value in language.linked_values]
    return replace(sentence, values=render_query(counted, values))


def _is_list(graph: QueryGraph, item: ReturnItem, schema: Schema) -> bool:
    """Whether an item is a whole list of a node, and no aggregate of it."""
    kind = schema.find_property(graph.nodes[item.node].label, item.key)
    is_whole = not (item.is_aggregate or item.part or item.term) and item.edge is None
    return is_whole and kind is not None and is_list(kind.type)
