"""A user's configuration of their own graph: names, synonyms, hidden parts, example questions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.schema import LabelKind, PropertyKind, Schema


@dataclass(frozen=True, slots=True)
class ExamplePath:
    """A path from a topic by name; a relation is walked backwards where `^` stands before it."""

    topic: str
    relations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExampleQuestion:
    """A question that people ask of this graph, and what is known of its answer.

    `cypher`: a query that answers it. `paths`: relation paths that do, and meet where there are
    several. `answers`: names, None where they are not known. `topics`: names that it is about.
    """

    question: str
    cypher: str | None = None
    topics: tuple[str, ...] = ()
    answers: tuple[str, ...] | None = None
    paths: tuple[ExamplePath, ...] = ()


@dataclass(frozen=True, slots=True)
class VectorSource:
    """What made the vectors of an index: the embedder's `model`, of the texts in a `property`."""

    model: str
    property: str


@dataclass(frozen=True, slots=True)
class GraphConfig:
    """The whole configuration; an empty one changes nothing.

    `naming`: for a label, the property that names its nodes. `labels`, `relations`, `properties`:
    synonyms by name. `hidden_properties`: each as `name`, of any label or relationship type, or as
    `Label.name`. `prompts`: templates of prompts in the place of the usual ones, by task.
    `vectors`: by name of a vector index that the graph has, what made it.
    """

    naming: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    relations: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    properties: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    hidden_labels: tuple[str, ...] = ()
    hidden_relations: tuple[str, ...] = ()
    hidden_properties: tuple[str, ...] = ()
    examples: tuple[ExampleQuestion, ...] = ()
    prompts: Mapping[str, str] = field(default_factory=dict)
    vectors: Mapping[str, VectorSource] = field(default_factory=dict)

    def shows(self, node: Node) -> bool:
        """Whether a node has no hidden label."""
        return not any(label in self.hidden_labels for label in node.labels)

    def shows_property(self, kind: str, name: str) -> bool:
        """Whether a property of a label or relationship type is not hidden."""
        return not {name, f"{kind}.{name}"} & set(self.hidden_properties)

    def apply_to_schema(self, schema: Schema) -> Schema:
        """The schema without what is hidden, and with the synonyms of what is left."""
        return replace(
            schema,
            labels=tuple(
                self._hide_label_properties(kind)
                for kind in schema.labels
                if kind.label not in self.hidden_labels
            ),
            relationships=tuple(
                kind
                for kind in schema.relationships
                if kind.type not in self.hidden_relations
                and not {kind.start_label, kind.end_label} & set(self.hidden_labels)
            ),
            relationship_properties={
                kind: self._drop_hidden_properties(kind, found)
                for kind, found in schema.relationship_properties.items()
                if kind not in self.hidden_relations
            },
            synonyms={**self.properties, **self.relations, **self.labels},
        )

    def _hide_label_properties(self, kind: LabelKind) -> LabelKind:
        naming = (
            kind.naming if kind.naming and self.shows_property(kind.label, kind.naming) else None
        )
        return replace(
            kind,
            naming=naming,
            properties=self._drop_hidden_properties(kind.label, kind.properties),
        )

    def _drop_hidden_properties(
        self, kind: str, properties: tuple[PropertyKind, ...]
    ) -> tuple[PropertyKind, ...]:
        return tuple(each for each in properties if self.shows_property(kind, each.name))
