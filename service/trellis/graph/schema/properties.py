"""What properties labels and relationship types have, from a sample of each: types and values.

A sample is the first nodes or relationships of a kind as they are stored. Where the values seen are
few they are all of them only if every node was seen, or an index has none in between.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trellis.domain.schema import PropertyKind
from trellis.domain.values import Scalar
from trellis.graph.connection import GraphConnection, Row
from trellis.graph.names import quoted
from trellis.graph.schema.tokens import Tokens, read_all, united

FEW = 50
"""Values up to which all of them are listed."""

_SAMPLE = 2_000  # nodes or relationships of a kind
_EXAMPLES = 5
_LONGEST = 100  # characters of a value that is listed
_AT_ONCE = 20  # kinds in one query
_VERIFIED = 50_000  # nodes of a label that are looked at one by one for values not seen

_SAMPLED = """
MATCH {pattern} WITH x LIMIT $sample
UNWIND [key IN keys(x) WHERE NOT toLower(key) STARTS WITH '_trellis'] AS property
WITH property, x[property] AS value, replace(valueType(x[property]), ' NOT NULL', '') AS type
WITH property, type, CASE WHEN type STARTS WITH 'LIST' OR type STARTS WITH 'POINT' THEN null
                          WHEN type = 'STRING' AND size(value) > $longest THEN null
                          ELSE value END AS value
RETURN {kind} AS kind, property, type, count(*) AS present, count(value) AS plain,
       collect(DISTINCT value)[..$few] AS values
"""
_DISTINCT = """
MATCH (x:{label}) UNWIND $properties{number} AS property
WITH DISTINCT property, x[property] AS value WHERE value IS NOT NULL
RETURN {number} AS kind, property, collect(value)[..$few] AS values
"""
_BETWEEN = """
UNWIND $gaps{number} AS gap
WITH gap WHERE EXISTS {{ MATCH (x:{label}) WHERE gap[0] < x.{property} < gap[1] }}
            OR gap[0] IS NULL AND EXISTS {{ MATCH (x:{label}) WHERE x.{property} < gap[1] }}
            OR gap[1] IS NULL AND EXISTS {{ MATCH (x:{label}) WHERE x.{property} > gap[0] }}
