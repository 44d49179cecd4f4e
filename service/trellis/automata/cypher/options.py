"""The bounds of what queries can say, and how a model's card holds them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from trellis.domain.errors import ModelOutdatedError


@dataclass(frozen=True, slots=True)
class RenderingOptions:
    """How much a sentence can say. A model is asked under the options that it was trained under.

    `nodes` of a pattern and `items` that are returned, at most; `limits`: the numbers of rows that
    can be asked for.
    """

    nodes: int = 5
    items: int = 4
    limits: tuple[int, ...] = (1, 3, 5, 10)


_DROPPED = {"begin": "answer", "filters": "inline", "labels": "always"}
"""Options that cards of earlier versions hold, each with the value that all sentences have now."""


def read_options(held: Mapping[str, Any]) -> RenderingOptions:
    """The options that a card of an earlier version holds.

    Raises ModelOutdatedError for one that no longer exists.
    """
    names = {field.name for field in fields(RenderingOptions)}
    for name, value in held.items():
        if name not in names and _DROPPED.get(name) != value:
            raise ModelOutdatedError(
                f"the model was trained to write queries with {name} = {value!r}, "
                "which this version does not have",
                "train it again with `trellis train --task cypher`",
            )
    known = {name: held[name] for name in names & held.keys()}
    return RenderingOptions(**_with_tuple(known))


def _with_tuple(known: dict[str, Any]) -> dict[str, Any]:
    """The same options with a tuple of limits, for which JSON has a list."""
    return known | ({"limits": tuple(known["limits"])} if "limits" in known else {})
