"""What a card says of task `path`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from trellis.domain.card import Rendering, TaskSettings
from trellis.domain.graph import Revisit


@dataclass(frozen=True, slots=True)
class PathSettings(TaskSettings):
    """The walks that the model was trained to write.

    `hops`: relations in a path, at most. `meets`: whether a sentence may join two paths.
    `wording`: words in lower case that are the questions' own in this graph, not mentions.
    """

    task: ClassVar[str] = "path"

    rendering: Rendering = "relations"
    hops: int = 2
    revisit: Revisit = "simple"
    meets: bool = False
    wording: tuple[str, ...] = ()
