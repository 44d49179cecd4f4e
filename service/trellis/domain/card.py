"""Values of a model's card: how a trained folder is asked, and how it was made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from trellis.domain.graph import Revisit, Scalar

Rendering = Literal["full", "relations"]
"""What a path says: relations and nodes, or its relations alone (the nodes stay a set)."""


@dataclass(frozen=True, slots=True)
class ModelCard:
    """What a trained folder says of itself (`trellis.json`): how to ask it, how it was made."""

    task: str
    base: str
    rendering: Rendering = "relations"
    hops: int = 2
    revisit: Revisit = "simple"
    meets: bool = False  # whether sentences may join two paths
    manner: Mapping[str, Any] = field(default_factory=dict)  # how queries are said; task `cypher`
    wording: tuple[str, ...] = ()  # words that are the question's own, not mentions
    vocabulary: str = ""  # fingerprint of the tokenizer that it was trained with
    temperature: float = 1.0  # calibration of its candidates' probabilities
    confidence: Mapping[str, float] = field(default_factory=dict)  # sign → weight; empty: belief
    abstain_below: float = 0.0
    training: Mapping[str, Scalar] = field(default_factory=dict)
