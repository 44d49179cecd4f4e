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


def read_options(card_settings: Mapping[str, Any]) -> RenderingOptions:
    """The options that a card of an earlier version holds.

    Raises ModelOutdatedError for one that no longer exists.
    """
    names = {field.name for field in fields(RenderingOptions)}
    for name, value in card_settings.items():
        if name not in names and _DROPPED.get(name) != value:
            raise ModelOutdatedError(
                f"the model was trained to write queries with {name} = {value!r}, "
                "which this version does not have",
                "train it again with `trellis train --task cypher`",
            )
    known = {name: card_settings[name] for name in names & card_settings.keys()}
    return RenderingOptions(**_restore_limits(known))


def _restore_limits(settings: dict[str, Any]) -> dict[str, Any]:
    """The same options with a tuple of limits, for which JSON has a list."""
    return settings | ({"limits": tuple(settings["limits"])} if "limits" in settings else {})
