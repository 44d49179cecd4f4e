"""The properties that an operand can be, and the parts of their values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trellis.automata.cypher.words.bound_values import Lexicon
from trellis.automata.cypher.words.property_types import DATES, has_numeric_texts, is_list
from trellis.domain.graphs.schema import PropertyKind

TypedProperty = tuple[str, str, str]
"""The name of a property, a part of its value (empty: all of it), and the type of that."""


class TypedProperties:
    """Lists the properties of a schema's nodes and relationships; each list is made once."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._listed: dict[str | tuple[str, ...], list[TypedProperty]] = {}

    def list_properties(self, key: str | tuple[str, ...]) -> Sequence[TypedProperty]:
        """The properties of a relationship type, or of nodes of some labels."""
        listed = self._listed.get(key)
        if listed is None:
            kinds = (
                self._lexicon.list_properties(key)
                if isinstance(key, tuple)
                else self._lexicon.list_relationship_properties(key)
            )
            listed = self._listed[key] = [
                (kind.name, part, type) for kind in kinds for part, type in self._list_parts(kind)
            ]
        return listed

    def _list_parts(self, kind: PropertyKind) -> Iterator[tuple[str, str]]:
        """A property itself and the parts of its value, each with its type."""
        yield "", kind.type
        if not self._lexicon.is_wide:
            return
        if kind.type in DATES:
            yield from ((part, "INTEGER") for part in ("year", "month", "day"))
        if is_list(kind.type):
            yield "size", "INTEGER"
        if has_numeric_texts(kind):
            yield "integer", "INTEGER"
        if has_numeric_texts(kind) or kind.type == "INTEGER":
            yield "decimal", "FLOAT"
