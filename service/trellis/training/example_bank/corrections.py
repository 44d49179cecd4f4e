"""Which of a model's own queries gives what people said would have been right."""

from __future__ import annotations

from collections.abc import Iterator

from trellis.domain.cypher import Cell, CypherQuery, Rows, write_value
from trellis.domain.errors import GraphTimeoutError, QueryError, QuerySyntaxError, RefusedQueryError
from trellis.domain.graph import Node
from trellis.domain.ports import Queries
from trellis.linking.text import name_key
from trellis.questions.judged import JudgedQuestion


async def find_confirmed_query(queries: Queries, judged: JudgedQuestion) -> CypherQuery | None:
    """The likeliest candidate that gives exactly the right answers; None where none does.

    Names alone do not tell which query was meant: many give the same ones. One that the model
    thought of, and that gives them, is another matter.
    """
    wanted = set(map(name_key, judged.row.known_answers))
    for candidate in judged.candidates if wanted else ():
        rows = await _run_query(queries, candidate)
        if rows and not rows.cut and any(wanted == names for names in _list_columns(rows)):
            return candidate
    return None


async def _run_query(queries: Queries, query: CypherQuery) -> Rows | None:
    """The rows of a query; None where it does not run any more."""
    try:
        return await queries.run(query)
    except (RefusedQueryError, QueryError, QuerySyntaxError, GraphTimeoutError):
        return None


def _list_columns(rows: Rows) -> Iterator[set[str]]:
    """The names in each column."""
    for column in zip(*rows.rows, strict=True):
        yield {name_key(_name_cell(cell)) for cell in column}


def _name_cell(cell: Cell) -> str:
    return cell.name if isinstance(cell, Node) else write_value(cell)
