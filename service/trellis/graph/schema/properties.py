"""Reads the properties of labels and relationship types: types, shares, and values if few.

The values in a sample count as all values of a property only if the sample is the whole graph, or
if a range index has no value between them. Otherwise they are examples.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trellis.domain.graphs.schema import PropertyKind
from trellis.domain.identifiers import quote_name
from trellis.graph.database.connection import GraphConnection, Row
from trellis.graph.schema.sampling import FEW, Entity, Sample, read_properties
from trellis.graph.schema.tokens import SchemaTokens, read_united_rows

_EXAMPLES = 5
_MOST_SOUGHT = 200  # properties whose indexes are searched for further values

_BETWEEN = """
UNWIND $gaps{number} AS gap
WITH gap WHERE EXISTS {{ MATCH (x:{label}) WHERE gap[0] < x.{property} < gap[1] }}
            OR gap[0] IS NULL AND EXISTS {{ MATCH (x:{label}) WHERE x.{property} < gap[1] }}
            OR gap[1] IS NULL AND EXISTS {{ MATCH (x:{label}) WHERE x.{property} > gap[0] }}
RETURN {number} AS number LIMIT 1
"""

Kinds = dict[str, tuple[PropertyKind, ...]]


@dataclass(frozen=True, slots=True)
class _SampledProperty:
    """One property of one label or relationship type, as the sample shows it.

    `values`: distinct values, at most FEW + 1, as the driver gives them.
    `is_listable`: all values have one type and can be listed.
    """

    kind: str
    name: str
    type: str
    share: float
    values: tuple[Any, ...]
    is_listable: bool

    @property
    def has_few_values(self) -> bool:
        return self.is_listable and 0 < len(self.values) <= FEW


async def read_property_kinds(
    connection: GraphConnection, sample: Sample, counts: Mapping[str, int], tokens: SchemaTokens
) -> Kinds:
    """The properties of each label or relationship type.

    Reads the sample once, and makes an index seek for each value of an indexed property with few.
    """
    rows = await read_properties(connection, sample, counts)
    seen = [known for kind, some in sorted(rows.items()) for known in _summarize_kind(kind, some)]
    few = [known for known in seen if known.has_few_values]
    complete = {known: known.values for known in few if sample.is_whole}
    if not sample.is_whole and sample.entity == "NODE":
        indexed = [known for known in few if _index_key(sample.entity, known) in tokens.indexed]
        complete = await _find_complete_values(connection, indexed[:_MOST_SOUGHT])
    kinds: dict[str, list[PropertyKind]] = defaultdict(list)
    for known in seen:
        values = complete.get(known, ())
        kinds[known.kind].append(_build_property_kind(known, values, sample.entity, tokens))
    return {kind: tuple(properties) for kind, properties in kinds.items()}


def _summarize_kind(kind: str, rows: Sequence[Row]) -> list[_SampledProperty]:
    of_property: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        of_property[row["property"]].append(row)
    seen = sum(row["present"] for row in of_property.pop("", ()))
    return [_merge_rows(kind, name, some, seen) for name, some in sorted(of_property.items())]


def _merge_rows(kind: str, name: str, rows: Sequence[Row], seen: int) -> _SampledProperty:
    usual = max(rows, key=lambda row: (row["present"], row["type"]))
    present = sum(row["present"] for row in rows)
    plain = len(rows) == 1 and usual["plain"] == usual["present"]
    values = tuple(usual["values"])
    return _SampledProperty(
        kind, name, usual["type"], min(1.0, present / max(1, seen)), values, plain
    )


async def _find_complete_values(
    connection: GraphConnection, few: Sequence[_SampledProperty]
) -> dict[_SampledProperty, tuple[Any, ...]]:
    """The properties whose range index has no value before, between or after the sampled ones."""
    queries, gaps = [], {}
    for number, sampled in enumerate(few):
        values = sorted(sampled.values)
        between = zip([None, *values], [*values, None], strict=True)
        gaps[f"gaps{number}"] = [list(gap) for gap in between]
        label, name = quote_name(sampled.kind), quote_name(sampled.name)
        queries.append(_BETWEEN.format(label=label, property=name, number=number))
    rows = await read_united_rows(connection, queries, **gaps)
    incomplete = {row["number"] for row in rows}
    complete = [sampled for number, sampled in enumerate(few) if number not in incomplete]
    return {sampled: sampled.values for sampled in complete}


def _build_property_kind(
    sampled: _SampledProperty, values: Sequence[Any], entity: Entity, tokens: SchemaTokens
) -> PropertyKind:
    where = _index_key(entity, sampled)
    return PropertyKind(
        sampled.name,
        sampled.type,
        round(sampled.share, 3),
        unique=where in tokens.unique,
        indexed=where in tokens.indexed,
        values=tuple(map(as_json_value, sorted(values))),
        examples=tuple(
            map(as_json_value, sampled.values[: FEW if sampled.has_few_values else _EXAMPLES])
        ),
    )


def _index_key(entity: Entity, sampled: _SampledProperty) -> tuple[str, str, str]:
    return entity, sampled.kind, sampled.name


def as_json_value(value: Any) -> str | int | float | bool:
    """A value as JSON can hold it; temporal values become ISO 8601 texts."""
    if isinstance(value, str | int | float | bool):
        return value
    text: str = value.iso_format()
    return text
