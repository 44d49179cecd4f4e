"""Asks for the first or the last of a set, or of two nodes: by a property, or by how much of
something they have."""

from __future__ import annotations

from collections.abc import Mapping

from trellis.training.synthesis.operators.kinds.set_questions import draw_filtered_set
from trellis.training.synthesis.operators.parts.asked_properties import (
    AskedProperty,
    draw_compared,
    draw_property,
    say_degree,
)
from trellis.training.synthesis.operators.parts.drawing import Drawing
from trellis.training.synthesis.operators.parts.patterns import AskedSet, write_two_named
from trellis.training.synthesis.operators.parts.topics import QuestionDraft, make_draft

_MOST = 0.68  # share of the most, beside the least, of a property
_MOST_THINGS = 0.8  # the same of something that nodes have
_MORE = 0.7  # share of `more`, beside `less`, of two nodes
_THINGS = 0.3  # probability that a property of two nodes is said by what it counts
_SEVERAL = 0.25  # probability that several are asked for which have the most of something
_ROWS = (2, 3, 3, 3, 4, 5, 5, 5, 6, 7, 8, 9, 10, 10, 12, 15, 20)
_TOP_WORDS = ("which", "what is the", "the", "which is the", "what", "name the")
_SKIPS = {"second": "SKIP 1 ", "third": "SKIP 2 ", "second_least": "SKIP 1 "}

_MOST_RANKS: Mapping[str, float] = {
    "most": 12.0,
    "most_k": 5.0,
    "tops": 3.0,
    "second": 2.0,
    "third": 0.8,
}
_LEAST_RANKS: Mapping[str, float] = {
    "least": 12.0,
    "least_k": 5.0,
    "tops": 3.0,
    "second_least": 0.8,
}
"""Kinds of ranks and their weights: of frames, and `tops` a property's own phrases."""


def ask_best(drawing: Drawing) -> QuestionDraft | None:
    """The first of a set by a property, or the first few, or the second or third."""
    found = draw_property(drawing, ordered=True)
    asked = draw_filtered_set(drawing, found.owner) if found else None
    if found is None or asked is None:
        return None
    is_most = drawing.words.flip(_MOST)
    ranking = _rank_set(drawing, asked, found, is_most=is_most)
    if ranking is None:
        return None
    text, rows = ranking
    order = f"ORDER BY {found.measure}{' DESC' if is_most else ''} {rows}"
    query = asked.write(*found.conditions)
    return QuestionDraft(text, f"{query}RETURN {asked.distinct}n {order}")


def ask_richest(drawing: Drawing) -> QuestionDraft | None:
    """The first of a set by how many of something it has, or the first few."""
    sets, words = drawing.sets, drawing.words
    asked = drawing.draw_set()
    hop = sets.hops.draw_many(asked.label) if asked else None
    if asked is None or hop is None:
        return None
    is_most = words.flip(_MOST_THINGS)
    noun = words.make_plural(sets.find_noun(asked.label, hop))
    rows = 1
    if is_most and words.flip(_SEVERAL):
        rows = words.choice.choice(_ROWS)
        number = drawing.topics.add_number(rows)
        text = words.fill_with("k", "most_of_k", s=asked.text, o=noun, k=number)
    else:
        text = words.fill("most_of" if is_most else "least_of", s=asked.text, o=noun)
    count = f"COUNT {{ (n){sets.hops.write_neighbours(asked.label, hop)} }}"
    order = f"ORDER BY {count}{' DESC' if is_most else ''} LIMIT {rows}"
    return make_draft(text, f"{asked.ask_existence().write()}RETURN n {order}")


def _rank_set(
    drawing: Drawing, asked: AskedSet, found: AskedProperty, *, is_most: bool
) -> tuple[str, str] | None:
    """The words for the first of a set by a property, and the rows that they mean; None where there
    are none."""
    words, phrases = drawing.words, found.phrases
    degree = say_degree(drawing, found, phrases.most if is_most else phrases.least, "t")
    rank = words.draw_option(_MOST_RANKS if is_most else _LEAST_RANKS)
    if rank == "tops":
        return _rank_by_phrase(drawing, asked, phrases.tops if is_most else phrases.bottoms)
    if rank.endswith("_k"):
        rows = words.choice.choice(_ROWS)
        number = drawing.topics.add_number(rows)
        text = words.fill_with("k", rank, s=asked.text, k=number, **degree)
        return (text, f"LIMIT {rows}") if text else None
    text = words.fill(rank, s=asked.text, **degree)
    return (text, f"{_SKIPS.get(rank, '')}LIMIT 1") if text else None


def _rank_by_phrase(
    drawing: Drawing, asked: AskedSet, phrases: tuple[str, ...]
) -> tuple[str, str] | None:
    """The same in one of a property's own phrases; None where it has none."""
    if not phrases:
        return None
    described = f"{asked.text} {drawing.words.pick(phrases)}"
    return f"{drawing.words.pick(_TOP_WORDS)} {described}", "LIMIT 1"


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
