"""Asks for what meets one condition but not another, either of some, or neither of two."""

from __future__ import annotations

from dataclasses import replace

from trellis.domain.identifiers import quote_name
from trellis.training.synthesis.operators.parts.drawing import Drawing
from trellis.training.synthesis.operators.parts.patterns import AskedSet, Chain, write_absence
from trellis.training.synthesis.operators.parts.topics import QuestionDraft, make_draft
from trellis.training.synthesis.operators.parts.verb_phrases import negate_predicate

_THERE = 0.15  # probability that both conditions are about one name: `not there`
_SAME = 0.5  # probability that both conditions are of one relation, with two names
_NOUN_PHRASE = 0.2  # probability that a condition is said by a noun phrase, not by a verb
_THREE = 0.3  # probability of a third name
_OWN_QUESTION, _VERBS = 0.35, 0.5  # shares of a relation's own questions; and of two verb phrases
_COUNTED = 0.07  # probability that alternatives are counted


def ask_but_not(drawing: Drawing) -> QuestionDraft | None:
    """The nodes for which one condition holds and another does not."""
    kind = drawing.sets.draw_label()
    first = drawing.draw_short_chain(kind.label)
    if first is None:
        return None
    noun = drawing.sets.pick_noun(kind.label)
    predicate = drawing.sets.pick_predicate(first)
    second: Chain | None
    if drawing.words.flip(_THERE):
        return _ask_not_there(drawing, kind.label, noun, first)
    if first.end.is_single and drawing.words.flip(_SAME):
        second = drawing.repeat_chain(first)
        text = _deny_name(drawing, noun, first, second, predicate)
    else:
        second = drawing.draw_chain(kind.label, 1)
        text = _deny_predicate(drawing, noun, second, predicate) if second else None
    if second is None or text is None:
        return None
    condition = write_absence(second.write())
    asked = AskedSet(kind.label, noun, text, (first.write(),), (condition,))
    return QuestionDraft(text, f"{asked.write()}RETURN DISTINCT n")


def _ask_not_there(drawing: Drawing, label: str, noun: str, first: Chain) -> QuestionDraft | None:
    """What one relation leads to from a name, and another does not: `through v0, but not begin
    there`; None where no other relation leads there, or there are no words."""
    sets = drawing.sets
    hop = sets.hops.draw_hop(label)
    if hop is None or len(first.hops) > 1 or hop.label != first.hops[0].label:
        return None
    if first.end.text != first.topic:
        return None
    second = sets.word_chain(label, (hop,), first.end)
    predicate, other = sets.pick_predicate(first), sets.pick_predicate(second)
    if predicate is None or other is None or (hop.type == first.hops[0].type):
        return None
    place = f" in {first.topic}"
    again = other.replace(place, " there") if place in other else other.replace(first.topic, "it")
    denied = negate_predicate(again, drawing.words.choice)
    text = drawing.words.fill("but_not", n=noun, a=predicate, c=denied)
    absent = f"NOT EXISTS {{ (n){hop.write('(m)')} }}"
    asked = AskedSet(label, noun, "", (first.write("m"),), (absent,))
    return make_draft(text, f"{asked.write()}RETURN DISTINCT n")


def ask_either(drawing: Drawing) -> QuestionDraft | None:
    """The nodes that a path leads to from one name or another, or how many they are."""
    kind = drawing.sets.draw_label()
    chain = drawing.draw_short_chain(kind.label)
    if chain is None or not chain.end.is_single:
        return None
    names = _add_alternatives(drawing, chain)
    slots = dict(zip("xyz", names, strict=False))
    either = drawing.words.fill_with("".join(slots), "or", **slots)
    if either is None:
        return None
    text = _say_either(drawing, kind.label, chain, names, either)
    query = _write_either(kind.label, chain, names)
    if drawing.words.flip(_COUNTED):
        described = _describe_either(drawing, kind.label, chain, either)
        text = drawing.words.fill("count", s=described) or text
        return QuestionDraft(text, f"{query}RETURN count(DISTINCT n)")
    return QuestionDraft(text, f"{query}RETURN DISTINCT n")


