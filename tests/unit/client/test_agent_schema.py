"""The schema as agents read it: small, whatever the graph is like."""

from __future__ import annotations

import pytest

from trellis.client.agent_schema import MOST_BYTES, build_agent_schema
from trellis.domain.graphs.schema import LabelKind, PropertyKind, RelationshipKind, Schema

NAME = PropertyKind("name", "STRING", examples=("Köln", "x" * 500, "Bonn", "Berlin"))
SIZE = PropertyKind("size", "STRING", values=("small", "large"))
SINCE = PropertyKind("since", "DATE")


def build_schema(labels: int, properties: int = 2) -> Schema:
    """Labels in a ring, each with a relationship to the next one."""
    more = tuple(PropertyKind(f"property{at}", "STRING") for at in range(properties - 2))
    kinds = tuple(LabelKind(f"Label{at}", at, "name", (NAME, SIZE, *more)) for at in range(labels))
    relations = tuple(
        RelationshipKind(f"TO_{at}", f"Label{at}", f"Label{(at + 1) % labels}", at)
        for at in range(labels)
    )
    return Schema(kinds, relations, 9, 9, "f", {"TO_1": (SINCE,)})


def test_a_small_schema_is_whole_with_values_and_the_frequent_kinds_first() -> None:
    told = build_agent_schema(build_schema(3), None)
    assert [it.label for it in told.labels] == ["Label2", "Label1", "Label0"]
    assert told.labels[0].properties["size"] == "STRING: small, large"
    assert told.labels[0].properties["name"].startswith("STRING: Köln, xxxx")
    assert told.labels[0].properties["name"].endswith("Bonn, …")
    assert [it.properties for it in told.relationships] == [{}, {"since": "DATE"}, {}]
    assert not told.left_out


@pytest.mark.parametrize(
    ("labels", "properties"), [(20, 2), (10, 30), (40, 60), (3_000, 2), (1, 900)]
)
def test_a_schema_of_any_size_fits(labels: int, properties: int) -> None:
    told = build_agent_schema(build_schema(labels, properties), None)
    assert told.size <= MOST_BYTES
    assert told.labels
    if labels > 100:
        assert f"of {labels} labels" in told.left_out


def test_kinds_are_chosen_by_name_with_the_relationships_of_labels() -> None:
    schema = build_schema(3_000)
    told = build_agent_schema(schema, ["label7"])
    assert [it.label for it in told.labels] == ["Label7"]
    assert [it.type for it in told.relationships] == ["TO_7", "TO_6"]
    assert told.labels[0].properties["size"] == "STRING: small, large"
    typed = build_agent_schema(schema, ["TO_1"])
    assert ([it.label for it in typed.labels], len(typed.relationships)) == ([], 1)
    assert build_agent_schema(schema, ["nothing"]).size < 200
