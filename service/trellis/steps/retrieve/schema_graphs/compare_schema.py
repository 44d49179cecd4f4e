"""Compare: what changed in a graph since a model was trained on it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from trellis.domain.graphs.schema import Schema

_MOST_NAMED = 3


def describe_schema_change(known: Collection[str], schema: Schema) -> str:
    """A note on the relationship types that came or went since training; empty where none did, or
    where it is not known which there were."""
    there = {*schema.relation_types}
    if not known or there == {*known}:
        return ""
    parts = [
        f"{word} {_name_some(names)}"
        for word, names in (
            ("it lacks", sorted({*known} - there)),
            ("the model has not learnt", sorted(there - {*known})),
        )
        if names
    ]
    return f"the graph's schema changed since the model was trained: {'; '.join(parts)}"


def share_of_relations(known: Collection[str], schema: Schema) -> float:
    """The share of relationship types, of both together, that are in both."""
    there = {*schema.relation_types}
    union = there | {*known}
    return len(there & {*known}) / len(union) if union else 1.0


def _name_some(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMED
    shown = ", ".join(names[:_MOST_NAMED])
    return f"{shown} and {more} more" if more > 0 else shown
