"""Settings of the task that has to do with described nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from trellis.domain.models.card import TaskSettings


@dataclass(frozen=True, slots=True)
class TextRankSettings(TaskSettings):
    """Settings of a model that ranks the texts of nodes: there are none."""

    task: ClassVar[str] = "text_rank"
