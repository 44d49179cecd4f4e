"""Narrow the language: to the queries that give what a question asks for, where none was written.

`What quantity of places belongs to SK7?` asks for a number, by whatever words a model learnt to
count.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from trellis.automata.cypher.language import CypherLanguage
from trellis.domain.decoding import Sentence
from trellis.domain.links import Mention
from trellis.steps.align.queries.answer_kinds import find_asked_items

_SHARE = 0.5  # of the probability, for each of the two languages


def narrow_to_asked(
    question: str,
    mentions: Sequence[Mention],
    sentences: Sequence[Sentence],
    language: CypherLanguage,
) -> CypherLanguage | None:
    """The part of the language whose sentences give what is asked for, where hardly any of some
    sentences does; None where one does, where no word tells what is asked for, or nothing is of
    that kind."""
    items = find_asked_items(question, mentions, sentences, language.known)
    if not items:
        return None
    narrowed = CypherLanguage(
        language.known, language.linked_values, language.options, language.groundings, items
    )
    return None if narrowed.is_empty() else narrowed


def join_narrowed(sentences: Sequence[Sentence], narrowed: Sequence[Sentence]) -> list[Sentence]:
    """The sentences of a language and of its narrowed part, which share the probability; each
    once."""
    again = {each.text for each in narrowed}
    joined = (*(each for each in sentences if each.text not in again), *narrowed)
    return [replace(each, score=each.score + math.log(_SHARE)) for each in joined]
