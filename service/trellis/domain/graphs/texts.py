"""Texts of nodes: the properties that hold them, and what of them is like a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from numpy import float32
from numpy.typing import NDArray

from trellis.domain.graphs.facts import PropertyFact
from trellis.domain.graphs.graph import Node, NodeId


@dataclass(frozen=True, slots=True, order=True)
class TextKind:
    """A property of a label that holds texts of several words, different from node to node."""

    label: str
    property: str


@dataclass(frozen=True, slots=True)
class VectorIndex:
    """A vector index of the user's own, whose vectors say what the texts of `kind` mean.

    `index`: its name. `stored_in`: the property of the same nodes that holds the vectors. `model`:
    the embedder that made them, and that questions are embedded by.
    """

    index: str
    kind: TextKind
    stored_in: str
    model: str


@dataclass(frozen=True, slots=True)
class IndexedTexts:
    """The texts that are indexed, whether passages of them have vectors, and the user's own vector
    indexes that stand in for passages."""

    kinds: tuple[TextKind, ...] = ()
    has_passages: bool = False
    vectors: tuple[VectorIndex, ...] = ()

    @property
    def has_vectors(self) -> bool:
        """Whether any texts can be searched by what they mean."""
        return self.has_passages or bool(self.vectors)

    @property
    def labels(self) -> frozenset[str]:
        """The labels of nodes with texts."""
        return frozenset(kind.label for kind in self.kinds)


@dataclass(frozen=True, slots=True)
class TextSearch:
    """What texts are searched for.

    `text`: in words. `vector` [d]: the same to the embedder; None: words alone count. `among`:
    nodes whose texts are judged too, whether the search finds them or not. `limit`: nodes that each
    of the two searches finds.
    """

    text: str
    vector: NDArray[float32] | None
    among: Sequence[NodeId] = ()
    limit: int = 100


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a node's text: that of a property, from the character `start` on; `length`: the
    characters of the whole text."""

    property: str
    start: int
    text: str
    length: int

    def as_fact(self, node: Node) -> PropertyFact:
        """The fact that the node's property says so."""
        is_whole = not self.start and len(self.text) == self.length
        length = None if is_whole else self.length
        return PropertyFact(node, self.property, self.text, length, self.start)


@dataclass(frozen=True, slots=True)
class TextMatch:
    """A node whose texts are like what was searched for.

    `passages`: the nearest parts of its texts, nearest first. `closeness`: the cosine of the
    nearest; -1 where it has no vector. `words`: the full-text score (BM25), 0 where it was not
    found by words.
    """

    node: Node
    passages: tuple[Passage, ...]
    closeness: float
    words: float
