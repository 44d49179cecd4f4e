"""Small schemas, told in a few words."""

from __future__ import annotations

from collections.abc import Mapping

from trellis.domain.graphs.schema import LabelKind, PropertyKind, RelationshipKind, Schema


def build_schema(labels: Mapping[str, str] | str, *relations: str) -> Schema:
    """A schema that counts nine of everything.

    `labels`: the properties of each label, such as "name age:INTEGER", of which the first names
    its nodes; or labels that have a name alone, such as "Person City". `relations`: such as
    "Person LIVES_IN City".
    """
    named = dict.fromkeys(labels.split(), "name") if isinstance(labels, str) else labels
    kinds = tuple(build_label(label, properties) for label, properties in named.items())
    ends = (relation.split() for relation in relations)
    types = tuple(RelationshipKind(type, start, end, 9) for start, type, end in ends)
    return Schema(kinds, types, 9 * len(kinds), 9 * len(types), repr((named, relations)))


def build_label(label: str, properties: str = "name") -> LabelKind:
    """A label of nine nodes, such as ("Person", "name age:INTEGER")."""
    kinds = build_properties(properties)
    return LabelKind(label, 9, kinds[0].name if kinds else None, kinds)


def build_properties(properties: str) -> tuple[PropertyKind, ...]:
    """Properties such as "name age:INTEGER"; what has no type is a text."""
    pairs = (each.partition(":") for each in properties.split())
    return tuple(PropertyKind(name, type or "STRING") for name, _, type in pairs)
