"""Which rows of an order are taken, and the words for that."""

from __future__ import annotations

from dataclasses import dataclass

from trellis.automata.cypher.options import RenderingOptions
from trellis.automata.cypher.words.wording import (
    ASCENDING,
    DESCENDING,
    HIGHEST,
    LIMIT,
    LOWEST,
    PLACES,
)


@dataclass(frozen=True, slots=True)
class RowRange:
    """The rows that an order takes.

    `descending`: the largest come first. `limit`: how many rows are taken at most. `skip`: how many
    are left out before them.
    """

    descending: bool
    limit: int | None = None
    skip: int = 0


def list_sort_texts(options: RenderingOptions) -> dict[str, RowRange]:
    """The words of all orders, and the rows that each takes."""
    ranges = [RowRange(down, limit) for limit in options.limits for down in (True, False)]
    if options.is_wide:
        ranges += [RowRange(down, 1, skip) for skip in PLACES.values() for down in (True, False)]
    ranges += [RowRange(down) for down in (True, False)]
    return {write_sort_text(each): each for each in ranges}


def write_sort_text(rows: RowRange) -> str:
    """The words of one order; a single row needs no number."""
    if rows.limit is None:
        return f" {DESCENDING if rows.descending else ASCENDING}"
    word = HIGHEST if rows.descending else LOWEST
    place = next((place for place, skip in PLACES.items() if skip == rows.skip), "")
    number = "" if rows.limit == 1 else f" {rows.limit}"
    return f" {place} {word}{number}" if place else f" {word}{number}"


def write_limit_text(limit: int) -> str:
    """The words for a number of rows that come in no order."""
    return f" {LIMIT} {limit}"
