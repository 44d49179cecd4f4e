"""What indexing does for values: remembers those of properties with few, indexes the others' text.

Costs a look at all nodes of every label with properties worth remembering, and a full-text index
over the texts of all others.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from trellis.domain.identifiers import quoted
from trellis.domain.schema import LabelKind, PropertyKind, Schema
from trellis.graph.connection import GraphConnection
from trellis.graph.names import VALUES_INDEX
from trellis.graph.progress import Progress, silent
from trellis.graph.schema.properties import plain_value
from trellis.graph.state import change_state

_FEW = 5_000  # different values of one property
_MOST = 200_000  # of all that are remembered
_SAMPLE = 5_000  # nodes of a label
_TELLING = 0.5  # of the sampled values different: then there are many
_LONGEST = 100  # characters
_TYPES = (
    "STRING",
    "INTEGER",
    "DATE",
    "LOCAL TIME",
    "ZONED TIME",
    "LOCAL DATETIME",
    "ZONED DATETIME",
)

_DIFFERENT = """
MATCH (x:{label}) WITH x LIMIT $sample
UNWIND $properties AS property
WITH property, x[property] AS value WHERE value IS NOT NULL
RETURN property, count(*) AS present, count(DISTINCT value) AS different,
       max(CASE WHEN valueType(value) STARTS WITH 'STRING' THEN size(value) END) AS longest
"""
_DISTINCT = """
MATCH (x:{label}) UNWIND $properties AS property
WITH DISTINCT property, x[property] AS value WHERE value IS NOT NULL
RETURN property, collect(value)[..$few] AS values
"""
_CREATE_INDEX = f"""
CREATE FULLTEXT INDEX {VALUES_INDEX} IF NOT EXISTS FOR (n:{{labels}}) ON EACH [{{properties}}]
OPTIONS {{{{indexConfig: {{{{`fulltext.analyzer`: 'standard-folding'}}}}}}}}
"""
_INDEXED = f"""
SHOW FULLTEXT INDEXES YIELD name, labelsOrTypes, properties WHERE name = '{VALUES_INDEX}'
RETURN labelsOrTypes AS labels, properties
"""


@dataclass(frozen=True, slots=True)
class Chosen:
    """Properties of one label: those whose values are remembered, and those that are searched."""

    label: str
    remembered: tuple[PropertyKind, ...]
    searched: tuple[str, ...]


async def index_values(
    connection: GraphConnection, schema: Schema, progress: Progress = silent
) -> int:
    """Remember and index the values of all labels; gives how many are remembered."""
    chosen = []
    for done, kind in enumerate(schema.labels, 1):
        chosen.append(await _choose(connection, kind))
        progress("values", done, 2 * len(schema.labels))
    documents, count = [], 0
    for done, one in enumerate(sorted(chosen, key=lambda one: len(one.remembered)), 1):
        for found, values in await _read(connection, one):
            if count + len(values) <= _MOST:
                count += len(values)
                documents.append(_document(one.label, found, values))
        progress("values", len(schema.labels) + done, 2 * len(schema.labels))
    await _index_text(connection, chosen)
    searched = sorted({name for one in chosen for name in one.searched})
    await change_state(connection, values=documents, searched=searched)
    return count


async def _choose(connection: GraphConnection, kind: LabelKind) -> Chosen:
    """A property has few values where the label has few nodes, or a sample shows few."""
    usable = {found.name: found for found in kind.properties if found.type in _TYPES}
    query = _DIFFERENT.format(label=quoted(kind.label))
    rows = await connection.read(query, properties=list(usable), sample=_SAMPLE)
    few = [
        row["property"]
        for row in rows
        if kind.count <= _FEW or row["different"] <= _TELLING * min(row["present"], _FEW)
    ]
    texts = [
        row["property"]
        for row in rows
        if row["property"] not in few
        and usable[row["property"]].type == "STRING"
        and row["longest"] <= _LONGEST
    ]
    return Chosen(kind.label, tuple(usable[name] for name in few), tuple(sorted(texts)))


async def _read(
    connection: GraphConnection, chosen: Chosen
) -> list[tuple[PropertyKind, Sequence[Any]]]:
    """All values of the properties that turn out to have few of them."""
    if not chosen.remembered:
        return []
    kinds = {kind.name: kind for kind in chosen.remembered}
    query = _DISTINCT.format(label=quoted(chosen.label))
    rows = await connection.scan(query, properties=list(kinds), few=_FEW + 1)
    return [
        (kinds[row["property"]], [v for v in map(plain_value, row["values"]) if _is_short(v)])
        for row in rows
        if len(row["values"]) <= _FEW
    ]


def _is_short(value: object) -> bool:
    return not isinstance(value, str) or 0 < len(value.strip()) <= _LONGEST


def _document(label: str, kind: PropertyKind, values: Sequence[Any]) -> str:
    whole = {
        "label": label,
        "property": kind.name,
        "type": kind.type,
        "values": sorted(values, key=str),
    }
    return json.dumps(whole, ensure_ascii=False)


async def _index_text(connection: GraphConnection, chosen: Sequence[Chosen]) -> None:
    """One full-text index over all; made anew where labels or properties came or went."""
    labels = sorted(one.label for one in chosen if one.searched)
    names = sorted({name for one in chosen for name in one.searched})
    rows = await connection.command(_INDEXED)
    if [(sorted(row["labels"]), sorted(row["properties"])) for row in rows] == [(labels, names)]:
        return
    await connection.command(f"DROP INDEX {VALUES_INDEX} IF EXISTS")
    if labels:
        await connection.command(
            _CREATE_INDEX.format(
                labels="|".join(map(quoted, labels)),
                properties=", ".join(f"n.{quoted(name)}" for name in names),
            )
        )
