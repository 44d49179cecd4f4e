"""Asks how many there are of something, and for totals, averages and extremes of a property."""

from __future__ import annotations

from trellis.lexicon.property_phrases import is_number
from trellis.training.synthesis.operators.asked_properties import draw_property
from trellis.training.synthesis.operators.drawing import Drawing
from trellis.training.synthesis.operators.patterns import AskedSet
from trellis.training.synthesis.operators.set_questions import draw_filtered_set
from trellis.training.synthesis.operators.topics import QuestionDraft, make_draft

_VERB = 0.4  # probability that a number of things is asked by their verb phrase
_AGGREGATES = (
    ("total", "sum"),
    ("average", "avg"),
    ("highest_value", "max"),
    ("lowest_value", "min"),
)
"""Kinds of frames, and Cypher's functions."""


def ask_count(drawing: Drawing) -> QuestionDraft | None:
    """How many nodes a set has."""
    asked = draw_filtered_set(drawing)
    if asked is None:
        return None
    text = drawing.words.fill("count", s=asked.text)
    return make_draft(text, f"{asked.write()}RETURN count(DISTINCT n)")


def ask_how_many(drawing: Drawing) -> QuestionDraft | None:
    """How many of something a named node has."""
    sets, words = drawing.sets, drawing.words
    kind = sets.draw_label()
    chain = drawing.draw_chain(kind.label, 1)
    if chain is None:
        return None
    label, chain = sets.open_label(kind.label, chain)
    nouns = chain.phrases.nouns or chain.phrases.types
    if not nouns:
        return None
    noun = words.make_plural(words.pick(nouns))
    text = words.fill("how_many_of", o=noun, x=chain.inner)
    predicate = sets.pick_predicate(chain)
    if predicate and words.flip(_VERB):
        start = words.pick(("how many", "what number of"))
        text = f"{start} {sets.pick_noun(kind.label)} {predicate}"
        label = kind.label
    asked = AskedSet(label, "", "", (chain.write(),))
    return make_draft(text, f"{asked.write()}RETURN count(DISTINCT n)")


def ask_aggregate(drawing: Drawing) -> QuestionDraft | None:
    """The total, average, highest or lowest value of a property in a set."""
    found = draw_property(drawing, ordered=True)
    if found is None or not is_number(found.kind):
        return None
    asked = drawing.draw_set(found.owner)
    if asked is None:
        return None
    kind, function = drawing.words.choice.choice(_AGGREGATES)
    text = drawing.words.fill(kind, p=found.noun, s=asked.text)
    return make_draft(text, f"{asked.write()}RETURN {function}({found.measure})")
