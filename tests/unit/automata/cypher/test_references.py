"""Which properties are compared with which: in an order, texts of one property alone."""

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
    ("name", "is_ordered", "others"),
    [
        ("city", True, ("city",)),
        ("city", False, ("city", "rank")),
        ("due", True, ("due", "paid")),
        ("year", True, ("size", "year")),
    ],
)
def test_what_a_property_is_compared_with(
    name: str, is_ordered: bool, others: tuple[str, ...]
) -> None:
    find = COMPARABLE.find
    assert find(("A",), name, ("B",), is_same_node=False, is_ordered=is_ordered) == others


def test_of_one_node_each_two_properties_are_compared_once() -> None:
    found = COMPARABLE.find(("A",), "due", ("A",), is_same_node=True, is_ordered=True)
    assert found == ("paid",)
    assert not COMPARABLE.find(("A",), "city", ("A",), is_same_node=True, is_ordered=True)
