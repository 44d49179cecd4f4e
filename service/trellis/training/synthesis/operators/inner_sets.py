"""Asks for nodes by a filter of what they are related to: customers with an order over t0."""

from __future__ import annotations

import re
from collections.abc import Mapping

from trellis.domain.identifiers import quote_name
from trellis.training.synthesis.operators.drawing import Drawing
from trellis.training.synthesis.operators.flags import match_flag
from trellis.training.synthesis.operators.patterns import AskedSet, write_node
from trellis.training.synthesis.operators.relation_filters import deny_any
from trellis.training.synthesis.operators.set_questions import RestrictSet
from trellis.training.synthesis.operators.topics import QuestionDraft, make_draft
from trellis.training.synthesis.operators.value_filters import (
    compare_count,
    compare_number,
    compare_time,
)

_FILTERS: Mapping[RestrictSet, float] = {
    match_flag: 3.0,
    compare_number: 5.0,
    compare_time: 4.0,
    compare_count: 1.5,
    deny_any: 1.0,
}
"""Filters of what nodes are related to, and their weights."""

_COUNT = 0.2  # share of questions for a number
_NODE = re.compile(r"(?<![`'\w])n(?![`'\w])")
"""The node of a filter's condition, in no name and no value."""


def ask_by_inner(drawing: Drawing) -> QuestionDraft | None:
    """Nodes of a label that are related to such as meet a filter, or how many there are; None where
    the schema has none, or no words for them."""
    sets, words = drawing.sets, drawing.words
    label = sets.draw_label().label
    hop = sets.hops.draw_hop(label)
    if hop is None or not hop.label:
        return None
    noun = sets.pick_noun(hop.label)
    inner = words.draw_option(_FILTERS)(drawing, AskedSet(hop.label, noun, noun))
    if inner is None or inner.is_question or inner.asked.before:
        return None
    own = sets.pick_noun(label)
    text = sets.describe_hop(AskedSet(label, own, own), hop, inner.asked.text)
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
