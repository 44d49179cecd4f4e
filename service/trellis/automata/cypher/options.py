"""The bounds of what queries can say, and how a model's card holds them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, get_args

from trellis.domain.errors import ModelOutdatedError

Rendering = Literal["brief", "cypher"]
"""How sentences are written: in our own few words, or as ordinary Cypher."""

RENDERINGS: tuple[Rendering, ...] = get_args(Rendering)


@dataclass(frozen=True, slots=True)
class RenderingOptions:
    """How a sentence is written, and how much it can say.

    A model is asked under the options that it was trained under. `nodes` and `items`: how many a
    pattern and what is returned have at most. `limits`: the numbers of rows that can be asked for.
    `is_wide`: a sentence can say more than patterns, comparisons with values and aggregates, such
    as negations, alternatives, scopes and conditions on groups. `rendering`: whether it is written
    in our own few words, or as ordinary Cypher. `asks_whether`: whether a wide one can ask if its
    pattern is there at all, which no question means that asks for something.
    """

    nodes: int = 6
    items: int = 8
    limits: tuple[int, ...] = (*range(1, 11), 12, 15, 20, 25, 30, 40, 50, 100)
    is_wide: bool = True
    rendering: Rendering = "brief"
    asks_whether: bool = True


NARROW = RenderingOptions(5, 4, (1, 3, 5, 10), is_wide=False)
"""The options of models that were trained before there were others."""

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
    narrow = {name: getattr(NARROW, name) for name in names}
    known = {name: card_settings[name] for name in names & card_settings.keys()}
    return RenderingOptions(**_restore_limits(narrow | known))


def _restore_limits(settings: dict[str, Any]) -> dict[str, Any]:
    """The same options with a tuple of limits, for which JSON has a list."""
    return settings | ({"limits": tuple(settings["limits"])} if "limits" in settings else {})
