"""Schema graphs to trace through a graph, and the traces of them.

Source: STEM, section 3.4 and appendix H. That a node of the schema graph is one node in a trace is
ours.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from trellis.domain.errors import PatternError
from trellis.domain.graphs.graph import Node, NodeId, Revisit, Triple
from trellis.domain.structures.patterns import PatternGraph, check_entries

Strategy = Literal["precision", "breadth"]
"""Which relationships are taken: the best one, or all above a threshold."""

MOST_TRACES = 100_000
"""The most traces of one search."""

MOST_SCORE = 1e6
"""The largest score of a candidate."""

MOST_ANCHORS = 50
"""How many nodes one node of a schema graph may be: the best ones."""

BIAS, BOOST = 0.5, 1.5
"""What is added to the score of a relationship in the guidance subgraph, and what the score of an
anchor there is multiplied by. Source: STEM, equations 11 and 13."""


@dataclass(frozen=True, slots=True)
class AnchorScores:
    """The nodes `ids` [n] that a node of the schema graph may be, and the score of each [n]."""

    ids: tuple[NodeId, ...]
    scores: tuple[float, ...]

    def __post_init__(self) -> None:
        _check_scores("node", self.ids, self.scores)


@dataclass(frozen=True, slots=True)
class RelationScores:
    """The relationship types `types` [n] that an edge may be, and the score of each [n]."""

    types: tuple[str, ...]
    scores: tuple[float, ...]

    def __post_init__(self) -> None:
        _check_scores("relation", self.types, self.scores)


@dataclass(frozen=True, slots=True)
class TraceRules:
    """How a search traces.

    `threshold`: what a T-score has to reach under `breadth`. `turned`: taken off the score of a
    relationship that leads against its edge. `revisit`: which nodes of the schema graph may be the
    same node; two listed ones never are. `has_shapes`: whether of each sequence of types and
    directions only the first trace is wanted. `limit`: the most traces.
    """

    strategy: Strategy = "precision"
    threshold: float = 0.6
    turned: float = 0.0
    revisit: Revisit = "simple"
    has_shapes: bool = False
    limit: int = 1_000
    bias: float = BIAS
    boost: float = BOOST

    def __post_init__(self) -> None:
        if not 1 <= self.limit <= MOST_TRACES:
            raise PatternError(f"{self.limit} traces were asked for", f"ask for 1 to {MOST_TRACES}")
        for name in ("threshold", "turned", "bias", "boost"):
            _check_score(name, getattr(self, name))

    @property
    def is_breadth(self) -> bool:
        return self.strategy == "breadth"

    def keeps_apart(self, is_listed: bool, is_other_listed: bool) -> bool:
        """Whether two nodes of the schema graph have to be different nodes."""
        if self.revisit == "simple" or (is_listed and is_other_listed):
            return True
        return self.revisit == "not_topic" and (is_listed or is_other_listed)


@dataclass(frozen=True, slots=True)
class TraceSearch:
    """A schema graph with the candidates of its nodes and edges; None: anything fits, at score 0.

    What is not listed does not fit. `guidance`: the nodes of the guidance subgraph. Raises
    PatternError where no node is listed, since a trace begins at one.
    """

    schema_graph: PatternGraph
    nodes: tuple[AnchorScores | None, ...]
    relations: tuple[RelationScores | None, ...]
    guidance: tuple[NodeId, ...] = ()
    rules: TraceRules = field(default_factory=TraceRules)

    def __post_init__(self) -> None:
        check_entries("schema graph", self.schema_graph, self.nodes, self.relations)
        if all(given is None for given in self.nodes):
            raise PatternError(
                "the candidates list no node, and a trace begins at one",
                "give the nodes that at least one node of the schema graph may be",
            )


@dataclass(frozen=True, slots=True)
class Trace:
    """A trace of a schema graph: a node for each node, and a relationship for each edge.

    `score`: the sum of its anchors' scores and its T-scores. `nodes`: in the schema graph's order.
    `triples`: the relationships as they stand in the graph, in the order of the edges; `scores`:
    their T-scores; `relationships`: their element ids.
    """

    score: float
    nodes: tuple[Node, ...]
    triples: tuple[Triple, ...]
    scores: tuple[float, ...]
    relationships: tuple[str, ...] = field(compare=False)


@dataclass(frozen=True, slots=True)
class Traces:
    """The traces found, best first; equal ones by their nodes' ids, as texts, then by their
    relationships'. `is_complete`: false where time ran out or there are more than the limit."""

    traces: tuple[Trace, ...]
    is_complete: bool = True


def _check_scores(kind: str, names: Sequence[str], scores: Sequence[float]) -> None:
    if len(names) != len(scores):
        raise PatternError(
            f"{len(names)} {kind} candidates have {len(scores)} scores", "give one score for each"
        )
    for name, score in zip(names, scores, strict=True):
        _check_score(f"the score of the {kind} candidate {name!r}", score)


def _check_score(what: str, score: float) -> None:
    if not (math.isfinite(score) and 0 <= score <= MOST_SCORE):
        raise PatternError(f"{what} is {score}", f"give a number from 0 to {MOST_SCORE:.0f}")
