"""Names for the nodes of an import, as `trellis index` would write them afterwards.

Indexing reads every node and mends what differs, so a guess that is wrong costs time alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from trellis.graph.indexing import build_name_properties
from trellis.graph.loading.import_values import format_import_value
from trellis.graph.loading.rows import NodeRow
from trellis.graph.names import ALIASES, ALSO, KEY, NAME, NAMED
from trellis.graph.naming import Naming, guess_naming

_PROPERTIES = {"name": NAME, "key": KEY, "also": ALSO, "aliases": ALIASES}


def guess_names(nodes: Iterable[NodeRow]) -> Naming:
    """How these nodes will be named, by their own labels and properties."""
    return Naming(guess_naming((row.labels, row.properties) for row in nodes))


def name_rows(nodes: Iterable[NodeRow], naming: Naming) -> Iterator[NodeRow]:
    """The nodes, with the label and the properties of those that have a name."""
    for row in nodes:
        values = [_format_text(row.properties.get(name)) for name in naming.properties]
        name = naming.find_name(row.labels, values)
        others = [row.properties.get(alias) for alias in naming.alias_properties]
        named = build_name_properties(name, naming.find_aliases(row.labels, others))
        if not named["also"]:  # no name, or one of punctuation alone: tables hold no empty array
            yield row
            continue
        yield NodeRow(row.key, (*row.labels, NAMED), {**row.properties, **_keep_present(named)})


def _keep_present(named: dict[str, Any]) -> dict[str, Any]:
    return {_PROPERTIES[part]: value for part, value in named.items() if value}


def _format_text(value: Any) -> str | None:
    """As `toStringOrNull` does, some numbers aside."""
    return None if value is None or isinstance(value, list) else format_import_value(value)
