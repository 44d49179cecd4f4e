"""Converts the driver's values to cells: domain values and plain ones, without reserved names."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

from neo4j import graph, spatial, time

from trellis.domain.graphs.graph import Node, NodeId, Step, Triple, Walk
from trellis.domain.structures.cypher import Cell, TypedText
from trellis.graph.database.names import LOADED_ID, META, NAME, is_reserved
from trellis.graph.database.state import GraphState

Entities = Mapping[NodeId, graph.Node]
"""Nodes with labels and properties, by their element ids."""

_STATE = frozenset(field.name for field in fields(GraphState)) | {LOADED_ID}
"""The property keys of the node that holds our state."""
_USUAL = ("name", "title", "label")  # as in `graph.database.nodes.name_expression`
_TRAILING_ZEROS = re.compile(r"(?:(\.\d*[1-9])|\.)0+(?=\D|$)")
_TEMPORAL_TYPES: Mapping[type[Any], str] = {
    time.DateTime: "datetime",
    time.Date: "date",
    time.Time: "time",
    time.Duration: "duration",
}
_NUMBER = 9  # bytes of a number in Bolt, at most
_ENTITY = 40  # bytes of a node or relationship without its properties, about


def convert_row(values: Sequence[Any], nodes: Entities) -> tuple[Cell, ...]:
    """Convert a row; `nodes` has the ends of its relationships."""
    return tuple(_convert_value(value, nodes) for value in values)


def is_internal_row(values: Sequence[Any]) -> bool:
    """Whether a row shows what indexing added: our state node, or a reserved name as a value."""
    return any(_is_internal(value) for value in values)


def estimate_bytes(value: Any) -> int:
    """The approximate size of a value, in bytes."""
    if isinstance(value, str | bytes | bytearray):
        return len(value)
    if isinstance(value, graph.Path):
        return sum(map(estimate_bytes, (*value.nodes, *value.relationships)))
    if isinstance(value, graph.Node | graph.Relationship):
        sizes = (
            estimate_bytes(part) + len(name)
            for name, part in value.items()
            if not is_reserved(name)
        )
        return _ENTITY + sum(sizes)
    if isinstance(value, Mapping):
        return sum(len(name) + estimate_bytes(part) for name, part in value.items())
    if isinstance(value, list | tuple):
        return sum(map(estimate_bytes, value))
    return _NUMBER


def find_nodes(value: Any) -> Iterator[graph.Node]:
    """The nodes in a value that have their labels and properties."""
    if isinstance(value, graph.Node):
        yield value
    elif isinstance(value, graph.Path):
        yield from value.nodes
    else:
        for part in _list_parts(value):
            yield from find_nodes(part)


def find_end_ids(value: Any) -> Iterator[NodeId]:
    """The ids of the ends of all relationships in a value; the driver gives no more of them."""
    if isinstance(value, graph.Relationship):
        yield from (node.element_id for node in value.nodes if node is not None)
    else:
        for part in _list_parts(value):
            yield from find_end_ids(part)


def _list_parts(value: Any) -> Sequence[Any]:
    if isinstance(value, dict):
        return tuple(value.values())
    return value if isinstance(value, list | tuple) else ()


def _is_internal(value: Any) -> bool:
    if isinstance(value, str):
        return is_reserved(value)
    if isinstance(value, graph.Node):
        return META in value.labels
    if isinstance(value, dict):
        nested = (part for part in value.values() if not isinstance(part, str))
        return value.get(LOADED_ID) == "state" or any(map(_is_internal, nested))
    return isinstance(value, list) and (META in value or _STATE.issubset(map(str, value)))


def _convert_value(value: Any, nodes: Entities) -> Cell:
    if isinstance(value, graph.Node):
        return _convert_node(value)
    if isinstance(value, graph.Relationship):
        return _convert_relationship(value, nodes)
    if isinstance(value, graph.Path):
        return _convert_path(value)
    if isinstance(value, dict):
        return {
            name: _convert_value(part, nodes)
            for name, part in value.items()
            if not is_reserved(name)
        }
    if isinstance(value, list | tuple) and not isinstance(value, spatial.Point | time.Duration):
        return [_convert_value(part, nodes) for part in value if not _is_internal(part)]
    return convert_property(value)


def _convert_node(node: graph.Node) -> Node:
    labels = tuple(sorted(label for label in node.labels if not is_reserved(label)))
    return Node(node.element_id, _choose_name(node), labels, _convert_properties(node))


def _choose_name(node: graph.Node) -> str:
    if isinstance(given := node.get(NAME), str):
        return given
    usual = (_as_text(node.get(name)) for name in _USUAL)
    return next((text for text in usual if text is not None), node.element_id)


def _as_text(value: Any) -> str | None:
    """As Cypher's `toStringOrNull`."""
    if isinstance(value, bool):
        return str(value).lower()
    plain = convert_property(value)
    return None if plain is None or isinstance(plain, list) else str(plain)


def _convert_relationship(relationship: graph.Relationship, nodes: Entities) -> Triple:
    head, tail = (_convert_end(node, nodes) for node in relationship.nodes)
    return Triple(head, relationship.type, tail, _convert_properties(relationship))


def _convert_end(node: graph.Node | None, nodes: Entities) -> Node:
    assert node is not None  # the driver gives both ends of every relationship
    return _convert_node(nodes.get(node.element_id, node))


def _convert_path(path: graph.Path) -> Walk:
    whole = {node.element_id: node for node in path.nodes}
    pairs = zip(path.nodes, path.relationships, strict=False)
    steps = (Step(r.type, r.start_node != at) for at, r in pairs)
    return Walk(tuple(_convert_node(whole[node.element_id]) for node in path.nodes), tuple(steps))


def _convert_properties(entity: graph.Entity) -> dict[str, Any]:
    return {
        name: convert_property(value) for name, value in entity.items() if not is_reserved(name)
    }


def convert_property(value: Any) -> Any:
    """A property's value as JSON can hold it; other values become text that tells its type."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, spatial.Point):
        return _convert_point(value)
    for kind, name in _TEMPORAL_TYPES.items():
        if isinstance(value, kind):
            return TypedText(_TRAILING_ZEROS.sub(r"\1", value.iso_format()), name)
    if isinstance(value, list | tuple):
        return [convert_property(part) for part in value]
    if isinstance(value, bytes | bytearray):
        return TypedText(b64encode(value).decode(), "bytes")
    return str(value)


def _convert_point(point: spatial.Point) -> TypedText:
    axes = dict(zip("xyz", point, strict=False))
    written = ", ".join(f"{name}: {at}" for name, at in axes.items())
    return TypedText(
        f"point({{srid: {point.srid}, {written}}})", "point", {"srid": point.srid or 0, **axes}
    )
