"""What nodes of a label are called: by the label, by the lexicon, and by nothing that says
something else in the same schema."""

from __future__ import annotations

import pytest

from small_schemas import build_schema
from trellis.domain.graphs.schema import Schema
from trellis.lexicon.phrasebook import Phrasebook
from trellis.lexicon.plurals import is_plural


def list_nouns(
    label: str, schema: Schema | None = None, *, shares_nouns: bool = False
) -> tuple[str, ...]:
    """What nodes of a label are called, in a schema that has nothing else where none is given."""
    book = Phrasebook.of_schema(schema or build_schema(label), shares_nouns=shares_nouns)
    return book.type_nouns(label)


@pytest.mark.parametrize(
    ("label", "said"),
    [("Supplier", "vendor"), ("Doctor", "physicians"), ("Match", "fixture"), ("Employee", "staff")],
)
def test_people_call_nodes_by_other_nouns_than_their_label(label: str, said: str) -> None:
    assert said in list_nouns(label, build_schema(f"{label} Other"))


def test_a_label_without_an_entry_is_called_by_its_name() -> None:
    assert list_nouns("Quorl") == ("quorl", "quorls")


def test_a_noun_of_two_labels_is_said_of_neither_unless_they_may_share_it() -> None:
    schema = build_schema("Appointment Visit")
    assert "visit" in list_nouns("Appointment")
    assert "visit" not in list_nouns("Appointment", schema)
    assert "visits" in list_nouns("Visit", schema)
    assert "visit" in list_nouns("Appointment", schema, shares_nouns=True)


@pytest.mark.parametrize(
    "schema",
    [
        build_schema({"Appointment": "visit"}),
        build_schema("Appointment", "Appointment VISIT Appointment"),
    ],
)
def test_a_noun_that_names_a_property_or_a_relationship_is_not_said_of_a_label(
    schema: Schema,
) -> None:
    nouns = list_nouns("Appointment", schema)
    assert "visit" not in nouns
    assert "appointments" in nouns


def test_a_label_in_the_plural_is_called_by_plurals() -> None:
    nouns = list_nouns("Suppliers")
    assert {"suppliers", "vendors"} <= {*nouns}
    assert all(map(is_plural, nouns))
