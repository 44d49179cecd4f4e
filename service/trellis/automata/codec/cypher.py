"""The Cypher language (`automata/cypher`) as sections: its schema, bounds and linked values.

The values themselves are not written, as sentences name them only (`v0`). In the decoded language
each value is its index among the values of the encoded one.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from trellis.automata.codec.sections import TEXT, Reader, check, numbers, offsets, texts
from trellis.automata.cypher.grounding import Grounding
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.lexicon import NamedValue
from trellis.automata.cypher.options import RenderingOptions
from trellis.domain.graph import Step
from trellis.domain.links import StoredValue
from trellis.domain.reachable import Reachable, ReachablePath
from trellis.domain.schema import LabelKind, PropertyKind, RelationshipKind, Schema

_MOST = 16  # nodes or items of a query
_LARGEST_LIMIT = 1_000_000
_HOLDER = 3 * TEXT  # about the bytes that one object with a few fields takes in memory


def write(language: CypherLanguage) -> list[bytes]:
    """The sections of a Cypher language."""
    return [
        *_schema(language.known.schema),
        texts([value.name for value in language.values_linked]),
        texts([value.stored.label for value in language.values_linked]),
        texts([value.stored.property for value in language.values_linked]),
        *_write_options(language.options),
        *_groundings(language.groundings),
    ]


def read(reader: Reader) -> CypherLanguage:
    """The Cypher language that the sections describe; CodecError where they are not sound."""
    schema = _read_schema(reader)
    names = reader.texts()
    labels, keys = _like(reader, names), _like(reader, names)
    reader.spend(len(names) * _HOLDER)
    values = [
        NamedValue(name, StoredValue(label, key, index))
        for index, (name, label, key) in enumerate(zip(names, labels, keys, strict=True))
    ]
    options = _read_options(reader)
    groundings = _read_groundings(reader, len(values))
    _check_names(schema, groundings)
    return CypherLanguage(schema, values, options, groundings)


def _schema(schema: Schema) -> list[bytes]:
    kinds = [kind for label in schema.labels for kind in label.properties]
    ends = schema.relationships
    return [
        numbers([bool(schema.nodes), schema.estimated]),
        texts([label.label for label in schema.labels]),
        numbers([len(label.properties) for label in schema.labels]),
        texts([kind.name for kind in kinds]),
        texts([kind.type for kind in kinds]),
        texts([kind.type for kind in ends]),
        texts([kind.start_label for kind in ends]),
        texts([kind.end_label for kind in ends]),
    ]


def _read_schema(reader: Reader) -> Schema:
    nodes, estimated = reader.indices(2, 2).tolist()
    labels = reader.texts()
    sizes = reader.numbers(len(labels))
    names = reader.texts()
    kinds = [PropertyKind(*row) for row in zip(names, _like(reader, names), strict=True)]
    types = reader.texts()
    starts, ends = _like(reader, types), _like(reader, types)
    reader.spend((len(labels) + len(names) + len(types)) * _HOLDER)
    rows = [tuple(kinds[low:high]) for low, high in _bounds(sizes, len(kinds))]
    return Schema(
        tuple(LabelKind(name, 0, None, row) for name, row in zip(labels, rows, strict=True)),
        tuple(RelationshipKind(*row, 0) for row in zip(types, starts, ends, strict=True)),
        nodes=nodes,
        edges=0,
        fingerprint="",
        estimated=bool(estimated),
    )


def _check_names(schema: Schema, groundings: Sequence[Grounding]) -> None:
    """Check that reachable paths use only labels and types of the schema."""
    kinds = schema.relationships
    types = {kind.type for kind in kinds}
    labels = {label for kind in kinds for label in (kind.start_label, kind.end_label)}
    labels |= {kind.label for kind in schema.labels}
    paths = [path for grounding in groundings for path in grounding.reachable.paths]
    check(all(labels.issuperset(path.labels) for path in paths), "a path to no label")
    relations = {step.relation for path in paths for step in path.steps}
    check(relations <= types, "a path of no relationship")


def _write_options(options: RenderingOptions) -> list[bytes]:
    return [numbers([options.nodes, options.items]), numbers(options.limits)]


def _read_options(reader: Reader) -> RenderingOptions:
    nodes, items = reader.indices(_MOST + 1, 2).tolist()
    check(nodes > 0 and items > 0, "a query of nothing")
    limits = reader.indices(_LARGEST_LIMIT).tolist()
    check(len(limits) <= _MOST and len({0, *limits}) == len(limits) + 1, "limits that are none")
    return RenderingOptions(nodes, items, tuple(limits))


def _groundings(groundings: Sequence[Grounding]) -> list[bytes]:
    paths = [path for grounding in groundings for path in grounding.reachable.paths]
    steps = [step for path in paths for step in path.steps]
    return [
        numbers([grounding.value for grounding in groundings]),
        numbers([grounding.hops for grounding in groundings]),
        numbers([len(grounding.reachable.paths) for grounding in groundings]),
        numbers([len(path.steps) for path in paths]),
        texts([step.relation for step in steps]),
        numbers(np.packbits(np.array([step.reversed for step in steps], np.bool_))),
        numbers([len(path.labels) for path in paths]),
        texts([label for path in paths for label in path.labels]),
    ]


def _read_groundings(reader: Reader, values: int) -> list[Grounding]:
    of = reader.indices(values).tolist()
    hops = reader.indices(_MOST, len(of)).tolist()
    counts, lengths = reader.numbers(len(of)), reader.numbers()
    relations = reader.texts()
    backwards = reader.bits(len(relations)).tolist()
    many, labels = reader.numbers(len(lengths)), reader.texts()
    reader.spend((len(relations) + len(lengths) + len(of)) * _HOLDER)
    steps = [Step(name, bool(back)) for name, back in zip(relations, backwards, strict=True)]
    pairs = zip(_bounds(lengths, len(steps)), _bounds(many, len(labels)), strict=True)
    paths = [ReachablePath(tuple(steps[a:b]), labels[c:d], 1, 1) for (a, b), (c, d) in pairs]
    check(all(path.steps for path in paths), "a path without a step")
    rows = [tuple(paths[low:high]) for low, high in _bounds(counts, len(paths))]
    check(all(hops), "grounded in nothing")
    farthest = [max((len(path.steps) for path in row), default=0) for row in rows]
    check(all(far <= most for far, most in zip(farthest, hops, strict=True)), "a path too long")
    columns = (of, map(Reachable, rows), hops)
    return [Grounding(*row) for row in zip(*columns, strict=True)]


def _like(reader: Reader, others: Sequence[str]) -> tuple[str, ...]:
    """The next texts; CodecError unless there are as many as `others`."""
    texts_read = reader.texts()
    check(len(texts_read) == len(others), "sections differ in length")
    return texts_read


def _bounds(sizes: Any, entries: int) -> list[tuple[int, int]]:
    """The first entry of each row and the one behind its last."""
    return list(pairwise(offsets(sizes, entries).tolist()))
