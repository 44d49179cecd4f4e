"""Asks for the nodes at the end of a path, and for those that two paths share."""

from __future__ import annotations

from trellis.training.synthesis.operators.drawing import Drawing
from trellis.training.synthesis.operators.patterns import AskedSet, Chain
from trellis.training.synthesis.operators.topics import QuestionDraft

_BOTH = 0.7  # probability that two conditions are said by two verb phrases


def ask_path(drawing: Drawing) -> QuestionDraft | None:
    """The nodes at the end of a path, asked in the words of its last relation."""
    sets = drawing.sets
    kind = sets.draw_label()
    chain = drawing.draw_chain(kind.label)
    if chain is None:
        return None
    label, chain = sets.open_label(kind.label, chain)
    text = sets.asker.ask_last_step(chain.phrases, chain.inner)
    asked = AskedSet(label, "", text, (chain.write(),))
    return QuestionDraft(text, f"{asked.write()}RETURN DISTINCT n")


def ask_both(drawing: Drawing) -> QuestionDraft | None:
    """The nodes that two paths lead to."""
    kind = drawing.sets.draw_label()
    first = drawing.draw_short_chain(kind.label)
    second = drawing.draw_chain(kind.label, 1)
    if first is None or second is None:
        return None
    text = _say_both(drawing, kind.label, first, second)
    if text is None:
        return None
    asked = AskedSet(kind.label, "", text, (first.write(), second.write()))
    return QuestionDraft(text, f"{asked.write()}RETURN DISTINCT n")


def _say_both(drawing: Drawing, label: str, first: Chain, second: Chain) -> str | None:
    """The question for what two chains lead back to; None where there are no words for it."""
    sets, words = drawing.sets, drawing.words
    a, b = sets.pick_predicate(first), sets.pick_predicate(second)
    noun = sets.pick_noun(label)
    if a and b and words.flip(_BOTH):
        text = words.fill("both", n=noun, a=a, b=b)
        if text:
            return text
    described = sets.describe_set(AskedSet(label, noun, noun), first)
    return words.ask_list(f"{described} that {b}") if described and b else None
