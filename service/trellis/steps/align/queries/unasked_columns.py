"""Unasked columns: queries that show properties beside things, where nobody asked for them.

`Every case of officer Glossup` asks for cases, not for cases and their notes. Both queries have the
same answers, so that they are believed together, and the plain one is written.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace

from trellis.automata.cypher.items import ReturnItem
from trellis.automata.cypher.query import QueryGraph
from trellis.automata.cypher.wording import split_name
from trellis.domain.decoding import Sentence
from trellis.linking.value_index import has_same_stem, words_of
from trellis.steps.describe.queries.read_meaning import QueryMeaning, read_meaning

_ASKS_MORE = re.compile(
    r"\b(?:and|how|with|along|plus|details?)\b|[,:;] (?:their|its|his|her)\b", re.IGNORECASE
)


def join_unasked_columns(question: str, sentences: Sequence[Sentence]) -> list[Sentence]:
    """The sentences, best first, without those that only show more than another one, unasked.

    The other one gains their probability. A question of several parts may ask for any column.
    """
    if _ASKS_MORE.search(question):
        return list(sentences)
    meanings = [read_meaning(each.values[0]) for each in sentences]
    chances = [math.exp(each.score) for each in sentences]
    joined = set()
    for place, meaning in enumerate(meanings):
        if meaning is None:
            continue
        plain = _drop_columns(question, meaning)
        target = next((i for i, other in enumerate(meanings) if other == plain), place)
        if target != place:
            chances[target] += chances[place]
            joined.add(place)
    kept = [
        replace(each, score=min(0.0, math.log(chances[place]))) if chances[place] else each
        for place, each in enumerate(sentences)
        if place not in joined
    ]
    return sorted(kept, key=lambda sentence: -sentence.score)


def _drop_columns(question: str, meaning: QueryMeaning) -> QueryMeaning:
    """The same query without the properties of returned nodes that the question does not name."""
    graph = meaning.graph
    whole = {item.node for item in graph.items if _is_whole(item)}
    kept = tuple(
        item
        for item in graph.items
        if _is_whole(item) or not _is_unasked(question, item, graph, whole)
    )
    return replace(meaning, graph=replace(graph, items=kept))


def _is_whole(item: ReturnItem) -> bool:
    return item.form.is_whole_node and not item.is_aggregate


def _is_unasked(question: str, item: ReturnItem, graph: QueryGraph, whole: set[int]) -> bool:
    """Whether an item is a plain property of a node that is returned as well, unsaid."""
    if item.is_aggregate or item.edge is not None or item.term or item.node not in whole:
        return False
    of_label = split_name(graph.nodes[item.node].label or "").split()
    own = [word for word in split_name(item.key).split() if word not in of_label]
    said = words_of(question)
    return bool(own) and not any(has_same_stem(word, other) for word in own for other in said)
