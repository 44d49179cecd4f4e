"""What a model card says of tasks `cypher` and `rank`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from trellis.automata.cypher.options import NARROW, Rendering, RenderingOptions, read_options
from trellis.domain.models.card import TaskSettings


@dataclass(frozen=True, slots=True)
class CypherSettings(TaskSettings):
    """The bounds of the queries that the model was trained to write, as `RenderingOptions` has
    them; `wording`: lower-case words that questions use, rather than names; `rendering`: how the
    model writes queries, in our own words or as ordinary Cypher."""

    task: ClassVar[str] = "cypher"

    nodes: int = NARROW.nodes
    items: int = NARROW.items
    limits: tuple[int, ...] = NARROW.limits
    is_wide: bool = NARROW.is_wide
    wording: tuple[str, ...] = ()
    rendering: Rendering = NARROW.rendering

    @property
    def options(self) -> RenderingOptions:
        """The options that the model's sentences are read and written under."""
        bounds = self.nodes, self.items, self.limits, self.is_wide
        return RenderingOptions(*bounds, rendering=self.rendering)

    @classmethod
    def of_options(
        cls,
        options: RenderingOptions,
        wording: Sequence[str] = (),
    ) -> Self:
        """The settings of a model that is trained under some options."""
        bounds = options.nodes, options.items, options.limits, options.is_wide
        return cls(*bounds, tuple(wording), options.rendering)

    @classmethod
    def from_json(cls, fields_of_card: Mapping[str, Any]) -> Self:
        """As of any task; cards of earlier versions hold the options as their `manner`.

        Raises ModelOutdatedError where these are options that no longer exist.
        """
        if "manner" in fields_of_card:
            return cls.of_options(read_options(fields_of_card["manner"]))
        return super(CypherSettings, cls).from_json(fields_of_card)


@dataclass(frozen=True, slots=True)
class RankSettings(TaskSettings):
    """Settings of a model that judges answers: there are none."""

    task: ClassVar[str] = "rank"
