"""Converts the driver's values to cells: domain values and plain ones, without reserved names."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

from neo4j import graph, spatial, time

from trellis.domain.cypher import Cell
from trellis.domain.graph import Node, NodeId, Step, Triple, Walk
from trellis.graph.names import LOADED_ID, META, NAME, is_reserved
from trellis.graph.state import GraphState

Entities = Mapping[NodeId, graph.Node]
"""Nodes with labels and properties, by their element ids."""

_STATE = frozenset(field.name for field in fields(GraphState)) | {LOADED_ID}
"""The property keys of the node that holds our state."""
_USUAL = ("name", "title", "label")  # as in `graph.nodes.name_of`
_ZEROS = re.compile(r"(?:(\.\d*[1-9])|\.)0+(?=\D|$)")
_NUMBER = 9  # bytes of a number in Bolt, at most
_ENTITY = 40  # bytes of a node or relationship without its properties, about


def cells_of(values: Sequence[Any], nodes: Entities) -> tuple[Cell, ...]:
    """Convert a row; `nodes` has the ends of its relationships."""
    return tuple(_cell(value, nodes) for value in values)


def is_ours(values: Sequence[Any]) -> bool:
    """Whether a row shows what indexing added: our state node, or a reserved name as a value."""
    return any(_tells(value) for value in values)


def weight(value: Any) -> int:
    """The approximate size of a value, in bytes."""
    if isinstance(value, str | bytes | bytearray):
        return len(value)
    if isinstance(value, graph.Path):
        return sum(map(weight, (*value.nodes, *value.relationships)))
    if isinstance(value, graph.Node | graph.Relationship):
        sizes = (weight(part) + len(name) for name, part in value.items() if not is_reserved(name))
        return _ENTITY + sum(sizes)
    if isinstance(value, Mapping):
        return sum(len(name) + weight(part) for name, part in value.items())
    if isinstance(value, list | tuple):
        return sum(map(weight, value))
    return _NUMBER


def nodes_of(value: Any) -> Iterator[graph.Node]:
    """The nodes in a value that have their labels and properties."""
    if isinstance(value, graph.Node):
        yield value
    elif isinstance(value, graph.Path):
        yield from value.nodes
    else:
        for part in _parts(value):
            yield from nodes_of(part)


def ends_of(value: Any) -> Iterator[NodeId]:
    """The ids of the ends of all relationships in a value; the driver gives no more of them."""
    if isinstance(value, graph.Relationship):
        yield from (node.element_id for node in value.nodes if node is not None)
    else:
        for part in _parts(value):
            yield from ends_of(part)


def _parts(value: Any) -> Sequence[Any]:
    if isinstance(value, dict):
        return tuple(value.values())
    return value if isinstance(value, list | tuple) else ()


def _tells(value: Any) -> bool:
    if isinstance(value, str):
        return is_reserved(value)
    if isinstance(value, graph.Node):
        return META in value.labels
    if isinstance(value, dict):
        nested = (part for part in value.values() if not isinstance(part, str))
        return value.get(LOADED_ID) == "state" or any(map(_tells, nested))
    return isinstance(value, list) and (META in value or _STATE.issubset(map(str, value)))


def _cell(value: Any, nodes: Entities) -> Cell:
    if isinstance(value, graph.Node):
        return _node(value)
    if isinstance(value, graph.Relationship):
        return _triple(value, nodes)
    if isinstance(value, graph.Path):
        return _walk(value)
    if isinstance(value, dict):
        return {name: _cell(part, nodes) for name, part in value.items() if not is_reserved(name)}
    if isinstance(value, list | tuple) and not isinstance(value, spatial.Point | time.Duration):
        return [_cell(part, nodes) for part in value if not _tells(part)]
    return _plain(value)


def _node(found: graph.Node) -> Node:
    labels = tuple(sorted(label for label in found.labels if not is_reserved(label)))
    return Node(found.element_id, _name(found), labels, _properties(found))


def _name(found: graph.Node) -> str:
    if isinstance(given := found.get(NAME), str):
        return given
    usual = (_as_text(found.get(name)) for name in _USUAL)
    return next((text for text in usual if text is not None), found.element_id)


def _as_text(value: Any) -> str | None:
    """As Cypher's `toStringOrNull`."""
    if isinstance(value, bool):
        return str(value).lower()
    plain = _plain(value)
    return None if plain is None or isinstance(plain, list) else str(plain)


def _triple(found: graph.Relationship, nodes: Entities) -> Triple:
    head, tail = (_end(node, nodes) for node in found.nodes)
    return Triple(head, found.type, tail, _properties(found))


def _end(node: graph.Node | None, nodes: Entities) -> Node:
    assert node is not None  # the driver gives both ends of every relationship
    return _node(nodes.get(node.element_id, node))


def _walk(found: graph.Path) -> Walk:
    whole = {node.element_id: node for node in found.nodes}
    pairs = zip(found.nodes, found.relationships, strict=False)
    steps = (Step(r.type, r.start_node != at) for at, r in pairs)
    return Walk(tuple(_node(whole[node.element_id]) for node in found.nodes), tuple(steps))


def _properties(found: graph.Entity) -> dict[str, Any]:
    return {name: _plain(value) for name, value in found.items() if not is_reserved(name)}


def _plain(value: Any) -> Any:
    """A property's value as JSON can hold it; other values become text."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, spatial.Point):
        return _place(value)
    if isinstance(value, time.Date | time.Time | time.DateTime | time.Duration):
        return _ZEROS.sub(r"\1", value.iso_format())
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    if isinstance(value, bytes | bytearray):
        return b64encode(value).decode()
    return str(value)


def _place(point: spatial.Point) -> str:
    axes = ", ".join(f"{name}: {at}" for name, at in zip("xyz", point, strict=False))
    return f"point({{srid: {point.srid}, {axes}}})"
