"""Worded values: the values of properties with few, which are named by their own words.

So a sentence can use `unsolved` though the question does not say it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from trellis.automata.cypher.options import Rendering
from trellis.automata.cypher.words.bound_values import NamedValue
from trellis.domain.graphs.graph import Scalar
from trellis.domain.graphs.links import StoredValue
from trellis.domain.graphs.schema import PropertyKind, Schema
from trellis.linking.text import bare_words

_MOST = 500
_LONGEST = 8  # words


def name_worded_values(schema: Schema, rendering: Rendering = "brief") -> tuple[NamedValue, ...]:
    """The values of properties with few, named by their words, of labels and of relationship types;
    dates and codes have none. Sentences of Cypher name them as they stand in the graph."""
    by_words = rendering == "brief"
    return schema.uncounted.derive(_name_by_words if by_words else _name_as_literals)


def _name_by_words(schema: Schema) -> tuple[NamedValue, ...]:
    named = (
        NamedValue(words, StoredValue(owner, kind.name, value, kind.type))
        for owner, kind in _iterate_worded(schema)
        for value, words in _list_worded(kind)
    )
    return tuple(islice(named, _MOST))


def _name_as_literals(schema: Schema) -> tuple[NamedValue, ...]:
    named = (
        NamedValue(_write_literal(value), StoredValue(owner, kind.name, value, kind.type))
        for owner, kind in _iterate_worded(schema)
        for value, _ in _list_worded(kind)
    )
    return tuple(islice(named, _MOST))


def _iterate_worded(schema: Schema) -> Iterator[tuple[str, PropertyKind]]:
    """The properties whose values may be said though nothing is linked to them: all but those that
    name nodes, which are linked wherever a question names one."""
    names = {(label.label, label.naming) for label in schema.labels}
    return (
        (owner, kind)
        for owner, kind in schema.iterate_properties()
        if (owner, kind.name) not in names
    )


def _list_worded(kind: PropertyKind) -> Sequence[tuple[str | bool, str]]:
    """The texts of a property with few, or the values of a flag, each with its words: those of a
    flag are said as true and false, however they are stored."""
    if kind.is_flag:
        return [(value, str(truth).lower()) for truth, value in kind.truth_values.items()]
    texts = [value for value in kind.values if isinstance(value, str)]
    return [(text, words) for text in texts if (words := _write_words(text))]


def _write_words(value: str) -> str:
    """The value's words in lower case; empty where it has too many, or mostly codes."""
    own = bare_words(value)
    readable = len(own) <= _LONGEST and sum(map(str.isalpha, own)) * 2 > len(own)
    return " ".join(own) if readable else ""


def _write_literal(value: Scalar) -> str:
    """The name of a value that stands in Cypher as a literal."""
    return value if isinstance(value, str) else str(value).lower()
