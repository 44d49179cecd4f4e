"""Schema words: those in the names of labels, relationship types and properties."""

from __future__ import annotations

from collections.abc import Collection

from trellis.automata.cypher.words.wording import split_name
from trellis.domain.graphs.schema import Schema
from trellis.linking.values.value_index import has_same_stem


def list_schema_words(schema: Schema) -> frozenset[str]:
    """The words of the names of labels, relationship types and properties."""
    return schema.uncounted.derive(_split_names)


def is_schema_word(word: str, own_words: Collection[str]) -> bool:
    """Whether a word is one of the schema's words `own_words`, whatever its ending."""
    return any(has_same_stem(word, other) for other in own_words)


def _split_names(schema: Schema) -> frozenset[str]:
    properties = (kind.name for _, kind in schema.iterate_properties())
    types = (kind.type for kind in schema.relationships)
    names = (*(kind.label for kind in schema.labels), *types, *properties)
    return frozenset(word for name in names for word in split_name(name).split())
