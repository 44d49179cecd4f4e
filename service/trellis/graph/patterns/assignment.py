"""Gives each of several edges a relationship of its own, at the least sum."""

from __future__ import annotations

import math
from collections.abc import Sequence

Costs = Sequence[Sequence[int | None]]
"""For each row the cost of each column; None if the row may not have it."""


def find_least_sum(costs: Costs) -> int | None:
    """The least sum of one column for each row, all different; None if there is none.

    The Hungarian method with potentials: each row is placed on a cheapest augmenting path.
    """
    columns = len(costs[0]) if costs else 0
    row_potentials, column_potentials = [0] * (len(costs) + 1), [0] * (columns + 1)
    owners = [0] * (columns + 1)  # of each column its row, counted from 1; 0: none
    for row in range(1, len(costs) + 1):
        owners[0] = row
        if not _place_row(costs, row_potentials, column_potentials, owners):
            return None
    taken = ((owners[column], column) for column in range(1, columns + 1) if owners[column])
    return sum(costs[row - 1][column - 1] or 0 for row, column in taken)


def _place_row(
    costs: Costs, row_potentials: list[int], column_potentials: list[int], owners: list[int]
) -> bool:
    size = len(owners)
    slack, previous, used = [math.inf] * size, [0] * size, [False] * size
    column = 0
    while owners[column]:
        used[column] = True
        row = owners[column]
        for other in range(1, size):
            cost = costs[row - 1][other - 1]
            if not used[other] and cost is not None:
                reduced = cost - row_potentials[row] - column_potentials[other]
                if reduced < slack[other]:
                    slack[other], previous[other] = reduced, column
        free = [other for other in range(1, size) if not used[other] and slack[other] < math.inf]
        if not free:
            return False
        column = min(free, key=slack.__getitem__)
        step = int(slack[column])
        for other in range(size):
            if used[other]:
                row_potentials[owners[other]] += step
                column_potentials[other] -= step
            elif slack[other] < math.inf:
                slack[other] -= step
    while column:
        owners[column] = owners[previous[column]]
        column = previous[column]
    return True


def choose_columns(costs: Costs) -> list[int] | None:
    """A column for each row at the least sum, and of those the first, row by row; None if there is
    none."""
    least = find_least_sum(costs)
    if least is None:
        return None
    fixed = [list(row) for row in costs]
    return [_fix_row(fixed, row, least) for row in range(len(fixed))]


def _fix_row(costs: list[list[int | None]], row: int, least: int) -> int:
    whole = costs[row]
    for column, cost in enumerate(whole):
        if cost is not None:
            costs[row] = [cost if other == column else None for other in range(len(whole))]
            if find_least_sum(costs) == least:
                return column
    raise AssertionError("an assignment that was possible is not")
