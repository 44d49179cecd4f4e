"""What a model card says of task `path`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from trellis.domain.graphs.graph import Revisit
from trellis.domain.models.card import Rendering, TaskSettings


@dataclass(frozen=True, slots=True)
class PathSettings(TaskSettings):
    """Which walks the model was trained to write.

    `hops`: the most relations in a path. `meets`: whether a sentence may join two paths.
    `wording`: lower-case words that questions over this graph use, rather than names. `words`: how
    often each step, as it is said in a sentence, brings which word (`weigh_sentences`).
    `general_words`: whether the general lexicon says that for the live schema, as of a model that
    belongs to no graph. `prefers_simple`: whether ends of walks that visit no node twice are given
    alone, where there are any: how questions mean it is not known of a graph that nobody taught.
    """

    task: ClassVar[str] = "path"

    rendering: Rendering = "relations"
    hops: int = 2
    revisit: Revisit = "simple"
    meets: bool = False
    wording: tuple[str, ...] = ()
    words: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    general_words: bool = False
    prefers_simple: bool = False
