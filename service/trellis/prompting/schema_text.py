"""The schema as text for a prompt: one kind of node or relationship a line, most relevant first.

Names are said as the sentences of the task say them: as they stand in the graph, or in the words
that queries have for them. A text of the graph stays on its line, and is cut where it is long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from trellis.automata.cypher.words.wording import Wording
from trellis.domain.graphs.schema import PropertyKind, RelationshipKind, Schema
from trellis.domain.ports import Embedder
from trellis.linking.text import bare_words

_SAMPLES = 3  # values of a property that are shown
_LONGEST = 40  # characters of a value that are shown
_MOST_LINES = 2_000  # whose meaning is compared with that of a question
_TYPE_WORDS = {
    "STRING": "text",
    "INTEGER": "integer",
    "FLOAT": "number",
    "BOOLEAN": "true or false",
}

Measure = Callable[[str], int]
"""The number of tokens of a text."""


@dataclass(frozen=True, slots=True)
class SchemaNames:
    """How a text names labels, relationship types and properties."""

    label: Callable[[str], str]
    type: Callable[[str], str]
    property: Callable[[str], str]


PLAIN_NAMES = SchemaNames(str, str, str)


def list_word_names(schema: Schema) -> SchemaNames:
    """The names in the words that queries of the brief rendering have for them."""
    words = Wording(schema)
    return SchemaNames(
        lambda name: words.labels.get(name, name),
        lambda name: words.types.get(name, name),
        lambda name: words.properties.get(name, name),
    )


def list_schema_lines(schema: Schema, names: SchemaNames) -> list[str]:
    """A line for each label with its properties, then one for each kind of relationship."""
    labels = [
        _describe_kind(names.label(kind.label), kind.properties, names) for kind in schema.labels
    ]
    return labels + list_relationship_lines(schema, names)


def list_relationship_lines(schema: Schema, names: SchemaNames) -> list[str]:
    """A line for each kind of relationship, with its direction and its properties."""
    return list(
        dict.fromkeys(_describe_relationship(kind, schema, names) for kind in schema.relationships)
    )


def _describe_relationship(kind: RelationshipKind, schema: Schema, names: SchemaNames) -> str:
    ends = [names.label(label) or "any" for label in (kind.start_label, kind.end_label)]
    step = f"({ends[0]})-[{names.type(kind.type)}]->({ends[1]})"
    own = schema.relationship_properties.get(kind.type, ())
    return _describe_kind(step, own, names) if own else step


def _describe_kind(title: str, properties: Iterable[PropertyKind], names: SchemaNames) -> str:
    listed = [f"{names.property(each.name)} ({_describe_values(each)})" for each in properties]
    return f"{title}: {', '.join(listed)}" if listed else title


def _describe_values(kind: PropertyKind) -> str:
    """The type of a property, and some of its values."""
    type_ = _TYPE_WORDS.get(kind.type, kind.type.lower())
    samples = (kind.values or kind.examples)[:_SAMPLES]
    if not samples or kind.type == "BOOLEAN":
        return type_
    return f"{type_}: {', '.join(map(_shorten_value, samples))}"


def _shorten_value(value: object) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def choose_lines(
    lines: Sequence[str], question: str, tokens: int, measure: Measure, embedder: Embedder
) -> list[str]:
    """The lines in their order, as far as they fit into some tokens: those that are most like the
    question are kept."""
    sizes = [measure(f"{line}\n") for line in lines]
    if sum(sizes) <= tokens:
        return list(lines)
    kept, left = set[int](), tokens
    for index in _rank_lines(lines, question, embedder):
        if sizes[index] <= left:
            kept.add(index)
            left -= sizes[index]
    return [line for index, line in enumerate(lines) if index in kept]


def _rank_lines(lines: Sequence[str], question: str, embedder: Embedder) -> list[int]:
    """The numbers of the lines, the nearest to the question by meaning and by words first; of very
    many lines, those that share words with it."""
    asked = set(bare_words(question))
    shared = np.array([len(asked.intersection(bare_words(line))) for line in lines])
    compared = np.argsort(-shared, kind="stable")[:_MOST_LINES]
    vectors = embedder.embed([question, *(lines[index] for index in compared)])
    scores = vectors[1:] @ vectors[0] + shared[compared] / max(1, len(asked))
    return [int(index) for index in compared[np.argsort(-scores, kind="stable")]]