def ask_neither(drawing: Drawing) -> QuestionDraft | None:
    """The nodes of a set for which neither of two conditions holds."""
    kind = drawing.sets.draw_label()
    asked = drawing.draw_set(kind.label, 1 if drawing.words.flip(0.5) else 0)
    first = drawing.draw_chain(kind.label, 1)
    if asked is None or first is None:
        return None
    is_same = first.end.is_single and drawing.words.flip(_SAME)
    second = drawing.repeat_chain(first) if is_same else drawing.draw_chain(kind.label, 1)
    if second is None:
        return None
    a, b = drawing.sets.pick_predicate(first), drawing.sets.pick_predicate(second)
    text = drawing.words.fill("neither", n=asked.text, a=a, b=b) if a and b else None
    conditions = tuple(write_absence(chain.write()) for chain in (first, second))
    asked = replace(asked, conditions=(*asked.conditions, *conditions))
    return make_draft(text, f"{asked.write()}RETURN {asked.distinct}n")


def _deny_name(
    drawing: Drawing, noun: str, first: Chain, second: Chain, predicate: str | None
) -> str | None:
    """The question for what one name leads to and another does not; None where no frame fits."""
    sets, words = drawing.sets, drawing.words
    names = words.fill("but_not_name", x=first.inner, y=second.inner)
    if names is None:
        return None
    if predicate is None or words.flip(_NOUN_PHRASE):
        return words.ask_list(sets.asker.make_noun_phrase(first.phrases, names))
    said = sets.pick_predicate(first, names)
    return words.ask_list(f"{noun} {words.pick(('that', 'which', ''))} {said}")


def _deny_predicate(
    drawing: Drawing, noun: str, second: Chain, predicate: str | None
) -> str | None:
    """The question for what a verb phrase holds of, and another does not; None where a relation
    has no verb phrase, or no frame fits."""
    other = drawing.sets.pick_predicate(second)
    if predicate is None or other is None:
        return None
    denied = negate_predicate(other, drawing.words.choice)
    return drawing.words.fill("but_not", n=noun, a=predicate, c=denied)


def _add_alternatives(drawing: Drawing, chain: Chain) -> list[str]:
    """The name at the end of a chain, and one or two more."""
    others = 2 if drawing.words.flip(_THREE) else 1
    add_value = drawing.topics.add_value
    return [chain.topic, *(add_value(chain.end.label, chain.naming) for _ in range(others))]


def _write_either(label: str, chain: Chain, names: list[str]) -> str:
    """What a chain leads back to from any of some names, as Cypher up to its `RETURN`."""
    listed = ", ".join(f"'{name}'" for name in names)
    condition = f"m.{quote_name(chain.naming)} IN [{listed}]"
    return AskedSet(label, "", "", (chain.write_open("m"),), (condition,)).write()


def _say_either(drawing: Drawing, label: str, chain: Chain, names: list[str], either: str) -> str:
    """The question for what a chain leads back to; `either`: the words for its names."""
    sets, words = drawing.sets, drawing.words
    draw = words.choice.random()
    if draw < _OWN_QUESTION and chain.phrases.asks:
        inner = chain.inner.replace(chain.topic, either)
        return sets.asker.ask_last_step(chain.phrases, inner)
    if draw < _VERBS and len(names) == 2:
        predicate = sets.pick_predicate(chain)
        noun = sets.pick_noun(label)
        other = predicate.replace(chain.topic, names[1]) if predicate else None
        filled = words.fill("or_verb", n=noun, a=predicate, b=other) if predicate else None
        if filled:
            return filled
    return words.ask_list(_describe_either(drawing, label, chain, either))


def _describe_either(drawing: Drawing, label: str, chain: Chain, either: str) -> str:
    """The noun phrase of a chain with alternatives in place of its name."""
    sets = drawing.sets
    noun = sets.pick_noun(label)
    inner = replace(chain, inner=chain.inner.replace(chain.topic, either))
    described = sets.describe_set(AskedSet(label, noun, noun), inner)
    return described or sets.asker.make_noun_phrase(chain.phrases, inner.inner)
