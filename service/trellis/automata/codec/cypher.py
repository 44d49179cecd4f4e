"""The Cypher language (`automata/cypher`) as sections: its schema, bounds and linked values.

The values themselves are not written, as sentences name them only (`v0`). In the decoded language
each value is its index among the values of the encoded one.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from trellis.automata.codec.sections import (
    TEXT,
    SectionReader,
    check_bytes,
    compute_offsets,
    write_numbers,
    write_texts,
)
from trellis.automata.cypher.grammar.grounding import Grounding
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.options import RENDERINGS, RenderingOptions
from trellis.automata.cypher.words.bound_values import NamedValue
from trellis.automata.cypher.words.indexed_schema import IndexedSchema
from trellis.automata.cypher.words.property_types import has_numeric_texts
from trellis.domain.graphs.graph import Step
from trellis.domain.graphs.links import StoredValue
from trellis.domain.graphs.reachable import ReachablePath, ReachablePaths
from trellis.domain.graphs.schema import LabelKind, PropertyKind, RelationshipKind, Schema

_MOST = 16  # nodes or items of a query
_MOST_LIMITS, _LARGEST_LIMIT = 64, 1_000_000
_HOLDER = 3 * TEXT  # about the bytes that one object with a few fields takes in memory


def write_cypher(language: CypherLanguage) -> list[bytes]:
    """The sections of a Cypher language."""
    return [
        *_write_schema(language.known.schema),
        write_texts([value.name for value in language.linked_values]),
        write_texts([value.stored.label for value in language.linked_values]),
        write_texts([value.stored.property for value in language.linked_values]),
        write_texts([value.stored.type for value in language.linked_values]),
        *_write_options(language.options),
        *_write_groundings(language.groundings),
        write_texts([" ".join(words) for words in language.wanted]),
    ]


def read_cypher(reader: SectionReader) -> CypherLanguage:
    """The Cypher language that the sections describe; CodecError where they are not sound."""
    schema = _read_schema(reader)
    names = reader.read_texts()
    described = [_read_parallel_texts(reader, names) for _ in ("label", "property", "type")]
    reader.spend_room(len(names) * _HOLDER)
    values = [
        NamedValue(name, StoredValue(label, key, index, type_name))
        for index, (name, label, key, type_name) in enumerate(zip(names, *described, strict=True))
    ]
    options = _read_options(reader)
    groundings = _read_groundings(reader, len(values))
    _check_names(schema, groundings)
    wanted = [tuple(words.split()) for words in reader.read_texts()]
    reader.spend_room(len(wanted) * _HOLDER)
    return CypherLanguage(IndexedSchema(schema), values, options, groundings, wanted)


def _write_schema(schema: Schema) -> list[bytes]:
    kinds = [kind for label in schema.labels for kind in label.properties]
    of_types = schema.relationship_properties
    edge_kinds = [kind for of in of_types.values() for kind in of]
    ends = schema.relationships
    return [
        write_numbers([bool(schema.nodes), schema.estimated]),
        write_texts([label.label for label in schema.labels]),
        write_numbers([len(label.properties) for label in schema.labels]),
        write_texts([kind.name for kind in kinds]),
        write_texts([kind.type for kind in kinds]),
        write_texts(list(map(_write_numeric_example, kinds))),
        write_texts([kind.type for kind in ends]),
        write_texts([kind.start_label for kind in ends]),
        write_texts([kind.end_label for kind in ends]),
        write_texts(list(of_types)),
        write_numbers([len(of) for of in of_types.values()]),
        write_texts([kind.name for kind in edge_kinds]),
        write_texts([kind.type for kind in edge_kinds]),
        write_texts(list(map(_write_numeric_example, edge_kinds))),
    ]


def _write_numeric_example(kind: PropertyKind) -> str:
    """A value of a property whose values are numbers as texts; else nothing."""
    return str((*kind.examples, *kind.values)[0]) if has_numeric_texts(kind) else ""


def _read_schema(reader: SectionReader) -> Schema:
    nodes, estimated = reader.read_indices(2, 2).tolist()
    of_labels = _read_properties(reader)
    types = reader.read_texts()
    starts, ends = _read_parallel_texts(reader, types), _read_parallel_texts(reader, types)
    reader.spend_room(len(types) * _HOLDER)
    of_types = dict(_read_properties(reader))
    return Schema(
        tuple(LabelKind(name, 0, None, row) for name, row in of_labels),
        tuple(RelationshipKind(*row, 0) for row in zip(types, starts, ends, strict=True)),
        nodes=nodes,
        edges=0,
        fingerprint="",
        relationship_properties=of_types,
        estimated=bool(estimated),
    )


def _read_properties(reader: SectionReader) -> list[tuple[str, tuple[PropertyKind, ...]]]:
    """Labels or relationship types, each with its properties."""
    owners = reader.read_texts()
    sizes = reader.read_numbers(len(owners))
    names = reader.read_texts()
    types = _read_parallel_texts(reader, names)
    examples = _read_parallel_texts(reader, names)
    kinds = [
        PropertyKind(name, type_name, examples=(example,) if example else ())
        for name, type_name, example in zip(names, types, examples, strict=True)
    ]
    reader.spend_room((len(owners) + len(names)) * _HOLDER)
    rows = [tuple(kinds[low:high]) for low, high in _pair_row_bounds(sizes, len(kinds))]
    return list(zip(owners, rows, strict=True))


def _check_names(schema: Schema, groundings: Sequence[Grounding]) -> None:
    """Check that reachable paths use only labels and types of the schema."""
    kinds = schema.relationships
    types = {kind.type for kind in kinds}
    labels = {label for kind in kinds for label in (kind.start_label, kind.end_label)}
    labels |= {kind.label for kind in schema.labels}
    paths = [path for grounding in groundings for path in grounding.reachable.paths]
    check_bytes(all(labels.issuperset(path.labels) for path in paths), "a path to no label")
    relations = {step.relation for path in paths for step in path.steps}
    check_bytes(relations <= types, "a path of no relationship")


def _write_options(options: RenderingOptions) -> list[bytes]:
    rendering = RENDERINGS.index(options.rendering)
    bounds = [options.nodes, options.items, options.is_wide, rendering, options.asks_whether]
    return [write_numbers(bounds), write_numbers(options.limits)]


def _read_options(reader: SectionReader) -> RenderingOptions:
    nodes, items, is_wide, rendering, whether = reader.read_indices(_MOST + 1, 5).tolist()
    check_bytes(nodes > 0 and items > 0 and max(is_wide, whether) < 2, "a query of nothing")
    check_bytes(rendering < len(RENDERINGS), "an unknown rendering")
    limits = reader.read_indices(_LARGEST_LIMIT).tolist()
    check_bytes(
        len(limits) <= _MOST_LIMITS and len({0, *limits}) == len(limits) + 1, "limits that are none"
    )
    bounds = nodes, items, tuple(limits), bool(is_wide), RENDERINGS[rendering]
    return RenderingOptions(*bounds, asks_whether=bool(whether))


def _write_groundings(groundings: Sequence[Grounding]) -> list[bytes]:
    paths = [path for grounding in groundings for path in grounding.reachable.paths]
    steps = [step for path in paths for step in path.steps]
    return [
        write_numbers([grounding.value for grounding in groundings]),
        write_numbers([grounding.hops for grounding in groundings]),
        write_numbers([len(grounding.reachable.paths) for grounding in groundings]),
        write_numbers([len(path.steps) for path in paths]),
        write_texts([step.relation for step in steps]),
        write_numbers(np.packbits(np.array([step.reversed for step in steps], np.bool_))),
        write_numbers([len(path.labels) for path in paths]),
        write_texts([label for path in paths for label in path.labels]),
    ]


def _read_groundings(reader: SectionReader, values: int) -> list[Grounding]:
    of = reader.read_indices(values).tolist()
    hops = reader.read_indices(_MOST, len(of)).tolist()
    counts, lengths = reader.read_numbers(len(of)), reader.read_numbers()
    relations = reader.read_texts()
    backwards = reader.read_bits(len(relations)).tolist()
    many, labels = reader.read_numbers(len(lengths)), reader.read_texts()
    reader.spend_room((len(relations) + len(lengths) + len(of)) * _HOLDER)
    steps = [Step(name, bool(back)) for name, back in zip(relations, backwards, strict=True)]
    pairs = zip(
        _pair_row_bounds(lengths, len(steps)), _pair_row_bounds(many, len(labels)), strict=True
    )
    paths = [ReachablePath(tuple(steps[a:b]), labels[c:d], 1, 1) for (a, b), (c, d) in pairs]
    check_bytes(all(path.steps for path in paths), "a path without a step")
    rows = [tuple(paths[low:high]) for low, high in _pair_row_bounds(counts, len(paths))]
    check_bytes(all(hops), "grounded in nothing")
    farthest = [max((len(path.steps) for path in row), default=0) for row in rows]
    check_bytes(
        all(far <= most for far, most in zip(farthest, hops, strict=True)), "a path too long"
    )
    columns = (of, map(ReachablePaths, rows), hops)
    return [Grounding(*row) for row in zip(*columns, strict=True)]


def _read_parallel_texts(reader: SectionReader, others: Sequence[str]) -> tuple[str, ...]:
    """The next texts; CodecError unless there are as many as `others`."""
    texts_read = reader.read_texts()
    check_bytes(len(texts_read) == len(others), "sections differ in length")
    return texts_read


def _pair_row_bounds(sizes: Any, entries: int) -> list[tuple[int, int]]:
    """The first entry of each row and the one behind its last."""
    return list(pairwise(compute_offsets(sizes, entries).tolist()))
