"""The schema of a live graph: labels, relationship types and properties, without our own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from trellis.domain.derived import Derivable

_TRUTH_TEXTS = (("true", "false"), ("yes", "no"), ("t", "f"), ("y", "n"))
"""Texts that stand for true and for false."""


def says_no(value: object) -> bool:
    """Whether a value of a flag stands for false."""
    return str(value).strip().lower() in {false for _, false in _TRUTH_TEXTS}


@dataclass(frozen=True, slots=True)
class PropertyKind:
    """A property of a label or of a relationship type.

    `type`: its most frequent value type in Neo4j (STRING, INTEGER, FLOAT, BOOLEAN, DATE, LOCAL
    DATETIME, POINT, LIST<STRING>, …). `share`: the estimated share, 0 to 1, of nodes or
    relationships that have it. `values`: all its values, where they are certainly few; else empty.
    `examples`: some values. Temporal values are ISO 8601 texts.
    """

    name: str
    type: str
    share: float = 1.0
    unique: bool = False
    indexed: bool = False
    values: tuple[str | int | float | bool, ...] = ()
    examples: tuple[str | int | float | bool, ...] = ()

    @property
    def is_flag(self) -> bool:
        """Whether its values are true or false, or texts that stand for these."""
        return bool(self.truth_values)

    @property
    def truth_values(self) -> Mapping[bool, str | bool]:
        """The values of a flag that stand for true and for false; none where it is no flag, or
        where its texts are not known all. Imports without types leave texts behind: `Yes`, `F`."""
        if self.type == "BOOLEAN":
            return {True: True, False: False}
        if self.type != "STRING" or not 0 < len(self.values) <= len(_TRUTH_TEXTS[0]):
            return {}
        texts = {str(value).strip().lower(): value for value in self.values}
        for true, false in _TRUTH_TEXTS:
            if texts.keys() <= {true, false}:
                truths = {True: texts.get(true), False: texts.get(false)}
                return {truth: str(text) for truth, text in truths.items() if text is not None}
        return {}


@dataclass(frozen=True, slots=True)
class LabelKind:
    """A label, the number of its nodes, its naming property, and its properties."""

    label: str
    count: int
    naming: str | None
    properties: tuple[PropertyKind, ...] = ()

    def property(self, name: str) -> PropertyKind | None:
        return next((kind for kind in self.properties if kind.name == name), None)


@dataclass(frozen=True, slots=True)
class RelationshipKind:
    """A relationship type between two labels, and the number of such relationships.

    An empty label stands for nodes without labels.
    """

    type: str
    start_label: str
    end_label: str
    count: int


@dataclass(frozen=True, slots=True)
class Schema(Derivable):
    """All kinds of nodes and relationships; `fingerprint` covers names and types, not counts.

    `relationship_properties`: by relationship type, for types that have any. `estimated`: whether
    `relationships` come from a sample, so that a rare pair of labels may be missing. `synonyms`:
    what people call a label, a relationship type or a property, by its name.
    """

    labels: tuple[LabelKind, ...]
    relationships: tuple[RelationshipKind, ...]
    nodes: int
    edges: int
    fingerprint: str
    relationship_properties: Mapping[str, tuple[PropertyKind, ...]] = field(default_factory=dict)
    estimated: bool = False
    synonyms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def uncounted(self) -> Schema:
        """The schema without counts. What follows from names, types and values alone is derived
        from it, so that it lasts while a graph only grows (`share_uncounted`)."""
        return self.derive(_leave_out_counts)

    def share_uncounted(self, former: Schema) -> None:
        """Keep what was derived from an earlier schema without counts, if this one differs from it
        in nothing but counts."""
        if self.uncounted == former.uncounted:
            self.take_derived(_leave_out_counts, former.uncounted)

    @property
    def relation_types(self) -> tuple[str, ...]:
        """The relationship types, sorted."""
        return tuple(sorted({kind.type for kind in self.relationships}))

    def list_like_relations(self) -> frozenset[str]:
        """The relationship types that go between nodes of one label, whose ends do not tell their
        direction; none where all nodes have one label, as in graphs of triples."""
        return frozenset(
            kind.type
            for kind in self.relationships
            if kind.start_label == kind.end_label and len(self.labels) > 1
        )

    @property
    def names(self) -> frozenset[str]:
        """The names of all labels and relationship types."""
        return frozenset(kind.label for kind in self.labels) | {*self.relation_types}

    def label(self, name: str) -> LabelKind | None:
        return next((kind for kind in self.labels if kind.label == name), None)

    def iterate_properties(self) -> Iterator[tuple[str, PropertyKind]]:
        """The properties of all labels, then those of relationship types, each with its owner."""
        for label in self.labels:
            yield from ((label.label, kind) for kind in label.properties)
        for type_, kinds in self.relationship_properties.items():
            yield from ((type_, kind) for kind in kinds)

    def find_property(self, owner: str, name: str) -> PropertyKind | None:
        """A property of a label or of a relationship type."""
        label = self.label(owner)
        kinds = label.properties if label else self.relationship_properties.get(owner, ())
        return next((kind for kind in kinds if kind.name == name), None)


def _leave_out_counts(schema: Schema) -> Schema:
    return replace(
        schema,
        labels=tuple(
            replace(kind, count=0, properties=_leave_out_shares(kind.properties))
            for kind in schema.labels
        ),
        relationships=tuple(replace(kind, count=0) for kind in schema.relationships),
        nodes=0,
        edges=0,
        relationship_properties={
            name: _leave_out_shares(kinds) for name, kinds in schema.relationship_properties.items()
        },
        estimated=False,
    )


def _leave_out_shares(kinds: tuple[PropertyKind, ...]) -> tuple[PropertyKind, ...]:
    return tuple(replace(kind, share=1.0) for kind in kinds)
