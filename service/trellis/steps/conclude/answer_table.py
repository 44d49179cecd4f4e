"""Answer table: the rows of a query as a table of its answers.

The columns have names that people understand, the rows come in the order of the answers, and where
a limit cut these, the others' rows are left out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from trellis.automata.cypher.meaning.items import SHOW, ReturnItem
from trellis.automata.cypher.meaning.query import QueryGraph
from trellis.automata.cypher.words.indexed_schema import IndexedSchema
from trellis.domain.errors import CypherReadError, TrellisError
from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.schema import Schema
from trellis.domain.ports import Queries
from trellis.domain.replies.reply import Answer
from trellis.domain.structures.cypher import Cell, QueryLimits, Rows
from trellis.steps.describe.queries.columns import name_columns
from trellis.steps.describe.queries.read_meaning import QueryMeaning
from trellis.steps.ground.queries.answer_cells import list_row_nodes, name_by_property
from trellis.steps.ground.queries.run_queries import QueryRun

_COUNT = "RETURN COUNT {{ {} }} AS total"
_ONE = QueryLimits(rows=1)


def build_answer_table(
    rows: Rows, meaning: QueryMeaning | None, known: IndexedSchema, answers: Sequence[Answer]
) -> Rows:
    """The rows of the answers under readable names, in their order unless the query gives one.

    What several nodes are ordered by is shown, too.
    A row whose first cell is a list belongs to several answers, and is left out only where none of
    them is given. The row of a question that asks whether something is so is its verdict.
    """
    if meaning and (key := _find_order_key(meaning.graph, rows)):
        meaning, rows = _show_order_key(meaning, rows, *key)
    columns = _name_columns(rows.columns, meaning, known)
    if meaning and meaning.asks_whether:
        return replace(rows, columns=columns)
    places = {_identify(answer.node): place for place, answer in enumerate(answers)}
    placed = [(_find_place(row, places, known.schema), row) for row in rows.rows]
    kept = [(place, row) for place, row in placed if place is not None]
    if meaning is None or not meaning.graph.orders:
        kept.sort(key=lambda pair: pair[0])
    cells = [tuple(_name_nodes(cell, known.schema) for cell in row) for _, row in kept]
    return Rows(columns, cells, rows.cut)


async def count_all_answers(queries: Queries, run: QueryRun, found: int) -> int:
    """How many answers a query has where a limit cut its rows, which gave `found` of them.

    The database counts the rows, which are as many where each is an answer. 0 where they were not
    cut or cannot be counted: a count must not take an answer away.
    """
    if run.rows is None or not run.rows.cut or len(run.rows.rows) != found:
        return 0
    counting = replace(run.query, text=_COUNT.format(run.query.text))
    try:
        [[total]] = (await queries.run(counting, _ONE)).rows
    except TrellisError:
        return 0
    return int(total)


def _find_order_key(query: QueryGraph, rows: Rows) -> tuple[int, ReturnItem] | None:
    """The property by which several nodes are ordered, and the column of these; None where it is
    a column of its own, or not of them."""
    if len(query.orders) != 1 or len(rows.rows) < 2 or len(query.items) != len(rows.columns):
        return None
    key = query.orders[0].item
    is_own = key.is_aggregate or key.edge is not None or key.term or key.part or not key.key
    if is_own or any((item.node, item.key) == (key.node, key.key) for item in query.items):
        return None
    whole = (item.node == key.node and item.form.is_whole_node for item in query.items)
    place = next((place for place, is_whole in enumerate(whole) if is_whole), None)
    if place is None or not all(isinstance(row[place], Node) for row in rows.rows):
        return None
    return place, key


def _show_order_key(
    meaning: QueryMeaning, rows: Rows, place: int, key: ReturnItem
) -> tuple[QueryMeaning, Rows]:
    """The rows with what they are ordered by as a last column: `the 3 highest` says how high."""
    graph = replace(meaning.graph, items=(*meaning.graph.items, replace(key, form=SHOW)))
    cells = [(*row, (row[place].properties or {}).get(key.key)) for row in rows.rows]
    return replace(meaning, graph=graph), Rows((*rows.columns, key.key), cells, rows.cut)


def _name_columns(
    columns: Sequence[str], meaning: QueryMeaning | None, known: IndexedSchema
) -> tuple[str, ...]:
    """The names of the columns; as the query has them where its meaning cannot be read."""
    if meaning is None or len(meaning.graph.items) != len(columns):
        return tuple(columns)
    try:
        return name_columns(meaning.graph, known)
    except CypherReadError:
        return tuple(columns)


def _find_place(row: Sequence[Cell], places: Mapping[str, int], schema: Schema) -> float | None:
    """The place of a row's first answer, last where its first cell is null; None where none of
    its answers is given."""
    nodes = list_row_nodes(row, schema)
    given = [places[key] for node in nodes if (key := _identify(node)) in places]
    return math.inf if not nodes else min(given, default=None)


def _identify(node: Node) -> str:
    return node.id or f"value {node.name}"


def _name_nodes(cell: Cell, schema: Schema) -> Cell:
    """A cell whose nodes have the names that they answer by."""
    if isinstance(cell, Node):
        return name_by_property(cell, schema)
    if isinstance(cell, list | tuple):
        return [_name_nodes(part, schema) for part in cell]
    return cell