RETURN {number} AS number, count(*) AS unseen
"""


@dataclass(frozen=True, slots=True)
class _Sampled:
    """One property of one kind, as the sample shows it."""

    kind: str
    name: str
    type: str
    share: float
    values: tuple[Any, ...]  # distinct, at most FEW + 1, as the driver gives them
    plain: bool  # whether all that have it have one type and a value that can be listed

    @property
    def few(self) -> bool:
        return self.plain and 0 < len(self.values) <= FEW


Kinds = dict[str, tuple[PropertyKind, ...]]


async def node_properties(connection: GraphConnection, tokens: Tokens) -> Kinds:
    """The properties of every label; costs 2,000 nodes a label, and what `_complete` costs."""
    kinds = {label: f"(x:{quoted(label)})" for label in tokens.labels}
    sampled = await _sampled(connection, kinds, tokens.labels)
    complete = await _complete(connection, sampled, tokens)
    return _kinds(sampled, complete, "NODE", tokens)


async def relationship_properties(
    connection: GraphConnection, types: Iterable[str], tokens: Tokens
) -> Kinds:
    """The properties of these relationship types; costs 2,000 relationships a type."""
    kinds = {kind: f"()-[x:{quoted(kind)}]->()" for kind in types}
    sampled = await _sampled(connection, kinds, tokens.types)
    whole = {one: one.values for one in sampled if tokens.types[one.kind] <= _SAMPLE}
    return _kinds(sampled, whole, "RELATIONSHIP", tokens)


async def _sampled(
    connection: GraphConnection, patterns: Mapping[str, str], counts: Mapping[str, int]
) -> list[_Sampled]:
    names = list(patterns)
    queries = [_SAMPLED.format(pattern=patterns[k], kind=i) for i, k in enumerate(names)]
    rows = await read_all(
        connection, united(queries, _AT_ONCE), sample=_SAMPLE, few=FEW + 1, longest=_LONGEST
    )
    of_property: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        of_property[names[row["kind"]], row["property"]].append(row)
    return [
        _merged(kind, name, those, min(counts[kind], _SAMPLE))
        for (kind, name), those in sorted(of_property.items())
    ]


def _merged(kind: str, name: str, rows: Sequence[Row], seen: int) -> _Sampled:
    usual = max(rows, key=lambda row: (row["present"], row["type"]))
    present = sum(row["present"] for row in rows)
    plain = len(rows) == 1 and usual["plain"] == usual["present"]
    share = min(1.0, present / max(1, seen))
    return _Sampled(kind, name, usual["type"], share, tuple(usual["values"]), plain)


async def _complete(
    connection: GraphConnection, sampled: Sequence[_Sampled], tokens: Tokens
) -> dict[_Sampled, tuple[Any, ...]]:
    """All values of the properties that have few.

    Free where the sample was all; costs one look at every node of labels up to 50,000; of larger
    ones a seek a value where a range index is, and else is not known.
    """
    few = [one for one in sampled if one.few]
    whole = [one for one in few if tokens.labels[one.kind] <= _SAMPLE]
    small = [one for one in few if _SAMPLE < tokens.labels[one.kind] <= _VERIFIED]
    large = [one for one in few if tokens.labels[one.kind] > _VERIFIED]
    seekable = [one for one in large if ("NODE", one.kind, one.name) in tokens.indexed]
    return {
        **{one: one.values for one in whole},
        **await _counted_out(connection, small),
        **await _without_gaps(connection, seekable),
    }


async def _counted_out(
    connection: GraphConnection, few: Sequence[_Sampled]
) -> dict[_Sampled, tuple[Any, ...]]:
    labels = sorted({one.kind for one in few})
    queries = [_DISTINCT.format(label=quoted(k), number=i) for i, k in enumerate(labels)]
    names = {
        f"properties{i}": [one.name for one in few if one.kind == label]
        for i, label in enumerate(labels)
    }
    rows = await read_all(connection, united(queries, _AT_ONCE), few=FEW + 1, **names)
    found = {(labels[row["kind"]], row["property"]): tuple(row["values"]) for row in rows}
    pairs = ((one, found[one.kind, one.name]) for one in few)
    return {one: values for one, values in pairs if len(values) <= FEW}


async def _without_gaps(
    connection: GraphConnection, few: Sequence[_Sampled]
) -> dict[_Sampled, tuple[Any, ...]]:
    """Those of whose values a range index has none before, between and after the ones seen."""
    queries, gaps = [], {}
    for number, one in enumerate(few):
        known = sorted(one.values)
        gaps[f"gaps{number}"] = [list(gap) for gap in zip([None, *known], [*known, None])]
        label, name = quoted(one.kind), quoted(one.name)
        queries.append(_BETWEEN.format(label=label, property=name, number=number))
    rows = await read_all(connection, united(queries, _AT_ONCE), **gaps)
    return {few[row["number"]]: few[row["number"]].values for row in rows if not row["unseen"]}


def _kinds(
    sampled: Sequence[_Sampled],
    complete: Mapping[_Sampled, tuple[Any, ...]],
    entity: str,
    tokens: Tokens,
) -> Kinds:
    kinds: dict[str, list[PropertyKind]] = defaultdict(list)
    for one in sampled:
        where = (entity, one.kind, one.name)
        kinds[one.kind].append(
            PropertyKind(
                one.name,
                one.type,
                round(one.share, 3),
                unique=where in tokens.unique,
                indexed=where in tokens.indexed,
                values=tuple(sorted(map(plain_value, complete.get(one, ())))),  # type: ignore[type-var]
                examples=tuple(plain_value(v) for v in one.values[:_EXAMPLES]),  # type: ignore[misc]
            )
        )
    return {kind: tuple(those) for kind, those in kinds.items()}


def plain_value(value: Any) -> Scalar:
    """A value as JSON knows it: temporal ones as ISO 8601."""
    return value if isinstance(value, str | int | float | bool) else value.iso_format()
