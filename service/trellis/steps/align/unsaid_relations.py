"""Unsaid relations: nouns by which a question names a relation that an answer does not rest on.

`Which rivers have a capital on them` is not answered by rivers with a city, however many there are.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from trellis.domain.links import Mention
from trellis.steps.link.mask_mentions import mask_mentions
from trellis.steps.link.vocabulary.schema_vocabulary import SchemaVocabulary


def find_unsaid_relations(
    question: str,
    mentions: Sequence[Mention],
    relations: Collection[str],
    values: Collection[str],
    words: SchemaVocabulary,
) -> list[str]:
    """The nouns of a question that name a relation which is not among those of an answer, nor in
    the values that it compares with: `Investigation complete`."""
    said = words.match_relation_nouns(mask_mentions(question, mentions))
    if not said:
        return []
    compared = " ".join(values).lower()
    return [
        noun
        for noun, relation in said.items()
        if relation not in relations and noun not in compared
    ]
