"""All that follows from a schema alone, made once for all languages over it."""

from __future__ import annotations

from collections.abc import Iterator

from trellis.automata.cypher.grammar.ways import SchemaWays
from trellis.automata.cypher.words.filter_kinds import IS_OTHER_NODE, FilterKind, find_plain_filters
from trellis.automata.cypher.words.offered_filters import FilterOffers
from trellis.automata.cypher.words.property_types import MIXED
from trellis.automata.cypher.words.references import ComparableProperties, Labels
from trellis.automata.cypher.words.wording import Wording
from trellis.domain.graphs.schema import PropertyKind, Schema


class IndexedSchema:
    """All that follows from a schema alone: words, ways, properties, filters without values.

    It serves many languages, and several threads at once: what it keeps is the same whoever
    computes it.
    """

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.wording = schema.uncounted.derive(Wording)
        self.ways = SchemaWays(schema)
        self.comparable = ComparableProperties(self.list_properties)
        self.offers = FilterOffers(self.wording, self.comparable, self.list_plain_filters)
        self._kinds = {kind.label: kind.properties for kind in schema.labels}
        self._properties: dict[Labels, tuple[PropertyKind, ...]] = {}
        self._plain_filters: dict[Labels, tuple[FilterKind, ...]] = {}

    def list_properties(self, labels: Labels) -> tuple[PropertyKind, ...]:
        """The properties that a node of one of some labels can have, by name."""
        found = self._properties.get(labels)
        if found is None:
            found = self._properties[labels] = tuple(self._merge_properties(labels))
        return found

    def list_relationship_properties(self, type: str) -> tuple[PropertyKind, ...]:
        """The properties that a relationship of a type can have, by name."""
        kinds = self.schema.relationship_properties.get(type, ())
        return tuple(sorted(kinds, key=lambda kind: kind.name))

    def list_plain_filters(self, labels: Labels) -> tuple[FilterKind, ...]:
        """The filters that a node of one of some labels can have where no value is linked, in
        their order."""
        found = self._plain_filters.get(labels)
        if found is None:
            plain = (
                each for kind in self.list_properties(labels) for each in find_plain_filters(kind)
            )
            found = self._plain_filters[labels] = (*plain, IS_OTHER_NODE)
        return found

    def _merge_properties(self, labels: Labels) -> Iterator[PropertyKind]:
        """One property for each name; its type is `MIXED` where labels differ in it."""
        kinds: dict[str, PropertyKind] = {}
        for kind in (kind for label in labels for kind in self._kinds.get(label, ())):
            same = kinds.setdefault(kind.name, kind).type == kind.type
            kinds[kind.name] = kind if same else PropertyKind(kind.name, MIXED)
        return (kinds[name] for name in sorted(kinds))


def index_schema(schema: Schema) -> IndexedSchema:
    """The index of a schema, built once."""
    return schema.derive(IndexedSchema)
