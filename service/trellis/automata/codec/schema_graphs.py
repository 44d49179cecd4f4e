"""The language of schema graphs (`automata/schema_graphs`) as sections: the assertions' entities,
and the relations of the schema."""

from __future__ import annotations

from trellis.automata.codec.sections import (
    LARGEST,
    TEXT,
    SectionReader,
    check_bytes,
    write_numbers,
    write_texts,
)
from trellis.automata.schema_graphs.kinds import Domains, RelationKinds
from trellis.automata.schema_graphs.language import SchemaGraphLanguage
from trellis.domain.errors import CodecError, InputError
from trellis.domain.structures.decompositions import MOST_ASSERTIONS

_MOST_ENTITIES = 10_000


def write_schema_graphs(language: SchemaGraphLanguage) -> list[bytes]:
    """The sections of a language of schema graphs."""
    kinds = language.kinds
    columns = list(zip(*kinds.kinds, strict=True)) or [(), (), ()]
    sizes = [len(labels) for labels in language.domains]
    return [
        write_numbers([language.mentions, language.asked]),
        write_numbers([end for pair in language.pairs for end in pair]),
        write_texts(kinds.types),
        write_texts(kinds.labels),
        *map(write_numbers, columns),
        write_numbers(sizes),
        write_numbers([label for labels in language.domains for label in sorted(labels)]),
    ]


def read_schema_graphs(reader: SectionReader) -> SchemaGraphLanguage:
    """The language that the sections describe; CodecError where they are not sound."""
    mentions, asked = reader.read_indices(LARGEST, 2).tolist()
    ends = reader.read_indices(_MOST_ENTITIES).tolist()
    check_bytes(len(ends) % 2 == 0 and len(ends) <= 2 * MOST_ASSERTIONS, "no such assertions")
    pairs = tuple(zip(ends[::2], ends[1::2], strict=True))
    kinds = _read_kinds(reader)
    domains = _read_domains(reader, len(kinds.labels), 1 + max(ends, default=-1))
    try:
        return SchemaGraphLanguage(mentions, pairs, asked, kinds, domains)
    except InputError as error:
        raise CodecError(f"the bytes are unusable: {error.problem}") from error


def _read_kinds(reader: SectionReader) -> RelationKinds:
    types, labels = reader.read_texts(), reader.read_texts()
    check_bytes(len(set(types)) == len(types) and "" not in types, "a type is there twice")
    kinds = reader.read_indices(max(1, len(types)))
    starts = reader.read_indices(max(1, len(labels)), len(kinds))
    ends = reader.read_indices(max(1, len(labels)), len(kinds))
    check_bytes(not len(kinds) or bool(types and labels), "a kind of nothing")
    reader.spend_room(2 * (len(kinds) + len(types)) * TEXT)
    return RelationKinds(
        types, labels, tuple(zip(kinds.tolist(), starts.tolist(), ends.tolist(), strict=True))
    )


def _read_domains(reader: SectionReader, labels: int, entities: int) -> Domains:
    sizes = reader.read_indices(labels + 1).tolist()
    check_bytes(len(sizes) == entities, "an entity has no labels")
    listed = reader.read_indices(max(1, labels), sum(sizes)).tolist()
    reader.spend_room(len(listed) * TEXT)
    rest = iter(listed)
    return tuple(frozenset(next(rest) for _ in range(size)) for size in sizes)
