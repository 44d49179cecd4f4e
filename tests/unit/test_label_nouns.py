"""What nodes of a label are called: by the label, by the lexicon, and by nothing that says
something else in the same schema."""

from __future__ import annotations

import pytest

from trellis.domain.schema import LabelKind, PropertyKind, RelationshipKind, Schema
from trellis.lexicon.phrasebook import Phrasebook
from trellis.lexicon.plurals import is_plural


def make_schema(*labels: str, properties: tuple[str, ...] = (), relation: str = "KNOWS") -> Schema:
    kinds = tuple(PropertyKind(name, "STRING") for name in properties)
    return Schema(
        tuple(LabelKind(label, 1, "name", kinds) for label in labels),
        (RelationshipKind(relation, labels[0], labels[-1], 1),),
        nodes=len(labels),
        edges=1,
        fingerprint="-".join((*labels, *properties, relation)),
    )


@pytest.mark.parametrize(
    ("label", "said"),
    [("Supplier", "vendor"), ("Doctor", "physicians"), ("Match", "fixture"), ("Employee", "staff")],
)
def test_people_call_nodes_by_other_nouns_than_their_label(label: str, said: str) -> None:
    assert said in Phrasebook.of_schema(make_schema(label, "Other")).type_nouns(label)


def test_a_label_without_an_entry_is_called_by_its_name() -> None:
    assert Phrasebook.of_schema(make_schema("Quorl")).type_nouns("Quorl") == ("quorl", "quorls")


def test_a_noun_of_two_labels_is_said_of_neither_unless_they_may_share_it() -> None:
    schema = make_schema("Appointment", "Visit")
    assert "visit" in Phrasebook.of_schema(make_schema("Appointment")).type_nouns("Appointment")
    assert "visit" not in Phrasebook.of_schema(schema).type_nouns("Appointment")
    assert "visits" in Phrasebook.of_schema(schema).type_nouns("Visit")
    sharing = Phrasebook.of_schema(schema, shares_nouns=True)
    assert "visit" in sharing.type_nouns("Appointment")


@pytest.mark.parametrize(
    "schema",
    [
        make_schema("Appointment", properties=("visit",)),
        make_schema("Appointment", relation="VISIT"),
    ],
)
def test_a_noun_that_names_a_property_or_a_relationship_is_not_said_of_a_label(
    schema: Schema,
) -> None:
    assert "visit" not in Phrasebook.of_schema(schema).type_nouns("Appointment")
    assert "appointments" in Phrasebook.of_schema(schema).type_nouns("Appointment")


def test_a_label_in_the_plural_is_called_by_plurals() -> None:
    nouns = Phrasebook.of_schema(make_schema("Suppliers")).type_nouns("Suppliers")
    assert {"suppliers", "vendors"} <= set(nouns)
    assert all(map(is_plural, nouns))
