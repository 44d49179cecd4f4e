"""Whether rows are those of a gold query: as many times each, and in its order where it sorts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from itertools import groupby

from trellis.domain.errors import GraphTimeoutError, QueryError, RefusedQueryError
from trellis.domain.ports import Queries
from trellis.domain.structures.cypher import Cell, CypherQuery, QueryLimits, Rows
from trellis.evaluation.final_return import FinalReturn, parse_final_return
from trellis.steps.ground.queries.answer_cells import make_cell_key

Row = tuple[Hashable, ...]

_DIGITS = 12  # of a number; sums in another order differ in later ones


async def run_query(queries: Queries, query: CypherQuery, limits: QueryLimits) -> Rows | None:
    """The rows of a query; None if it is refused, fails or takes too long."""
    try:
        return await queries.run(query, limits)
    except (RefusedQueryError, QueryError, GraphTimeoutError):
        return None


async def has_gold_rows(
    queries: Queries, gold: CypherQuery, gold_rows: Rows, given: Rows, limits: QueryLimits
) -> bool:
    """Whether `given` is a result that the gold query could have, of which `gold_rows` is one.

    Columns compare by position, nodes by id, lists without their order. Rows of equal sort keys may
    stand in any order, and a limit may keep any of them. Where an inner WITH limits rows, only
    those count that Neo4j chose.
    """
    wanted, rows = _make_keys(gold_rows.rows), _make_keys(given.rows)
    if wanted == rows:
        return True
    if len(wanted) != len(rows) or len(gold_rows.columns) != len(given.columns):
        return False
    final = parse_final_return(gold)
    if final and final.leaves_choice:
        ranked = await run_query(queries, final.ranking, limits)
        if ranked and not ranked.cut:
            return _is_choice(rows, ranked, final)
    return Counter(wanted) == Counter(rows) and not (final and final.key_count)


def _is_choice(rows: Sequence[Row], ranked: Rows, final: FinalReturn) -> bool:
    """Whether rows are what the query may return of its ranking."""
    at = 0
    for tied, count in _find_ties(ranked, final):
        chosen = Counter(rows[at : at + count])
        if sum(chosen.values()) != count or not chosen <= tied:
            return False
        at += count
    return at == len(rows)


def _find_ties(ranked: Rows, final: FinalReturn) -> Iterator[tuple[Counter[Row], int]]:
    """The rows of equal sort keys, in order, and how many of them the query returns."""
    split = [final.split_row(row) for row in ranked.rows]
    window, at = final.find_window(ranked), 0
    for _, tied in groupby(split, lambda pair: make_row_key(pair[1])):
        rows = [make_row_key(row) for row, _ in tied]
        returned = range(max(at, window.start), min(at + len(rows), window.stop))
        if returned:
            yield Counter(rows), len(returned)
        at += len(rows)


def _make_keys(rows: Sequence[Sequence[Cell]]) -> list[Row]:
    return [make_row_key(row) for row in rows]


def make_row_key(row: Sequence[Cell]) -> Row:
    """A hashable key by which rows are compared."""
    return tuple(map(_make_exact_key, row))


def _make_exact_key(cell: Cell) -> Hashable:
    """As `make_cell_key`, but TRUE is not 1, lists have no order and numbers few digits."""
    if isinstance(cell, bool):
        return "boolean", cell
    if isinstance(cell, float) and not cell.is_integer():
        return float(f"{cell:.{_DIGITS}g}")
    if isinstance(cell, list | tuple):
        return "list", frozenset(Counter(map(_make_exact_key, cell)).items())
    return make_cell_key(cell)
