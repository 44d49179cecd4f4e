"""Left-out words: words of a question by which a relation, a label or a flag is called, and which a
query leaves out.

`Who is the head of Cardiology` says HEADS, and nothing but it; `where do people known by Denise
live` says one of KNOWS and KNOWS_WELL, and `vehicle-related crimes` that there are vehicles. Of
two queries, the one without that relation or label was hardly meant.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trellis.domain.decoding import Sentence
from trellis.domain.links import Mention
from trellis.domain.schema import Schema
from trellis.lexicon.flag_phrases import find_flag_phrase
from trellis.linking.spans import parse_question
from trellis.linking.text import bare_words
from trellis.linking.value_index import has_same_stem
from trellis.steps.align.queries.answer_kinds import reweigh_queries
from trellis.steps.align.queries.possible_labels import find_possible_labels
from trellis.steps.describe.queries.read_meaning import QueryMeaning, read_meaning
from trellis.steps.link.mask_mentions import mask_mentions
from trellis.steps.link.vocabulary.schema_vocabulary import read_schema_vocabulary
from trellis.steps.link.vocabulary.unlinked_words import list_unlinked_words

_LEFT_OUT = 0.03
"""Weight of a query without a relation that a word names, where another query has it."""

_LABEL_LEFT_OUT = 1e-3
"""Weight of a query without what a label's noun names, where another query has it."""


def reweigh_left_out(
    question: str, mentions: Sequence[Mention], sentences: Sequence[Sentence], schema: Schema
) -> list[Sentence]:
    """The sentences, best first, with lower scores for those that leave out a relation which a word
    of the question names, where another sentence has it."""
    asked = parse_question(question)
    said = [
        asked.text_of(atom.span).lower()
        for atom in list_unlinked_words(asked, mentions)
        if not atom.has_name_shape
    ]
    words = read_schema_vocabulary(schema)
    telling = {word for word in said if words.find_relations(word)}
    missed = [len(_list_missed(each.text, telling)) for each in sentences]
    return _prefer_least_missing(sentences, missed, _LEFT_OUT)


def reweigh_labels_left_out(
    question: str, mentions: Sequence[Mention], sentences: Sequence[Sentence], schema: Schema
) -> list[Sentence]:
    """The sentences, best first, with lower scores for those that leave out what a label's noun in
    the question names, where another sentence has it."""
    said = read_schema_vocabulary(schema).find_said_nouns(mask_mentions(question, mentions))
    meanings = [read_meaning(each.values[0]) for each in sentences]
    missed = [len(find_missed_nouns(each, said, schema)) if each else 0 for each in meanings]
    return _prefer_least_missing(sentences, missed, _LABEL_LEFT_OUT)


def reweigh_flags_left_out(
    question: str, mentions: Sequence[Mention], sentences: Sequence[Sentence], schema: Schema
) -> list[Sentence]:
    """The sentences, best first, with lower scores for those that leave out a flag which the
    question says, where another sentence has it: `preferred suppliers from Germany`."""
    told = _find_said_flags(question, mentions, schema)
    if not told:
        return list(sentences)
    meanings = [read_meaning(each.values[0]) for each in sentences]
    have = [_list_properties(each) if each else None for each in meanings]
    missed = [0 if of is None else sum(map(of.isdisjoint, told)) for of in have]
    return _prefer_least_missing(sentences, missed, _LEFT_OUT)


def _find_said_flags(
    question: str, mentions: Sequence[Mention], schema: Schema
) -> list[frozenset[str]]:
    """The flags that the question says, each as the names of properties that are said so."""
    names: dict[str, set[str]] = {}
    for _, kind in schema.iterate_properties():
        if kind.is_flag:
            names.setdefault(find_flag_phrase(kind.name), set()).add(kind.name)
    said = f" {' '.join(bare_words(mask_mentions(question, mentions)))} "
    return [frozenset(its) for phrase, its in names.items() if f" {phrase} " in said]


def _list_properties(meaning: QueryMeaning) -> frozenset[str]:
    """The properties that a query filters by or gives."""
    items = (item.key for item in meaning.graph.list_operands())
    return frozenset((*items, *(each.property for each in meaning.graph.iterate_filters())))


def find_missed_nouns(
    meaning: QueryMeaning, said: Mapping[str, frozenset[str]], schema: Schema
) -> set[frozenset[str]]:
    """The names of the nouns of which a query has none, and no value that is called so: `vehicle
    crime`. `said`: nouns in small letters, and the names that they may stand for."""
    graph = meaning.graph
    have = frozenset[str]().union(*find_possible_labels(graph, schema))
    have |= {edge.type for edge in graph.edges}
    have |= {each.property for each in graph.iterate_filters()}
    have |= {item.key for item in graph.list_operands()}
    values = " ".join(str(literal.value) for literal in meaning.values).lower()
    return {names for noun, names in said.items() if have.isdisjoint(names) and noun not in values}


def _prefer_least_missing(
    sentences: Sequence[Sentence], missed: Sequence[int], weight: float
) -> list[Sentence]:
    """The sentences, best first, with a lower weight for those that miss more than others do."""
    least = min(missed, default=0)
    return reweigh_queries(sentences, [weight if many > least else 1.0 for many in missed])


def _list_missed(sentence: str, words: set[str]) -> set[str]:
    said = sentence.split()
    return {word for word in words if not any(has_same_stem(word, other) for other in said)}
