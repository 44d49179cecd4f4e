"""Left-out words: a question's words that only one relation is called by, and a query leaves out.

`Who is the head of Cardiology` says HEADS, and nothing but it. Of two queries, the one without that
relation was hardly meant.
"""

from __future__ import annotations

from collections.abc import Sequence

from trellis.domain.decoding import Sentence
from trellis.domain.links import Mention
from trellis.domain.schema import Schema
from trellis.linking.spans import parse_question
from trellis.linking.value_index import has_same_stem
from trellis.steps.queries.answer_kinds import reweigh_queries
from trellis.steps.shared.label_words import read_label_words
from trellis.steps.shared.unlinked_words import list_unlinked_words

_LEFT_OUT = 0.03
"""Weight of a query without a relation that a word names, where another query has it."""


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
    words = read_label_words(schema)
    telling = {word for word in said if words.find_relation(word)}
    missed = [_list_missed(each.text, telling) for each in sentences]
    least = min(map(len, missed), default=0)
    weights = [_LEFT_OUT if len(words) > least else 1.0 for words in missed]
    return reweigh_queries(sentences, weights)


def _list_missed(sentence: str, words: set[str]) -> set[str]:
    said = sentence.split()
    return {word for word in words if not any(has_same_stem(word, other) for other in said)}
