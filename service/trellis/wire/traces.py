"""What `POST /v1/retrieve/traces` is sent and answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    StrictInt,
    model_validator,
)

from trellis.domain.errors import PatternError
from trellis.domain.graphs.graph import Node, NodeId, Revisit
from trellis.domain.structures.patterns import PatternGraph
from trellis.domain.structures.traces import (
    AnchorScores,
    RelationScores,
    Trace,
    TraceRules,
    Traces,
    TraceSearch,
)
from trellis.linking.text import name_key
from trellis.wire.asked import require_number
from trellis.wire.evidence import NodeBody, TripleBody, list_triple_names
from trellis.wire.patterns import Names, Numbers, PatternBody, RelationshipBody
from trellis.wire.request_bodies import RequestBody

_MOST_TRACES = 1_000

Number = Annotated[float, BeforeValidator(require_number)]


class AnchorScoresBody(RequestBody):
    """What one node may be: nodes by element id, or by name; each with a score."""

    ids: Names | None = None
    names: Names | None = None
    scores: Numbers

    @model_validator(mode="after")
    def _check_one_kind(self) -> AnchorScoresBody:
        if (self.ids is None) == (self.names is None):
            raise ValueError("needs either ids or names")
        return self

    def read_scores(self, named: Mapping[str, Sequence[Node]]) -> AnchorScores:
        """`named`: the nodes of each name, by its key."""
        if self.ids is not None:
            return AnchorScores(tuple(self.ids), tuple(self.scores))
        names = self.names or []
        if len(names) != len(self.scores):
            raise PatternError(
                f"{len(names)} names have {len(self.scores)} scores", "give one score for each"
            )
        pairs: list[tuple[NodeId, float]] = []
        for name, score in zip(names, self.scores, strict=True):
            nodes = named.get(name_key(name), ())
            if not nodes:
                raise PatternError(f"no node is named {name!r}", "give names of the graph, or ids")
            pairs += [(node.id, score) for node in nodes]
        return AnchorScores(tuple(id for id, _ in pairs), tuple(score for _, score in pairs))


class RelationScoresBody(RequestBody):
    """The relationship types that one edge may be, each with a score."""

    types: Names
    scores: Numbers


class TraceCandidatesBody(RequestBody):
    """For each node and edge of the schema graph what it may be; null: anything, at score 0."""

    nodes: list[AnchorScoresBody | None]
    relations: list[RelationScoresBody | None] | None = Field(
        None, description="Unset: any relationships."
    )


class TraceRequest(RequestBody):
    """A schema graph, its candidates, and how to trace it."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "schema_graph": {"nodes": 3, "edges": [[0, 1], [0, 2]]},
                    "candidates": {
                        "nodes": [{"names": ["France"], "scores": [1.0]}, None, None],
                        "relations": [
                            {"types": ["HAS_CAPITAL"], "scores": [1.0]},
                            {"types": ["BORDERS", "SPEAKS"], "scores": [0.5, 0.25]},
                        ],
                    },
                },
                {
                    "schema_graph": {"nodes": 2, "edges": [[0, 1]]},
                    "candidates": {"nodes": [{"names": ["France"], "scores": [1.0]}, None]},
                    "strategy": "breadth",
                    "threshold": 0.0,
                },
            ]
        }
    )

    schema_graph: PatternBody
    candidates: TraceCandidatesBody
    guidance: Names = Field([], description="Element ids of the nodes of the guidance subgraph.")
    strategy: Literal["precision", "breadth"] = Field(
        "precision", description="Take the best relationship, or all above the threshold."
    )
    threshold: Number = Field(0.6, description="The least T-score under `breadth`.")
    turned: Number = Field(
        0.0, description="Taken off where a relationship leads against its edge."
    )
    revisit: Revisit = Field(
        "simple", description="Which nodes of the schema graph may be the same node."
    )
    shapes: StrictBool = Field(
        False, description="One trace of each sequence of types and directions."
    )
    limit: StrictInt = Field(100, ge=1, le=_MOST_TRACES, description="The most traces to give.")

    def list_names(self) -> list[str]:
        """The names that are to be looked up."""
        return [name for given in self.candidates.nodes if given for name in given.names or ()]

    def read_search(self, named: Mapping[str, Sequence[Node]]) -> TraceSearch:
        """Raises PatternError if it cannot be traced; `named`: nodes by the keys of names."""
        graph = PatternGraph(self.schema_graph.nodes, tuple(self.schema_graph.edges))
        relations = self.candidates.relations
        return TraceSearch(
            graph,
            tuple(given.read_scores(named) if given else None for given in self.candidates.nodes),
            (None,) * len(graph.edges)
            if relations is None
            else tuple(
                RelationScores(tuple(given.types), tuple(given.scores)) if given else None
                for given in relations
            ),
            tuple(self.guidance),
            TraceRules(
                self.strategy,
                self.threshold,
                self.turned,
                self.revisit,
                self.shapes,
                self.limit,
            ),
        )


class TraceBody(BaseModel):
    """One trace: nodes in the order of the schema graph's, relationships in that of its edges."""

    score: float = Field(description="The sum of its anchors' scores and its T-scores.")
    nodes: list[NodeBody]
    relationships: list[RelationshipBody]
    scores: list[float] = Field(description="The T-scores of the relationships.")
    triples: list[TripleBody]

    @classmethod
    def of(cls, trace: Trace) -> TraceBody:
        return cls(
            score=trace.score,
            nodes=list(map(NodeBody.of_node, trace.nodes)),
            relationships=list(map(RelationshipBody.of, trace.relationships, trace.triples)),
            scores=list(trace.scores),
            triples=list_triple_names(trace.triples),
        )


class TracesBody(BaseModel):
    """The traces, best first; `complete`: these are all."""

    traces: list[TraceBody]
    complete: bool

    @classmethod
    def of(cls, found: Traces) -> TracesBody:
        return cls(
            traces=[TraceBody.of(trace) for trace in found.traces], complete=found.is_complete
        )
