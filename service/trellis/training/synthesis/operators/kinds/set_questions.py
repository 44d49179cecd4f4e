"""Asks for all of a set, mostly with a filter, or by a filter of what its nodes are related to:
`customers with an order over t0`; and draws filtered sets for others."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from trellis.domain.identifiers import quote_name
from trellis.training.synthesis.operators.kinds.flags import match_flag
from trellis.training.synthesis.operators.kinds.relation_filters import (
    deny_any,
    deny_chain,
    need_any,
)
from trellis.training.synthesis.operators.kinds.value_filters import (
    compare_count,
    compare_number,
    compare_thing,
    compare_time,
    match_value,
)
from trellis.training.synthesis.operators.parts.drawing import Drawing, RestrictedSet
from trellis.training.synthesis.operators.parts.patterns import AskedSet, write_node
from trellis.training.synthesis.operators.parts.topics import QuestionDraft, make_draft

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

_INNER_FILTERS: Mapping[RestrictSet, float] = {
    match_flag: 3.0,
    compare_number: 5.0,
    compare_time: 4.0,
    compare_count: 1.5,
    deny_any: 1.0,
}
"""Filters of what nodes are related to, and their weights."""

_TRIES = 8
_PLAIN = 0.16  # probability that all nodes of a label are asked for
_TWO = 0.12  # probability of two filters
_EVERYONE = 0.3  # probability that `everyone` stands for the noun of persons
_ANYBODY = ("everyone", "everybody", "anyone", "anybody", "people")
_REQUESTS = ("", "", "list ", "show me ", "get me ", "find ", "give me ", "who is ")
_COUNT = 0.2  # share of questions for a number, of those by what nodes are related to
_NODE = re.compile(r"(?<![`'\w])n(?![`'\w])")
"""The node of a filter's condition, in no name and no value."""

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


def ask_by_inner(drawing: Drawing) -> QuestionDraft | None:
    """Nodes of a label that are related to such as meet a filter, or how many there are; None where
    the schema has none, or no words for them."""
    sets, words = drawing.sets, drawing.words
    label = sets.draw_label().label
    hop = sets.hops.draw_hop(label)
    if hop is None or not hop.label:
        return None
    noun = sets.pick_noun(hop.label)
    inner = words.draw_option(_INNER_FILTERS)(drawing, AskedSet(hop.label, noun, noun))
    if inner is None or inner.is_question or inner.asked.before:
        return None
    text = sets.describe_hop(label, sets.pick_noun(label), hop, inner.asked.text)
    [condition] = inner.asked.conditions
    if f"[:{quote_name(hop.type)}]" in condition:
        return None  # orders of customers without an order
    match = f"MATCH {write_node('n', label)}{hop.write(write_node('m', hop.label))}"
    found = f"{match} WHERE {_NODE.sub('m', condition)}"
    if text is None:
        return None
    if words.flip(_COUNT):
        return make_draft(words.fill("count", s=text), f"{found} RETURN count(DISTINCT n)")
    return QuestionDraft(words.ask_list(text), f"{found} RETURN DISTINCT n")
