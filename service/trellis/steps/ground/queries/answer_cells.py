"""Answer cells: what the cells of a query's rows give as answers, and when two say the same."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace

from trellis.domain.graphs.graph import Node, Triple, Walk
from trellis.domain.graphs.schema import Schema
from trellis.domain.structures.cypher import Cell, Rows, write_value


def list_answers(rows: Rows, schema: Schema, limit: int | None) -> list[Node]:
    """The first column's cells as nodes, each once; a value is a node without an id. Rows behind
    the `limit` are not looked at."""
    nodes: dict[Node, None] = {}
    for row in rows.rows:
        if limit is not None and len(nodes) >= limit:
            break
        nodes |= dict.fromkeys(list_cell_answers(row[0], schema))
    return list(nodes)[:limit]


def list_cell_answers(cell: Cell, schema: Schema) -> list[Node]:
    """The answers that one cell gives: itself, or the items of a list; none for null."""
    cells = cell if isinstance(cell, list | tuple) else (cell,)
    return [_convert_to_node(each, schema) for each in cells if each is not None]


def list_row_nodes(row: Sequence[Cell], schema: Schema) -> list[Node]:
    """The answers that one row gives: those of its first cell."""
    return list_cell_answers(row[0], schema)


def find_single_number(rows: Rows) -> int | None:
    """The whole number where the rows are a single cell with one; else None."""
    if len(rows.rows) != 1 or len(rows.rows[0]) != 1:
        return None
    [cell] = rows.rows[0]
    return cell if isinstance(cell, int) and not isinstance(cell, bool) else None


def make_cell_key(cell: Cell) -> Hashable:
    """A hashable key by which cells are compared: of a node its id."""
    if isinstance(cell, Node):
        return "node", cell.id
    if isinstance(cell, list | tuple):
        return tuple(map(make_cell_key, cell))
    if isinstance(cell, float) and cell.is_integer():
        return int(cell)
    return cell if isinstance(cell, Hashable) else repr(cell)


def _convert_to_node(cell: Cell, schema: Schema) -> Node:
    if isinstance(cell, Node):
        return name_by_property(cell, schema)
    if isinstance(cell, Triple | Walk):
        return cell.tail
    return Node("", write_value(cell))


def name_by_property(node: Node, schema: Schema) -> Node:
    """The node; where it has no name, a unique or indexed property becomes its name."""
    if node.has_name:
        return node
    labels = [known for label in node.labels if (known := schema.label(label))]
    identifying = [p for label in labels for p in label.properties if p.unique or p.indexed]
    for kind in sorted(identifying, key=lambda p: (not p.unique, p.name)):
        value = (node.properties or {}).get(kind.name)
        if value is not None:
            return replace(node, name=write_value(value))
    return node
