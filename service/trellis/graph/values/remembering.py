"""Indexes values: remembers those of properties with few, makes a full-text index of the others.

It reads all nodes of every label with properties to remember, and lets Neo4j build the full-text
index over the texts of the other properties.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from trellis.automata.cypher.words.property_types import find_item_type
from trellis.domain.graphs.schema import LabelKind, PropertyKind, Schema
from trellis.domain.identifiers import quote_name
from trellis.graph.database.connection import GraphConnection
from trellis.graph.database.names import VALUES_INDEX
from trellis.graph.database.progress import Progress, ignore_progress
from trellis.graph.database.state import change_state
from trellis.graph.indexes.index_building import make_text_index
from trellis.graph.schema.properties import as_json_value

_FEW = 5_000  # different values of a property that is remembered, at most
_MOST = 200_000  # values that are remembered, of all properties together
_SAMPLE = 5_000  # nodes of a label
_MANY_SHARE = 0.5  # share of different values in the sample above which a property has many
_LONGEST = 100  # characters of a value
_TYPES = (
    "STRING",
    "INTEGER",
    "DATE",
    "LOCAL TIME",
    "ZONED TIME",
    "LOCAL DATETIME",
    "ZONED DATETIME",
    "LIST<STRING>",
)
"""The types of properties whose values are remembered; of lists their items are."""

_COUNT_DISTINCT = """
MATCH (x:{label}) WITH x LIMIT $sample
UNWIND $properties AS property
WITH property, {items} AS values UNWIND values AS value
WITH property, value WHERE value IS NOT NULL
RETURN property, count(*) AS present, count(DISTINCT value) AS different,
       max(CASE WHEN valueType(value) STARTS WITH 'STRING' THEN size(value) END) AS longest
"""
_DISTINCT = """
MATCH (x:{label}) UNWIND $properties AS property
WITH property, {items} AS values UNWIND values AS value
WITH DISTINCT property, value WHERE value IS NOT NULL
RETURN property, collect(value)[..$few] AS values
"""
_ITEMS = """
CASE WHEN valueType(x[property]) STARTS WITH 'LIST' THEN x[property] ELSE [x[property]] END
""".strip()
"""The items of a list, or a value alone."""


@dataclass(frozen=True, slots=True)
class ValueSelection:
    """The properties of a label whose values are remembered, and those that are searched."""

    label: str
    remembered: tuple[PropertyKind, ...]
    searched: tuple[str, ...]


async def index_values(
    connection: GraphConnection, schema: Schema, progress: Progress = ignore_progress
) -> int:
    """Remember and index the values of all labels; returns how many are remembered."""
    chosen = []
    for done, kind in enumerate(schema.labels, 1):
        chosen.append(await _select_properties(connection, kind))
        progress("values", done, 2 * len(schema.labels))
    documents, count = [], 0
    for done, choice in enumerate(sorted(chosen, key=lambda choice: len(choice.remembered)), 1):
        for remembered, values in await _read_values(connection, choice):
            if count + len(values) <= _MOST:
                count += len(values)
                documents.append(_build_document(choice.label, remembered, values))
        progress("values", len(schema.labels) + done, 2 * len(schema.labels))
    pairs = ((choice.label, name) for choice in chosen for name in choice.searched)
    await make_text_index(connection, VALUES_INDEX, "standard-folding", pairs)
    searched = sorted({name for choice in chosen for name in choice.searched})
    await change_state(connection, values=documents, searched=searched)
    return count


async def _select_properties(connection: GraphConnection, kind: LabelKind) -> ValueSelection:
    """Choose a label's properties: values are few if its nodes are, or if a sample shows few."""
    usable = {known.name: known for known in kind.properties if known.type in _TYPES}
    query = _COUNT_DISTINCT.format(label=quote_name(kind.label), items=_ITEMS)
    rows = await connection.scan_rows(query, properties=list(usable), sample=_SAMPLE)
    few = [
        row["property"]
        for row in rows
        if kind.count <= _FEW or row["different"] <= _MANY_SHARE * min(row["present"], _FEW)
    ]
    texts = [
        row["property"]
        for row in rows
        if row["property"] not in few
        and usable[row["property"]].type == "STRING"
        and row["longest"] <= _LONGEST
    ]
    return ValueSelection(kind.label, tuple(usable[name] for name in few), tuple(sorted(texts)))


async def _read_values(
    connection: GraphConnection, selection: ValueSelection
) -> list[tuple[PropertyKind, Sequence[Any]]]:
    """All values of those chosen properties that do have few of them."""
    if not selection.remembered:
        return []
    kinds = {kind.name: kind for kind in selection.remembered}
    query = _DISTINCT.format(label=quote_name(selection.label), items=_ITEMS)
    rows = await connection.scan_rows(query, properties=list(kinds), few=_FEW + 1)
    return [
        (kinds[row["property"]], [v for v in map(as_json_value, row["values"]) if _is_short(v)])
        for row in rows
        if len(row["values"]) <= _FEW
    ]


def _is_short(value: object) -> bool:
    return not isinstance(value, str) or 0 < len(value.strip()) <= _LONGEST


def _build_document(label: str, kind: PropertyKind, values: Sequence[Any]) -> str:
    whole = {
        "label": label,
        "property": kind.name,
        "type": find_item_type(kind.type),
        "values": sorted(values, key=str),
    }
    return json.dumps(whole, ensure_ascii=False)
