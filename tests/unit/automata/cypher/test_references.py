"""Which properties are compared with which: in an order, texts of one property of like nodes."""

from __future__ import annotations

import pytest

from trellis.automata.cypher.words.references import ComparableProperties
from trellis.domain.graphs.schema import PropertyKind

KINDS = (
    PropertyKind("city", "STRING"),
    PropertyKind("due", "DATE"),
    PropertyKind("paid", "DATE"),
    PropertyKind("rank", "STRING"),
    PropertyKind("size", "FLOAT"),
    PropertyKind("year", "INTEGER"),
)
COMPARABLE = ComparableProperties(lambda labels: KINDS)  # noqa: ARG005


@pytest.mark.parametrize(
    ("name", "label", "is_ordered", "others"),
    [
        ("city", "A", True, ("city",)),
        ("city", "B", True, ()),
        ("city", "B", False, ("city", "rank")),
        ("due", "B", True, ("due", "paid")),
        ("year", "B", True, ("size", "year")),
    ],
)
def test_what_a_property_is_compared_with(
    name: str, label: str, is_ordered: bool, others: tuple[str, ...]
) -> None:
    find = COMPARABLE.find
    assert find(("A",), name, (label,), is_same_node=False, is_ordered=is_ordered) == others


def test_of_one_node_each_two_properties_are_compared_once() -> None:
    found = COMPARABLE.find(("A",), "due", ("A",), is_same_node=True, is_ordered=True)
    assert found == ("paid",)
    assert not COMPARABLE.find(("A",), "city", ("A",), is_same_node=True, is_ordered=True)
