"""Backed parts: how far the question speaks of each part of a query.

A query that may only name what is in the graph names the nearest thing where the graph has none of
what is asked: who was born in a town is then how many live there. What nothing in the question is
near to was hardly asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from trellis.automata.cypher.meaning.query import OPEN_OPERATORS
from trellis.domain.graphs.graph import Step
from trellis.domain.graphs.links import Mention
from trellis.domain.ports import Embedder
from trellis.linking.text import bare_words
from trellis.steps.describe.queries.read_meaning import QueryMeaning
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.link.vocabulary.near_words import measure_nearness
from trellis.steps.link.vocabulary.schema_vocabulary import SchemaVocabulary

_FAR, _NEAR = 0.35, 0.65  # cosines of words that have nothing, and all, to do with one another
_MOST_WORDS = 40  # of a part that are compared by what they mean


async def measure_part_support(
    form: QuestionForm, meaning: QueryMeaning | None, embedder: Embedder | None
) -> float:
    """How far the part of a query is said that is said least, from 0 to 1; 1 where the query has no
    part beside labels and mentioned values, or cannot be read."""
    parts = list(_list_parts(meaning, form.mentions, form.vocabulary)) if meaning else []
    unsaid = [part for part in parts if not form.says_any(part)]
    if not unsaid:
        return 1.0
    said = dict.fromkeys(bare_words(form.masked))
    if embedder is None or not said:
        return 0.0
    told = [word for word in said if len(word) > 2 and word.isalpha()]
    listed = [sorted(part)[:_MOST_WORDS] for part in unsaid]
    every = list(dict.fromkeys(word for part in listed for word in part))
    cosine_of = dict(zip(every, await measure_nearness(every, told, embedder), strict=True))
    nearest = [max((float(cosine_of[word]) for word in part), default=0.0) for part in listed]
    return float(np.clip((min(nearest) - _FAR) / (_NEAR - _FAR), 0.0, 1.0))


def _list_parts(
    meaning: QueryMeaning, mentions: Sequence[Mention], words: SchemaVocabulary
) -> Iterator[frozenset[str]]:
    """The words by which people speak of each part: relationships, and properties that are shown,
    ordered by, or compared with what no mention says."""
    graph = meaning.graph
    for edge in graph.edges:
        if edge.type:
            step, relations = Step(edge.type), words.relations
            yield relations.list_step_words(step) | relations.list_step_words(step.turn())
    for name in dict.fromkeys(item.key for item in graph.list_operands() if item.key):
        yield words.label_words.list_property_words(name)
    linked = {link.stored.value for mention in mentions for link in mention.links}
    for each in graph.iterate_filters():
        values = [meaning.values[index].value for of in each.list_choices() for index in of]
        texts = [value for value in values if isinstance(value, str)]
        is_linked = bool(values) and len(texts) == len(values) and linked.issuperset(texts)
        is_of_moment = each.operator in OPEN_OPERATORS  # which the question says by other words
        if each.property and not is_linked and not is_of_moment:
            own = words.label_words.list_property_words(each.property)
            yield own.union(word for text in texts for word in bare_words(text))
