"""Values of reasoning by chains of triples: what a chain says so far, and what its graph lacks."""

from __future__ import annotations

from dataclasses import dataclass

from trellis.domain.graphs.graph import NodeId, PathQuery


@dataclass(frozen=True, slots=True)
class ChainTriple:
    """One triple as a chain writes it, in the direction in which it stands in the graph.

    `head` and `tail` are names of nodes, or of sets of nodes: `ENT1` for what the first mention may
    mean, `X1` for what the first triple reaches.
    """

    head: str
    relation: str
    tail: str


@dataclass(frozen=True, slots=True)
class TripleChain(PathQuery):
    """A chain of triples that may go on, or has ended in an answer.

    `paths`: those from the anchors to the answer, or to where the chain is now. `needs`: the nodes
    whose relationships have to be read before the chain can go on from all it has reached.
    """

    triples: tuple[ChainTriple, ...] = ()
    has_ended: bool = False
    needs: tuple[NodeId, ...] = ()
