"""Finds the properties that hold texts, by what they hold: several words, seldom the same."""

from __future__ import annotations

from collections.abc import Sequence

from trellis.domain.graphs.schema import LabelKind, Schema
from trellis.domain.graphs.texts import TextKind
from trellis.domain.identifiers import quote_name
from trellis.graph.database.connection import GraphConnection

_SAMPLE = 1_000  # nodes of a label that have the property
_LEAST_WORDS = 5.0  # of a text, on average
_LEAST_NAME_WORDS = 12.0  # of a text that names its node
_LEAST_DIFFERENT = 0.5  # share of the texts

_MEASURE = """
UNWIND $properties AS property
CALL (property) {{
  MATCH (n:{label}) WHERE valueType(n[property]) STARTS WITH 'STRING'
  RETURN n[property] AS value LIMIT $sample
}}
RETURN property, avg(size(split(trim(value), ' '))) AS words,
       toFloat(count(DISTINCT value)) / count(*) AS different
ORDER BY property
"""


async def find_text_kinds(connection: GraphConnection, schema: Schema) -> list[TextKind]:
    """The properties of a graph that hold texts, by label."""
    found = []
    for kind in schema.labels:
        found += [TextKind(kind.label, name) for name in await _find_texts(connection, kind)]
    return found


async def _find_texts(connection: GraphConnection, kind: LabelKind) -> Sequence[str]:
    names = [each.name for each in kind.properties if each.type == "STRING"]
    if not names:
        return ()
    query = _MEASURE.format(label=quote_name(kind.label))
    rows = await connection.scan_rows(query, properties=names, sample=_SAMPLE)
    return [
        row["property"]
        for row in rows
        if row["different"] >= _LEAST_DIFFERENT
        and row["words"] >= (_LEAST_NAME_WORDS if row["property"] == kind.naming else _LEAST_WORDS)
    ]
