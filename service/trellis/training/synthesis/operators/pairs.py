"""Asks which of two named nodes has more: of a property, or of something."""

from __future__ import annotations

from trellis.training.synthesis.operators.asked_properties import draw_compared, say_degree
from trellis.training.synthesis.operators.drawing import Drawing
from trellis.training.synthesis.operators.patterns import write_two_named
from trellis.training.synthesis.operators.topics import QuestionDraft, make_draft

_MORE = 0.7  # share of `more`, beside `less`
_THINGS = 0.3  # probability that a property is said by what it counts


def compare_two(drawing: Drawing) -> QuestionDraft | None:
    """Which of two named nodes has more of a property, or less."""
    words, found = drawing.words, draw_compared(drawing)
    if found is None:
        return None
    kind = drawing.find_label(found.owner)
    is_more = words.flip(_MORE)
    names = drawing.topics.add_name(kind), drawing.topics.add_name(kind)
    adjectives = found.phrases.more if is_more else found.phrases.less
    degree = say_degree(drawing, found, adjectives, "m")
    things = found.phrases.things
    if is_more and things and words.flip(_THINGS):
        text = words.fill("of_more", o=words.pick(things), x=names[0], y=names[1])
    else:
        frames = "greater_of_two" if is_more else "lesser_of_two"
        text = words.fill(frames, x=names[0], y=names[1], **degree)
    order = f"ORDER BY {found.measure}{' DESC' if is_more else ''} LIMIT 1"
    return make_draft(text, f"{write_two_named(kind, names)} RETURN n {order}")


def compare_two_counts(drawing: Drawing) -> QuestionDraft | None:
    """Which of two named nodes has more of something."""
    sets, words = drawing.sets, drawing.words
    kind = sets.draw_label()
    hop = sets.hops.draw_many(kind.label)
    if hop is None or not kind.naming:
        return None
    noun = words.make_plural(sets.find_noun(kind.label, hop))
    names = drawing.topics.add_name(kind), drawing.topics.add_name(kind)
    text = words.fill("of_more", o=noun, x=names[0], y=names[1])
    order = f"ORDER BY COUNT {{ (n){sets.hops.write_neighbours(kind.label, hop)} }} DESC LIMIT 1"
    return make_draft(text, f"{write_two_named(kind, names)} RETURN n {order}")
