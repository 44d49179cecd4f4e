"""The settings of models of tasks `assertion`, `schema_graph` and `guidance`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from trellis.domain.graphs.graph import Revisit
from trellis.domain.models.card import TaskSettings
from trellis.domain.structures.decompositions import MOST_ASSERTIONS

WordKind = Literal["known", "schema", "spans", "free"]
"""What stands between the entities of an assertion: words that were learnt, those of the live
graph's relations, spans of the question, or any words."""


@dataclass(frozen=True, slots=True)
class AssertionSettings(TaskSettings):
    """Which assertions the model was trained to write.

    `known`: the words that were learnt. `free_tokens`: the most tokens of any words. `span_words`:
    the most words of a span. `wording`: lower-case words that questions over this graph use, rather
    than names. `general_words`: whether these are what the live schema's parts are called.
    """

    task: ClassVar[str] = "assertion"

    most_assertions: int = MOST_ASSERTIONS
    words: WordKind = "known"
    known: tuple[str, ...] = ()
    free_tokens: int = 12
    span_words: int = 4
    wording: tuple[str, ...] = ()
    general_words: bool = False


@dataclass(frozen=True, slots=True)
class SchemaGraphSettings(TaskSettings):
    """Which schema graphs the model was trained to write.

    `revisit`: which nodes of a schema graph may be the same node of the graph. `threshold`: the
    T-score that a relationship has to reach under `breadth`, without guidance. `relations`: the
    relationship types that the graph had. `words`: how often each relation brings which word of a
    question (`weigh_sentences`). `general_words`: whether the general lexicon says that.
    """

    task: ClassVar[str] = "schema_graph"

    revisit: Revisit = "simple"
    threshold: float = 0.6
    relations: tuple[str, ...] = ()
    words: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    general_words: bool = False


@dataclass(frozen=True, slots=True)
class GuidanceSettings(TaskSettings):
    """The graph network, and the graph that it was trained on.

    `hops`: how far around the anchors it looks. `width`, `layers`: its size. `dimensions`: of the
    vectors that it is given, which `embedder` made. `fingerprint`: of the graph's schema;
    `relations`: the relationship types that it had. `threshold`: the T-score that a relationship
    has to reach under `breadth`, with guidance.
    """

    task: ClassVar[str] = "guidance"

    hops: int
    width: int
    layers: int
    dimensions: int
    fingerprint: str
    embedder: str = ""
    relations: tuple[str, ...] = ()
    threshold: float = 0.6
