"""Right answers that a file knows by ids: which nodes they are, and what counts in their place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from trellis.domain.errors import InputError
from trellis.domain.graphs.graph import Node
from trellis.domain.identifiers import quote_name
from trellis.graph.database.connection import GraphConnection
from trellis.graph.database.names import LOADED, LOADED_ID, META
from trellis.graph.database.nodes import node_expression, parse_node
from trellis.questions.row import QuestionRow

_RETURN = f"RETURN id, {node_expression('n')} AS node"
_BY_FILE_ID = f"UNWIND $ids AS id MATCH (n:{LOADED} {{{LOADED_ID}: '\\t' + id}}) {_RETURN}"
_BY_PROPERTY = f"""
MATCH (n) WHERE NOT n:{META}
WITH n, toStringOrNull(n.%s) AS id WHERE id IN $ids {_RETURN}
"""


async def find_answer_nodes(
    connection: GraphConnection, rows: Sequence[QuestionRow], property_: str | None = None
) -> list[QuestionRow]:
    """The rows with the nodes that their answers are, where these are given by ids.

    `property_`: what holds a node's id; None: the `:ID` in the files that the graph was loaded
    from. Given one, answers that are no ids are values of it too. Raises InputError where an id is
    of no node.
    """
    asked = [_list_ids(row, property_) for row in rows]
    ids = sorted({each for some in asked for each in some or ()})
    found = await _read_nodes(connection, ids, property_) if ids else {}
    if missing := [each for each in ids if each not in found]:
        known = f"its property {property_!r}" if property_ else "its :ID in the loaded files"
        raise InputError(
            f"{len(missing):,} of {len(ids):,} answer ids are of no node, the first {missing[0]!r}",
            f"load the graph that the file is about; a node is known by {known}",
        )
    return [_add_nodes(row, some, found) for row, some in zip(rows, asked, strict=True)]


def list_right_keys(row: QuestionRow) -> tuple[str, ...]:
    """What the right answers compare by: element ids where these are known, else names."""
    return row.known_answers if row.answer_nodes is None else row.answer_nodes


def choose_key(row: QuestionRow, node: Node) -> str:
    """What a node that was answered compares by."""
    return node.name if row.answer_nodes is None else node.id


def _list_ids(row: QuestionRow, property_: str | None) -> tuple[str, ...] | None:
    return row.answers if property_ and row.answer_ids is None else row.answer_ids


async def _read_nodes(
    connection: GraphConnection, ids: Sequence[str], property_: str | None
) -> Mapping[str, list[Node]]:
    query = _BY_PROPERTY % quote_name(property_) if property_ else _BY_FILE_ID
    found: dict[str, list[Node]] = {}
    for row in await connection.scan_rows(query, ids=ids):
        found.setdefault(row["id"], []).append(parse_node(row["node"]))
    return found


def _add_nodes(
    row: QuestionRow, ids: Sequence[str] | None, found: Mapping[str, Sequence[Node]]
) -> QuestionRow:
    if ids is None:
        return row
    nodes = [node for each in ids for node in found[each]]
    names, elements = (node.name for node in nodes), (node.id for node in nodes)
    return replace(row, answers=tuple(names), answer_nodes=tuple(elements))
