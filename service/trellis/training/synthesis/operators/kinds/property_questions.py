"""Asks for values of properties, and for the nodes that have a value."""

from __future__ import annotations

from dataclasses import replace

from trellis.domain.graphs.schema import LabelKind
from trellis.training.synthesis.operators.parts.asked_properties import (
    AskedProperty,
    add_value,
    draw_property,
)
from trellis.training.synthesis.operators.parts.drawing import Drawing
from trellis.training.synthesis.operators.parts.patterns import AskedSet, write_node
from trellis.training.synthesis.operators.parts.topics import QuestionDraft, make_draft

_NAMED = 0.62  # probability that a property is asked of a named node, not of a path's end
_OF_SET = 0.4  # probability that it then is asked of all that meet some conditions
_OWN_QUESTION = 0.6  # probability of one of a property's own questions
_WHICH, _EQUAL = 0.5, 0.75  # shares of questions by value in a property's own questions; phrases
_VALUES = ("STRING", "INTEGER", "FLOAT")  # types of values that a question can say


def ask_property(drawing: Drawing) -> QuestionDraft | None:
    """A property of a named node, of one that a path leads to, or of all that meet conditions."""
    asked = draw_property(drawing)
    if asked is None:
        return None
    kind = drawing.find_label(asked.owner)
    if drawing.words.flip(_NAMED):
        node = drawing.draw_node(kind.label, without=asked.kind.name)
        if node is None:
            return None
        text = _say_property(drawing, asked, node.text)
        distinct = "" if node.is_single and node.values[0][0] == kind.naming else "DISTINCT "
        return QuestionDraft(text, f"MATCH {node.write('n')} RETURN {distinct}{asked.column}")
    found = _draw_set(drawing, kind) if drawing.words.flip(_OF_SET) else _draw_end(drawing, kind)
    if found is None:
        return None
    text = _say_property(drawing, asked, found.text)
    return QuestionDraft(text, f"{found.write()}RETURN DISTINCT {asked.column}")


def _draw_set(drawing: Drawing, kind: LabelKind) -> AskedSet | None:
    """Nodes of a label that meet some conditions; None where the schema has none."""
    found = drawing.draw_set(kind.label)
    if found is None or found.is_bare:
        return None
    return replace(found, text=f"{drawing.words.pick(('', 'the '))}{found.text}")


def _draw_end(drawing: Drawing, kind: LabelKind) -> AskedSet | None:
    """What a short path from a named node leads to; None where the schema has no such path."""
    chain = drawing.draw_short_chain(kind.label)
    if chain is None:
        return None
    inner = drawing.sets.asker.make_noun_phrase(chain.phrases, chain.inner)
    return AskedSet(kind.label, "", inner, (chain.write(),))


def ask_by_value(drawing: Drawing) -> QuestionDraft | None:
    """The nodes that have a value."""
    asked = draw_property(drawing)
    if asked is None or asked.kind.type not in _VALUES:
        return None
    noun = drawing.sets.pick_noun(asked.owner)
    value = add_value(drawing, asked)
    text = _say_by_value(drawing, asked, noun, value)
    if text is None:
        return None
    literal = f"'{value}'" if asked.kind.type == "STRING" else value
    match = f"MATCH {write_node('n', asked.owner)} WHERE {asked.column} = {literal}"
    return QuestionDraft(text, f"{match} RETURN n")


def ask_property_each(drawing: Drawing) -> QuestionDraft | None:
    """A property of each node of a set."""
    asked = draw_property(drawing)
    found = drawing.draw_set(asked.owner, 1) if asked else None
    if asked is None or found is None:
        return None
    text = drawing.words.fill("property_each", p=asked.noun, s=found.text)
    return make_draft(text, f"{found.write()}RETURN DISTINCT n, {asked.column}")


def _say_property(drawing: Drawing, asked: AskedProperty, name: str) -> str:
    """The question for a property of something that words name."""
    words = drawing.words
    if asked.phrases.asks and words.flip(_OWN_QUESTION):
        return words.pick(asked.phrases.asks).replace("{}", name)
    return frame_property(drawing, asked.noun, name)


def frame_property(drawing: Drawing, noun: str, name: str) -> str:
    """The question for what a noun says of something that words name."""
    return drawing.words.fill("property", p=noun, x=name) or f"{noun} of {name}"


def _say_by_value(drawing: Drawing, asked: AskedProperty, noun: str, value: str) -> str | None:
    """The question for the nodes that have a value; None where no frame fits."""
    words, phrases = drawing.words, asked.phrases
    draw = words.choice.random()
    if phrases.which and draw < _WHICH:
        return words.pick(phrases.which).replace("{n}", noun).replace("{}", value)
    if phrases.equal and draw < _EQUAL:
        return words.ask_list(f"{noun} {words.pick(phrases.equal).replace('{}', value)}")
    filled = words.fill_either("equal", s=noun, p=asked.noun, v=value)
    if filled is None:
        return None
    return filled.text if filled.is_question else words.ask_list(filled.text)
