"""A schema with all that the wide language has moves for: relationships with properties, dates,
lists, truth values."""

from __future__ import annotations

from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.words.bound_values import number_values
from trellis.domain.graphs.links import StoredValue
from trellis.domain.graphs.schema import LabelKind, RelationshipKind, Schema
from unit.automata.cypher.cinema import kinds

SHOP = Schema(
    (
        LabelKind("Customer", 9, "name", kinds(age="INTEGER", name="STRING", tags="LIST<STRING>")),
        LabelKind(
            "Product",
            9,
            "name",
            kinds(made="DATE", name="STRING", price="FLOAT", sold="BOOLEAN"),
        ),
        LabelKind("Shop", 3, "name", kinds(name="STRING")),
    ),
    (
        RelationshipKind("BOUGHT", "Customer", "Product", 9),
        RelationshipKind("KNOWS", "Customer", "Customer", 4),
        RelationshipKind("SELLS", "Shop", "Product", 4),
    ),
    nodes=21,
    edges=17,
    fingerprint="shop",
    relationship_properties={"BOUGHT": kinds(on="DATE", quantity="INTEGER")},
)

VALUES = (
    StoredValue("Customer", "name", "Ann"),
    StoredValue("Customer", "name", "Bob"),
    StoredValue("Product", "price", 9.5, "FLOAT"),
    StoredValue("", "", 3, "INTEGER"),
    StoredValue("", "", "ann"),
    StoredValue("", "", "2020-01-01", "DATE"),
)
"""Said as v0, v1, …; those without label and property are literals."""


def shop() -> CypherLanguage:
    return CypherLanguage(SHOP, number_values(VALUES))
