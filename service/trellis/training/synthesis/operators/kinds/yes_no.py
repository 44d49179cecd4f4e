"""Asks whether something is so: two nodes are related, one has more, one has any."""

from __future__ import annotations

from trellis.lexicon.property_phrases import is_number
from trellis.training.synthesis.operators.parts.asked_properties import (
    AskedProperty,
    add_number,
    add_unit,
    draw_compared,
    say_degree,
)
from trellis.training.synthesis.operators.parts.drawing import Drawing
from trellis.training.synthesis.operators.parts.patterns import Chain, write_named_node
from trellis.training.synthesis.operators.parts.topics import QuestionDraft, make_draft
from trellis.training.synthesis.operators.parts.verb_phrases import (
    ask_verb,
    find_behind_be,
    make_base,
)
from trellis.training.synthesis.predicates import list_predicates

_NOUN = 0.3  # probability that a relation is said by its noun, where it has verb phrases too
_MORE, _ABOVE = 0.7, 0.6  # shares of `more` in comparisons with a node, and with a number
_MUTUAL = 0.6  # probability that a relation that holds both ways is asked of two things together
_VERB = 0.3  # probability that a comparison is a property's own verb phrase


def ask_whether(drawing: Drawing) -> QuestionDraft | None:
    """Whether two named nodes are related."""
    kind = drawing.sets.draw_label()
    chain = drawing.draw_chain(kind.label, 1)
    if chain is None or not kind.naming:
        return None
    name = drawing.topics.add_name(kind)
    text = _say_relation(drawing, chain, name)
    hop = chain.hops[0]
    start = write_named_node("n", kind, name)
    end = chain.end.write("m")
    return make_draft(text, f"MATCH {start}, {end} RETURN EXISTS {{ (n){hop.write('(m)')} }}")


def ask_whether_more(drawing: Drawing) -> QuestionDraft | None:
    """Whether one named node has more of a property, or less, than another."""
    found = draw_compared(drawing)
    if found is None:
        return None
    kind = drawing.find_label(found.owner)
    is_more = drawing.words.flip(_MORE)
    name, other = drawing.topics.add_name(kind), drawing.topics.add_name(kind)
    text = _say_comparison(drawing, found, name, other, is_more=is_more)
    nodes = f"{write_named_node('n', kind, name)}, {write_named_node('m', kind, other)}"
    compared = f"{found.measure} {'>' if is_more else '<'} {found.other_measure}"
    return make_draft(text, f"MATCH {nodes} RETURN {compared}")


def ask_whether_value(drawing: Drawing) -> QuestionDraft | None:
    """Whether a named node's property is above or below a number."""
    found = draw_compared(drawing)
    if found is None or not is_number(found.kind):
        return None
    kind = drawing.find_label(found.owner)
    is_more = drawing.words.flip(_ABOVE)
    name, number = drawing.topics.add_name(kind), add_number(drawing, found.kind)
    value = add_unit(drawing, number, found)
    frames = "whether_above" if is_more else "whether_below"
    text = drawing.words.fill(frames, x=name, p=found.noun, v=value)
    compared = f"{found.measure} {'>' if is_more else '<'} {number}"
    return make_draft(text, f"MATCH {write_named_node('n', kind, name)} RETURN {compared}")


def ask_whether_any(drawing: Drawing) -> QuestionDraft | None:
    """Whether a named node has any of something."""
    sets = drawing.sets
    kind = sets.draw_label()
    hop = sets.hops.draw_hop(kind.label)
    if hop is None or not kind.naming:
        return None
    name = drawing.topics.add_name(kind)
    text = drawing.words.fill("whether_any", x=name, o=sets.find_noun(kind.label, hop))
    exists = f"EXISTS {{ (n){sets.hops.write_neighbours(kind.label, hop)} }}"
    return make_draft(text, f"MATCH {write_named_node('n', kind, name)} RETURN {exists}")


def _say_relation(drawing: Drawing, chain: Chain, name: str) -> str | None:
    """The question whether a chain leads back to a name; None where its relation has no words."""
    words, nouns = drawing.words, chain.phrases.nouns
    predicate = drawing.sets.pick_predicate(chain)
    if drawing.sets.hops.is_symmetric(chain.hops[0]) and words.flip(_MUTUAL):
        return _say_mutual_relation(drawing, chain, name)
    if nouns and words.flip(_NOUN if predicate else 1.0):
        return words.fill("whether_not_noun", o=words.pick(nouns), x=chain.end.text, y=name)
    if predicate is None:
        return None
    if behind := find_behind_be(predicate):
        return words.fill("whether_is", x=name, e=behind)
    return words.fill("whether_verb", x=name, a=predicate, d=make_base(predicate))


def _say_mutual_relation(drawing: Drawing, chain: Chain, name: str) -> str | None:
    """The question whether two names are related to one another; None where there are no words
    for it."""
    words = drawing.words
    shared = [
        make_base(predicate.removesuffix(" with {}").removesuffix(" {}"))
        for predicate in list_predicates(chain.phrases)
        if predicate.endswith(" with {}")
    ]
    noun = words.make_plural(words.pick(chain.phrases.nouns)) if chain.phrases.nouns else None
    kind = "mutual_verb" if shared and words.flip(0.5) else "mutual_noun"
    verb = words.pick(shared) if shared else None
    return words.fill(kind, x=name, y=chain.end.text, d=verb, o=noun)


def _say_comparison(
    drawing: Drawing, found: AskedProperty, name: str, other: str, *, is_more: bool
) -> str | None:
    """The question whether one name has more of a property than another; None where no frame
    fits."""
    words, phrases = drawing.words, found.phrases
    verbs = phrases.exceeds if is_more else phrases.trails
    if verbs and words.flip(_VERB):
        return ask_verb(name, words.pick(verbs).replace("{}", other))
    degree = say_degree(drawing, found, phrases.more if is_more else phrases.less, "m")
    return words.fill("whether_more" if is_more else "whether_less", x=name, y=other, **degree)
