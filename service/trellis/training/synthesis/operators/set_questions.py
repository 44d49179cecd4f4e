"""Asks for all of a set, mostly with a filter; and draws filtered sets for others."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from trellis.training.synthesis.operators.drawing import Drawing
from trellis.training.synthesis.operators.flags import match_flag
from trellis.training.synthesis.operators.patterns import AskedSet
from trellis.training.synthesis.operators.relation_filters import deny_any, deny_chain, need_any
from trellis.training.synthesis.operators.restricted_sets import RestrictedSet
from trellis.training.synthesis.operators.topics import QuestionDraft
from trellis.training.synthesis.operators.value_filters import (
    compare_count,
    compare_number,
    compare_thing,
    compare_time,
    match_value,
)

RestrictSet = Callable[[Drawing, AskedSet], RestrictedSet | None]
"""A filter of sets; None where a set's nodes have nothing that it needs."""

FILTERS: Mapping[RestrictSet, float] = {
    deny_chain: 3.5,
    deny_any: 2.5,
    need_any: 1.2,
    match_value: 9.0,
    match_flag: 5.0,
    compare_number: 6.5,
    compare_time: 4.0,
    compare_thing: 4.5,
    compare_count: 5.0,
}
"""Filters and their weights."""

_TRIES = 8
_PLAIN = 0.16  # probability that all nodes of a label are asked for
_TWO = 0.12  # probability of two filters
_EVERYONE = 0.3  # probability that `everyone` stands for the noun of persons
_ANYBODY = ("everyone", "everybody", "anyone", "anybody", "people")
_REQUESTS = ("", "", "list ", "show me ", "get me ", "find ", "give me ", "who is ")
_FILTERED = 0.2  # probability that a set which is counted or ranked has a filter too


def ask_for_set(drawing: Drawing) -> QuestionDraft | None:
    """All of a set, mostly with a filter."""
    asked = drawing.draw_set()
    if asked is None:
        return None
    if asked.is_bare and drawing.words.flip(_PLAIN):
        return _ask_all(drawing, asked)
    for _ in range(2 if drawing.words.flip(_TWO) else 1):
        restricted = _restrict_set(drawing, asked)
        if restricted is None:
            return None
        asked = restricted.asked
        if restricted.is_question:
            return QuestionDraft(asked.text, f"{asked.write()}RETURN {asked.distinct}n")
    return _ask_all(drawing, asked)


def draw_filtered_set(drawing: Drawing, label: str | None = None) -> AskedSet | None:
    """A set, of any label where none is given, now and then with a filter; None where the schema
    has none."""
    asked = drawing.draw_set(label)
    if asked is None or not drawing.words.flip(_FILTERED):
        return asked
    kept = len(drawing.topics.listed)
    for _ in range(_TRIES):
        restricted = _restrict_set(drawing, asked)
        if restricted is not None and not restricted.is_question:
            return restricted.asked
        drawing.topics.forget_topics(kept)
    return None


def _restrict_set(drawing: Drawing, asked: AskedSet) -> RestrictedSet | None:
    """The set with one more filter; None where it does not fit."""
    restrict = drawing.words.draw_option(FILTERS)
    return restrict(drawing, asked)


def _ask_all(drawing: Drawing, asked: AskedSet) -> QuestionDraft:
    words = drawing.words
    behind = asked.text.removeprefix(f"{asked.noun} ")
    is_anybody = asked.label == drawing.sets.anybody and behind != asked.text
    if is_anybody and words.flip(_EVERYONE):
        text = f"{words.pick(_REQUESTS)}{words.pick(_ANYBODY)} {behind}"
    else:
        text = words.ask_list(asked.text)
    return QuestionDraft(text, f"{asked.write()}RETURN {asked.distinct}n")
