"""Cells of an answer's rows: as typed JSON values, and as text.

JSON's own types stand for themselves. All else is an object whose `type` says what it is:

    {"type": "node", "id": "4:…:12", "name": "Paris", "labels": ["City"]}    and a `distinction`
                                                   where others there have its name
    {"type": "relationship", "head": node, "relation": "HAS_CAPITAL", "tail": node}
    {"type": "path", "nodes": [node, …], "relations": ["HAS_CAPITAL", …]}
    {"type": "date", "value": "2020-02-29"}       also datetime, time, duration (ISO 8601)
    {"type": "point", "srid": 4326, "x": 2.35, "y": 48.86}        z where it has one
    {"type": "bytes", "value": "AAEC"}                            base64
    {"type": "float", "value": "nan"}                             a number that JSON lacks
    {"type": "map", "entries": {"a": 1}}
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from trellis.domain.graphs.graph import Node, NodeId, Triple, Walk
from trellis.domain.structures.cypher import Cell, TypedText

JsonCell = Any
"""A cell as JSON: null, a boolean, number or text, a list of cells, or an object with a `type`."""

Distinctions = Mapping[NodeId, str]
"""By its id what tells a node from others of its name."""

_ALL_DIFFER: Distinctions = MappingProxyType({})


def encode_cell(cell: Cell, distinctions: Distinctions = _ALL_DIFFER) -> JsonCell:
    """A cell as a typed JSON value; `distinctions`: what tells nodes from others of their name."""
    if isinstance(cell, TypedText):
        return {"type": cell.type, **cell.parts}
    if isinstance(cell, Node):
        told = distinctions.get(cell.id)
        return {**_encode_node(cell), **({"distinction": told} if told else {})}
    if isinstance(cell, Triple):
        ends = {"head": _encode_node(cell.head), "tail": _encode_node(cell.tail)}
        return {"type": "relationship", "relation": cell.relation, **ends}
    if isinstance(cell, Walk):
        nodes = [_encode_node(node) for node in cell.nodes]
        return {"type": "path", "nodes": nodes, "relations": [t.relation for t in cell.triples()]}
    if isinstance(cell, dict):
        parts = {key: encode_cell(part, distinctions) for key, part in cell.items()}
        return {"type": "map", "entries": parts}
    if isinstance(cell, list | tuple):
        return [encode_cell(part, distinctions) for part in cell]
    if isinstance(cell, float) and not math.isfinite(cell):
        return {"type": "float", "value": str(cell)}
    return cell


def _encode_node(node: Node) -> JsonCell:
    return {"type": "node", "id": node.id, "name": node.name, "labels": list(node.labels)}


def identify_cell(cell: JsonCell) -> str:
    """What tells the answer that a cell is from others: a node's id, else the value's text."""
    is_node = isinstance(cell, dict) and cell.get("type") == "node"
    return str(cell["id"]) if is_node else write_cell(cell)


def write_cell(cell: JsonCell) -> str:
    """A cell as text, its numbers plain; empty for null, the parts of a list behind one another."""
    if cell is None:
        return ""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, bool | int | float):
        return json.dumps(cell)
    if isinstance(cell, list):
        return "; ".join(map(write_cell, cell))
    return _WRITERS.get(str(cell.get("type")), _write_other)(cell)


def _write_node(cell: Mapping[str, Any]) -> str:
    told = cell.get("distinction")
    return f"{cell['name']} ({told})" if told else str(cell["name"])


def _write_relationship(cell: Mapping[str, Any]) -> str:
    return f"{cell['head']['name']} -{cell['relation']}-> {cell['tail']['name']}"


def _write_path(cell: Mapping[str, Any]) -> str:
    return " … ".join(str(node["name"]) for node in cell["nodes"])


def _write_point(cell: Mapping[str, Any]) -> str:
    """The coordinates, the one of the north before the one of the east where they are these."""
    axes = [str(cell[axis]) for axis in "xyz" if axis in cell]
    if cell.get("srid") in _GEOGRAPHIC:
        axes[:2] = axes[1::-1]
    return ", ".join(axes)


_GEOGRAPHIC = (4326, 4979)
"""Coordinate systems of longitude and latitude, which people write the other way round."""


def _write_map(cell: Mapping[str, Any]) -> str:
    return "; ".join(f"{key}: {write_cell(part)}" for key, part in cell["entries"].items())


def _write_other(cell: Mapping[str, Any]) -> str:
    """A value by its text; a node of an answer that was kept before cells had types by its name."""
    text = cell.get("value", cell.get("name"))
    return json.dumps(cell, ensure_ascii=False) if text is None else str(text)


_WRITERS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "node": _write_node,
    "relationship": _write_relationship,
    "path": _write_path,
    "point": _write_point,
    "map": _write_map,
}
