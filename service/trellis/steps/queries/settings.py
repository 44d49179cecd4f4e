"""What a model card says of tasks `cypher` and `rank`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from trellis.domain.card import TaskSettings


@dataclass(frozen=True, slots=True)
class CypherSettings(TaskSettings):
    """How the model was trained to write queries; `manner`: the rendering options as JSON."""

    task: ClassVar[str] = "cypher"

    manner: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RankSettings(TaskSettings):
    """Settings of a model that judges answers: there are none."""

    task: ClassVar[str] = "rank"
