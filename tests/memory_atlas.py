"""The bundled graph of the world in memory."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import trellis
from memory_graph import MemoryGraph
from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.schema import PropertyKind, Schema

FOLDER = Path(trellis.__file__).parent / "demo" / "atlas"
_TYPES = {"int": "INTEGER", "double": "FLOAT"}


class MemoryAtlas(MemoryGraph):
    """The atlas, whose schema tells the properties of its labels too."""

    _schema: Schema | None = None

    async def schema(self) -> Schema:
        if self._schema is None:
            schema, kinds = await super().schema(), _read_properties()
            labels = (replace(it, properties=kinds[it.label]) for it in schema.labels)
            self._schema = replace(schema, labels=tuple(labels))
        return self._schema


@cache
def load_atlas() -> MemoryAtlas:
    nodes = {
        row[":ID"]: Node(row[":ID"], row["name"], (row[":LABEL"],))
        for file in sorted(FOLDER.glob("*.nodes.*.csv"))
        for row in _read_rows(file)
    }
    number = {id: index for index, id in enumerate(nodes)}
    triples = [
        (number[row[":START_ID"]], row[":TYPE"], number[row[":END_ID"]])
        for file in sorted(FOLDER.glob("*.relationships.*.csv"))
        for row in _read_rows(file)
    ]
    return MemoryAtlas(list(nodes.values()), triples)


def _read_rows(file: Path) -> Iterator[Mapping[str, str]]:
    with file.open(encoding="utf-8", newline="") as lines:
        yield from csv.DictReader(lines)


def _read_properties() -> dict[str, tuple[PropertyKind, ...]]:
    """The properties of each label, by the headers of the files."""
    found = {}
    for file in FOLDER.glob("*.nodes.*.csv"):
        with file.open(encoding="utf-8", newline="") as lines:
            names = [name.partition(":")[::2] for name in next(csv.reader(lines))]
        kinds = (PropertyKind(name, _TYPES.get(kind, "STRING")) for name, kind in names if name)
        found[file.name.split(".")[2]] = tuple(kinds)
    return found
