"""Said steps: how much of a path the question speaks of.

Inside the language of the graph a false premise finds a way round: the capital of the Danube is
then the capital of a country that it flows through, by a relation of which nobody said a word.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from trellis.domain.graphs.graph import Step
from trellis.lexicon.names import strip_endings
from trellis.lexicon.phrasebook import list_relation_stems
from trellis.linking.text import bare_words
from trellis.linking.values.value_index import has_same_stem
from trellis.steps.link.question_form import QuestionForm
from trellis.steps.link.vocabulary.schema_vocabulary import SchemaVocabulary

_TELLING = frozenset(("who", "when", "where"))
"""Question words that say what a step leads to; `what` says nothing of it."""

_MOST_OTHERS = 2  # words of other relations that are counted

_ASKING = re.compile(r"^\W*(?:and )?(who|when|where)\b", re.IGNORECASE)


def measure_said_steps(form: QuestionForm, steps: Sequence[Step]) -> float:
    """The share of some steps of which the question says a word beside the names that it
    mentions: one of the relation's name or its phrases, or of what the step leads to; 1 of none.

    A last step that people ask for by another question word than the question begins with is not
    said: who founded a town is not where that is found.
    """
    if not steps:
        return 1.0
    words = form.vocabulary
    flags = [_is_said(step, form.word_stems, words) for step in steps]
    asking, own = _ASKING.match(form.text), words.relations.find_question_word(steps[-1])
    if asking and own in _TELLING and own != asking[1].lower():
        flags[-1] = False
    return sum(flags) / len(flags)


def measure_own_words(form: QuestionForm, steps: Sequence[Step], reading: str) -> float:
    """How far the question says no words of relations, as the general lexicon knows them, but those
    of an answer's `steps`, of its `reading` and of labels: 1 for none, 0 for two or more. Who sold
    a ship is not who owns it."""
    known = {strip_endings(word) for word in bare_words(f"{reading} {' '.join(form.label_nouns)}")}
    own = known.union(*(form.vocabulary.relations.list_step_words(step) for step in steps))
    others = [
        stem
        for stem in form.word_stems & list_relation_stems()
        if not any(has_same_stem(stem, word) for word in own)
    ]
    return 1 - min(_MOST_OTHERS, len(others)) / _MOST_OTHERS


def _is_said(step: Step, said: frozenset[str], words: SchemaVocabulary) -> bool:
    known = words.relations.list_step_words(step)
    return words.relations.find_question_word(step) in said & _TELLING or any(
        has_same_stem(word, other) for word in said for other in known
    )
