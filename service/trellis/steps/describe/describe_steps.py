"""Steps as English phrases: `has capital`, and against the relationship `what flows through it`."""

from __future__ import annotations

from collections.abc import Sequence

from trellis.domain.graph import Step
from trellis.domain.sentences import relation_words
from trellis.steps.describe.phrases import RelationPhrase

_PREPOSITIONS = frozenset(
    [
        "about",
        "after",
        "against",
        "along",
        "around",
        "at",
        "before",
        "behind",
        "below",
        "beside",
        "between",
        "by",
        "during",
        "for",
        "from",
        "in",
        "inside",
        "into",
        "near",
        "of",
        "off",
        "on",
        "onto",
        "over",
        "past",
        "through",
        "to",
        "toward",
        "under",
        "until",
        "upon",
        "with",
    ]
)


def describe_step(step: Step) -> str:
    """`has capital`; against the relationship `what has it as capital`."""
    words = " ".join(relation_words(step.relation)) or step.relation
    if not step.reversed:
        return words
    phrase = RelationPhrase.of(words)
    if phrase.kind != "has":
        *first, last = phrase.write_predicate("", is_plural=False).split()
        is_open = last in _PREPOSITIONS or not first  # the node stands behind it
        return f"what {' '.join((*first, last))} it" if is_open else _insert_node(first, last)
    noun = " ".join(phrase.words)
    return f"what has it as {noun}" if words != noun else f"what it is the {noun} of"


def _insert_node(first: Sequence[str], noun: str) -> str:
    """`what is in it as country`, `what uses it as currency`."""
    return f"what {' '.join(first)} it as {noun}"
