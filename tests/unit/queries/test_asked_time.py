"""A question of when is not answered by what is no time."""

from __future__ import annotations

import pytest

from question_forms import make_form
from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.links import Link, Mention
from trellis.domain.graphs.schema import LabelKind, PropertyKind, Schema
from trellis.steps.align.answer_types.asked_kind import explain_no_time
from trellis.steps.align.answer_types.asked_value import explain_named_amount

SHOP = Schema(
    (LabelKind("Customer", 9, "name", (PropertyKind("name", "STRING"),)),), (), 9, 0, "shop"
)


@pytest.mark.parametrize(
    ("question", "name", "label", "is_held"),
    [
        ("When did Ada buy the lamp?", "Kettle", "Product", True),
        ("Since when has Ada worked for Umbra?", "Lux", "Firm", True),
        ("until when did she rent it", "Kettle", "Product", True),
        ("In what year was it made?", "Umbra", "Firm", True),
        ("When did Ada buy the lamp?", "2024-05-02", "", False),
        ("When was the mill built?", "Bronze Age", "Period", False),
        ("What did Ada buy?", "Kettle", "Product", False),
        ("Who paid when the shop closed?", "Ada", "Customer", False),
    ],
)
def test_what_has_no_number_is_no_time(question: str, name: str, label: str, is_held: bool) -> None:
    nodes = [Node("4:1", name, (label,) if label else ())]
    reason = explain_no_time(make_form(question, (), SHOP), nodes, "what Ada bought")
    assert bool(reason) is is_held
    assert not reason or reason.endswith("what Ada bought")


def test_no_answer_needs_no_reason() -> None:
    assert not explain_no_time(make_form("When?", (), SHOP), (), "")


ADA, BO = Node("4:1", "Ada", ("Customer",)), Node("4:2", "Bo", ("Customer",))


@pytest.mark.parametrize(
    ("question", "name", "is_held"),
    [
        ("How many Adas did Bo sell?", "Adas", True),
        ("How many lamps did Ada buy?", "Ada", False),
        ("Who sold Ada the lamp?", "Ada", False),
    ],
)
def test_how_many_of_one_thing_is_an_amount(question: str, name: str, is_held: bool) -> None:
    at = question.index(name)
    mentions = (Mention(at, at + len(name), name, (Link(ADA, 1.0, "exact"),)),)
    assert bool(explain_named_amount(make_form(question, mentions), "")) is is_held
