"""What `POST /v1/retrieve/patterns` is sent and answers."""

from __future__ import annotations

from typing import Annotated

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    StrictInt,
    model_validator,
)

from trellis.domain.graphs.graph import Triple
from trellis.domain.structures.patterns import (
    LabelCandidates,
    NodeCandidates,
    PatternGraph,
    PatternMatch,
    PatternMatches,
    PatternSearch,
    RelationCandidates,
)
from trellis.wire.asked import require_number
from trellis.wire.evidence import NodeBody, TripleBody, list_triple_names
from trellis.wire.request_bodies import RequestBody

_MOST_LISTED = 100_000  # candidates of one node or edge
_MOST_MATCHES = 1_000

Names = Annotated[list[str], Field(max_length=_MOST_LISTED)]
Numbers = Annotated[
    list[float],
    Field(max_length=_MOST_LISTED),
    BeforeValidator(
        lambda given: (
            [require_number(number) for number in given] if isinstance(given, list) else given
        )
    ),
]


class PatternBody(RequestBody):
    """The pattern: how many nodes, and its edges as pairs of their indices from 0; one part."""

    nodes: StrictInt
    edges: list[tuple[StrictInt, StrictInt]] = Field([], max_length=1_000)


class NodeCandidatesBody(RequestBody):
    """What one node may be: nodes by element id, or any node of a label; each at a distance."""

    ids: Names | None = None
    labels: Names | None = None
    distances: Numbers

    @model_validator(mode="after")
    def _check_one_kind(self) -> NodeCandidatesBody:
        if (self.ids is None) == (self.labels is None):
            raise ValueError("needs either ids or labels")
        return self

    def read_candidates(self) -> NodeCandidates | LabelCandidates:
        distances = tuple(self.distances)
        if self.ids is not None:
            return NodeCandidates(tuple(self.ids), distances)
        return LabelCandidates(tuple(self.labels or ()), distances)


class RelationCandidatesBody(RequestBody):
    """The relationship types that one edge may be, each at a distance."""

    types: Names
    distances: Numbers

    def read_candidates(self) -> RelationCandidates:
        return RelationCandidates(tuple(self.types), tuple(self.distances))


class CandidatesBody(RequestBody):
    """For each node and edge of the pattern what it may be; null: anything, at no distance."""

    nodes: list[NodeCandidatesBody | None] | None = Field(None, description="Unset: any nodes.")
    relations: list[RelationCandidatesBody | None] | None = Field(
        None, description="Unset: any relationships."
    )


class PatternRequest(RequestBody):
    """A pattern, its candidates, and how many of the nearest subgraphs to give."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "pattern": {"nodes": 3, "edges": [[0, 1], [0, 2]]},
                    "candidates": {
                        "nodes": [{"labels": ["Country"], "distances": [0.0]}, None, None],
                        "relations": [
                            {"types": ["HAS_CAPITAL"], "distances": [0.0]},
                            {"types": ["BORDERS", "IN_CONTINENT"], "distances": [0.5, 0.0]},
                        ],
                    },
                    "k": 3,
                },
                {"pattern": {"nodes": 2, "edges": [[0, 1]]}, "k": 1, "directed": True},
            ]
        }
    )

    pattern: PatternBody
    candidates: CandidatesBody = CandidatesBody(nodes=None, relations=None)
    k: StrictInt = Field(3, ge=1, le=_MOST_MATCHES, description="The most subgraphs to give.")
    directed: StrictBool = Field(
        False, description="Whether a relationship must lead from an edge's source to its target."
    )

    def read_search(self) -> PatternSearch:
        """Raises PatternError if it cannot be searched for."""
        pattern = PatternGraph(self.pattern.nodes, tuple(self.pattern.edges))
        nodes, relations = self.candidates.nodes, self.candidates.relations
        return PatternSearch(
            pattern,
            (None,) * pattern.nodes
            if nodes is None
            else tuple(given.read_candidates() if given else None for given in nodes),
            (None,) * len(pattern.edges)
            if relations is None
            else tuple(given.read_candidates() if given else None for given in relations),
            self.directed,
        )


class RelationshipBody(BaseModel):
    """A relationship as it stands in the graph."""

    id: str = Field(description="Its element id in Neo4j.")
    type: str
    source: str = Field(description="The element id of the node that it leaves.")
    target: str

    @classmethod
    def of(cls, id: str, triple: Triple) -> RelationshipBody:
        return cls(id=id, type=triple.relation, source=triple.head.id, target=triple.tail.id)


class PatternMatchBody(BaseModel):
    """One subgraph: nodes in the order of the pattern's, relationships in that of its edges."""

    distance: float = Field(description="The graph semantic distance, summed.")
    nodes: list[NodeBody]
    relationships: list[RelationshipBody]
    triples: list[TripleBody]

    @classmethod
    def of(cls, match: PatternMatch) -> PatternMatchBody:
        return cls(
            distance=match.distance,
            nodes=list(map(NodeBody.of_node, match.nodes)),
            relationships=list(map(RelationshipBody.of, match.relationships, match.triples)),
            triples=list_triple_names(match.triples),
        )


class PatternMatchesBody(BaseModel):
    """The nearest subgraphs, nearest first; `complete`: they are certain to be the nearest."""

    matches: list[PatternMatchBody]
    complete: bool

    @classmethod
    def of(cls, found: PatternMatches) -> PatternMatchesBody:
        return cls(
            matches=[PatternMatchBody.of(match) for match in found.matches],
            complete=found.is_complete,
        )
