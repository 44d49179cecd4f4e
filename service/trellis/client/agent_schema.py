"""The schema of a graph as an agent reads it: in few bytes, whatever the graph is like."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pydantic import BaseModel, Field

from trellis.domain.graphs.schema import LabelKind, PropertyKind, RelationshipKind, Schema

MOST_BYTES = 7_800
"""The most bytes of a schema as indented JSON."""

_MOST_SHOWN = 3  # values of a property
_LONGEST_VALUE = 40

DescribeProperties = Callable[[Sequence[PropertyKind]], dict[str, str]]


class AgentLabel(BaseModel):
    """A label of nodes; `properties`: type and some values of each."""

    label: str
    count: int
    properties: dict[str, str] = {}


class AgentRelationship(BaseModel):
    """A relationship type between two labels."""

    type: str
    start_label: str
    end_label: str
    count: int
    properties: dict[str, str] = {}


class AgentSchema(BaseModel):
    """The kinds of nodes and relationships, the frequent ones first."""

    labels: list[AgentLabel]
    relationships: list[AgentRelationship]
    left_out: str = Field("", description="What is not shown, and how to get it.")

    @property
    def size(self) -> int:
        """Its bytes as indented JSON."""
        return len(self.model_dump_json(indent=2).encode())


def build_agent_schema(schema: Schema, kinds: Sequence[str] | None) -> AgentSchema:
    """A schema in at most `MOST_BYTES`, with as much of its properties as fits.

    `kinds`: only these labels and relationship types, in any case, and the relationships of these
    labels; None: all.
    """
    labels, relationships = _choose_kinds(schema, kinds)
    for describe in (_describe_with_values, _describe_types, _leave_out_properties):
        built = _build_schema(schema, labels, relationships, describe)
        if describe is _leave_out_properties:
            built.left_out = "the properties: name some labels or types in `kinds`"
        if built.size <= MOST_BYTES:
            return built
    shown = max(len(labels), len(relationships))
    while built.size > MOST_BYTES and shown:
        shown = shown * 3 // 4
        built = _build_schema(schema, labels[:shown], relationships[:shown], _leave_out_properties)
        built.left_out = (
            f"{max(0, len(labels) - shown)} of {len(labels)} labels, "
            f"{max(0, len(relationships) - shown)} of {len(relationships)} kinds of relationships, "
            "and all properties: name some labels or types in `kinds`"
        )
    return built


def _choose_kinds(
    schema: Schema, kinds: Sequence[str] | None
) -> tuple[list[LabelKind], list[RelationshipKind]]:
    """The labels and relationships that are asked for, the frequent ones first."""
    wanted = {name.casefold() for name in kinds or ()}
    labels = [it for it in schema.labels if not wanted or it.label.casefold() in wanted]
    relationships = [
        it
        for it in schema.relationships
        if not wanted
        or wanted & {it.type.casefold(), it.start_label.casefold(), it.end_label.casefold()}
    ]
    return (
        sorted(labels, key=lambda it: -it.count),
        sorted(relationships, key=lambda it: -it.count),
    )


def _build_schema(
    schema: Schema,
    labels: Sequence[LabelKind],
    relationships: Sequence[RelationshipKind],
    describe: DescribeProperties,
) -> AgentSchema:
    return AgentSchema(
        labels=[
            AgentLabel(label=it.label, count=it.count, properties=describe(it.properties))
            for it in labels
        ],
        relationships=[
            AgentRelationship(
                type=it.type,
                start_label=it.start_label,
                end_label=it.end_label,
                count=it.count,
                properties=describe(schema.relationship_properties.get(it.type, ())),
            )
            for it in relationships
        ],
    )


def _describe_with_values(properties: Sequence[PropertyKind]) -> dict[str, str]:
    return {it.name: f"{it.type}{_describe_values(it)}" for it in properties}


def _describe_values(kind: PropertyKind) -> str:
    values = [str(value)[:_LONGEST_VALUE] for value in (kind.values or kind.examples)]
    if not values:
        return ""
    rest = ", …" if len(values) > _MOST_SHOWN else ""
    return f": {', '.join(values[:_MOST_SHOWN])}{rest}"


def _describe_types(properties: Sequence[PropertyKind]) -> dict[str, str]:
    return {it.name: it.type for it in properties}


def _leave_out_properties(properties: Sequence[PropertyKind]) -> dict[str, str]:  # noqa: ARG001
    return {}
