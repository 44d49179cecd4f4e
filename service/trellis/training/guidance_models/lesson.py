"""What a guidance model is taught: schema graphs, their anchors, and the entities on the way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from trellis.domain.graphs.graph import Neighbourhood, Scalar, Step
from trellis.steps.ground.patterns.guide_entities import TripleTexts
from trellis.steps.retrieve.schema_graphs.settings import GuidanceSettings

Rows = NDArray[np.int64]
"""Rows of a neighbourhood, ascending."""


@dataclass(frozen=True, eq=False, slots=True)
class TracedStep:
    """One triple of an example as it stands around its anchors: its relation, and the rows that it
    leads from and to on the way to an answer."""

    step: Step
    sources: Rows
    targets: Rows


@dataclass(frozen=True, eq=False, slots=True)
class GuidanceExample:
    """A schema graph around its anchors; `meant`: the rows of the answers and of what lies on the
    way, anchors included."""

    around: Neighbourhood
    triples: tuple[TripleTexts, ...]
    anchors: Rows
    meant: Rows
    steps: tuple[TracedStep, ...]


@dataclass(frozen=True, slots=True)
class GuidanceLesson:
    """The examples of task `guidance`; `settings`: before training, which finds the threshold."""

    settings: GuidanceSettings
    examples: tuple[GuidanceExample, ...]
    source: Mapping[str, Scalar] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """How many examples there are."""
        return len(self.examples)
