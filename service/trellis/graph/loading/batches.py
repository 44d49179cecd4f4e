"""Relationship rows in batches: of one type where many rows have it, else of many types."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

from trellis.graph.loading.rows import RelationshipRow

BATCH = 5_000
_WINDOW = 20 * BATCH  # rows held back for batches of one type, over all types
_MANY = 1_000  # rows of one type that are worth a plan of their own

Item = TypeVar("Item")


def split_batches(items: Iterable[Item]) -> Iterator[list[Item]]:
    """The items in lists of `BATCH`, the last one shorter."""
    rest = iter(items)
    while batch := list(islice(rest, BATCH)):
        yield batch


def split_types(
    rows: Iterable[RelationshipRow],
) -> Iterator[tuple[str | None, list[RelationshipRow]]]:
    """Batches with the type that all their rows have, or None where they have several.

    A statement that names its type finds a relationship between two nodes of very many
    relationships ten times as fast; but Neo4j plans it anew for every type.
    """
    rest = iter(rows)
    while window := list(islice(rest, _WINDOW)):
        few: list[RelationshipRow] = []
        for kind, same in _group_by_type(window).items():
            if len(same) < _MANY:
                few += same
                continue
            for batch in split_batches(same):
                yield kind, batch
        for batch in split_batches(few):
            yield None, batch


def _group_by_type(rows: Iterable[RelationshipRow]) -> dict[str, list[RelationshipRow]]:
    groups: dict[str, list[RelationshipRow]] = defaultdict(list)
    for row in rows:
        groups[row.type].append(row)
    return groups
