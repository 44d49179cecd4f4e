"""What a card says of tasks `cypher` and `rank`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from trellis.domain.card import TaskSettings


@dataclass(frozen=True, slots=True)
class CypherSettings(TaskSettings):
    """How the model was trained to say queries."""

    task: ClassVar[str] = "cypher"

    manner: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RankSettings(TaskSettings):
    """The model judges answers; there is nothing to be set."""

    task: ClassVar[str] = "rank"
