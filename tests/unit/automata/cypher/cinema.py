"""A small schema in which relationships run both ways, with numbers, dates and odd names."""

from __future__ import annotations

from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.options import NARROW
from trellis.automata.cypher.words.bound_values import number_values
from trellis.domain.graphs.links import StoredValue
from trellis.domain.graphs.schema import LabelKind, PropertyKind, RelationshipKind, Schema


def kinds(**types: str) -> tuple[PropertyKind, ...]:
    return tuple(PropertyKind(name, kind) for name, kind in types.items())


CINEMA = Schema(
    labels=(
        LabelKind("Country", 5, "name", kinds(name="STRING")),
        LabelKind("Film", 30, "title", kinds(title="STRING", year="INTEGER", released="DATE")),
        LabelKind("Person", 50, "name", kinds(name="STRING", born="INTEGER")),
    ),
    relationships=(
        RelationshipKind("ACTED_IN", "Person", "Film", 80),
        RelationshipKind("BORN_IN", "Person", "Country", 50),
        RelationshipKind("KNOWS", "Person", "Person", 40),
        RelationshipKind("LIKES", "Person", "Film", 30),
        RelationshipKind("LIKES", "Person", "Person", 10),
        RelationshipKind("MADE_IN", "Film", "Country", 30),
    ),
    nodes=85,
    edges=240,
    fingerprint="cinema",
)

VALUES = (
    StoredValue("Person", "name", "Ann"),
    StoredValue("Film", "year", 1990, "INTEGER"),
    StoredValue("Film", "released", "1990-05-01", "DATE"),
    StoredValue("Country", "name", "Peru"),
    StoredValue("Person", "born", 1950, "INTEGER"),
)
"""Said as v0, v1, …"""


def cinema() -> CypherLanguage:
    """The language of patterns, comparisons and aggregates alone."""
    return CypherLanguage(CINEMA, number_values(VALUES), NARROW)
