"""Patterns that questions and claims are read as: small graphs of mentions, unknowns, relations.

A pattern is a hypothesis of what the graph holds. It is matched against the graph, and never counts
as evidence. Source: SimGRAG, sections 4.1 and 4.3.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class MentionNode:
    """A node that the question mentions; `index`: that of the mention, from 0."""

    index: int


@dataclass(frozen=True, slots=True, order=True)
class UnknownNode:
    """A node that the question does not name.

    `number`: from 1, in order of appearance; 0 for the node that is asked for. `kind`: a label of
    the graph, or words that say what it is; empty where nothing does.
    """

    number: int
    kind: str = ""
    is_asked: bool = False


PatternNode = MentionNode | UnknownNode


@dataclass(frozen=True, slots=True, order=True)
class PatternTriple:
    """An edge of a pattern; `head` and `tail`: indices of nodes. `relation`: a relationship type of
    the graph, or words that say what it is."""

    head: int
    relation: str
    tail: int


@dataclass(frozen=True, slots=True)
class QuestionPattern:
    """A connected pattern. Patterns of one meaning are equal once they are in normal order."""

    nodes: tuple[PatternNode, ...]
    triples: tuple[PatternTriple, ...]

    @property
    def asked(self) -> int | None:
        """The index of the node that is asked for; None in a claim."""
        asked = (i for i, node in enumerate(self.nodes) if is_asked(node))
        return next(asked, None)

    def list_index_edges(self) -> tuple[int, tuple[tuple[int, int], ...]]:
        """The number of nodes, and the edges as pairs of their indices."""
        return len(self.nodes), tuple((t.head, t.tail) for t in self.triples)


def is_asked(node: PatternNode) -> bool:
    """Whether a node is the one that is asked for."""
    return isinstance(node, UnknownNode) and node.is_asked
