"""What pipelines and steps know of the outside: small protocols, adapters implement them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from trellis.domain.values import (
    Answer,
    Called,
    Link,
    ModelCard,
    Neighbourhood,
    Node,
    NodeId,
    RelationPath,
    Revisit,
    Triple,
    Walk,
)


@dataclass(frozen=True, slots=True)
class RelationshipKind:
    """A relationship type between two labels, and how often it occurs."""

    type: str
    start_label: str
    end_label: str
    count: int


@dataclass(frozen=True, slots=True)
class LabelKind:
    """A label: how many nodes carry it, its naming property, its properties with their types."""

    label: str
    count: int
    naming: str | None
    properties: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Schema:
    """What the live graph consists of; nothing of ours is in it."""

    labels: tuple[LabelKind, ...]
    relationships: tuple[RelationshipKind, ...]
    nodes: int
    edges: int
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Reached:
    """A node that a relation path reaches, one walk that shows it, and how many walks do.

    `also`: one walk of each further path, where several meet in the node.
    """

    node: Node
    walk: Walk
    walks: int = 1
    also: tuple[Walk, ...] = ()


class Graph(Protocol):
    """The graph that questions are asked of."""

    async def exact(self, keys: Sequence[str]) -> Mapping[str, Sequence[Node]]:
        """Nodes by `name_key` of their naming text; keys without a node are left out."""

    async def also(self, keys: Sequence[str]) -> Mapping[str, Sequence[Called]]:
        """Nodes by `spellings` of their names and of what other properties call them."""

    async def by_text(self, texts: Sequence[str], limit: int) -> Sequence[Sequence[Link]]:
        """For each text the nodes that full-text search (fuzzy) finds, best first."""

    async def by_vector(self, vectors: NDArray[np.float32], limit: int) -> Sequence[Sequence[Link]]:
        """For each row of `vectors` [n, d] the nodes with the nearest names, best first."""

    async def neighbourhood(
        self, anchors: Sequence[NodeId], hops: int, *, edge_budget: int, names: bool
    ) -> Neighbourhood:
        """All relationships up to `hops` from the anchors, within a budget of entries."""

    async def reach(self, path: RelationPath, revisit: Revisit, limit: int) -> Sequence[Reached]:
        """All nodes that the path's relations reach in the database (at most `limit`)."""

    async def contain(self, triples: Sequence[Triple]) -> Sequence[bool]:
        """Which triples are relationships of the graph."""

    async def schema(self) -> Schema:
        """The live schema."""


Mode = Literal["greedy", "sample", "beam"]


@dataclass(frozen=True, slots=True)
class Search:
    """How to decode. Scores are log-probabilities renormalised over the language.

    `length_penalty` a: sentences are ranked by score / choices**a (0: by probability).
    """

    mode: Mode = "beam"
    width: int = 10
    max_tokens: int = 256
    temperature: float = 1.0
    length_penalty: float = 0.0
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Sentence:
    """A whole sentence of a language: its text, tokens, readings and score."""

    text: str
    tokens: tuple[int, ...]
    values: tuple[Any, ...]
    score: float
    choices: int


class LanguageModel(Protocol):
    """A model that writes sentences of a language."""

    @property
    def card(self) -> ModelCard: ...

    async def decode(
        self, prompts: Sequence[str], languages: Sequence[Any], search: Search
    ) -> Sequence[Sequence[Sentence]]:
        """For each prompt up to `search.width` sentences of its language, best first."""


class Embedder(Protocol):
    """Turns texts into unit vectors of one length."""

    @property
    def dimensions(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """`texts` [n] to unit vectors [n, dimensions]."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What grounding found for one candidate: answers with the walks that show them."""

    text: str
    probability: float
    reached: tuple[Reached, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a reasoner made of the findings: answers, best first, and how sure it is."""

    answers: tuple[Answer, ...]
    confidence: float
    wording: str | None = None


class Reasoner(Protocol):
    """Picks the answers from numbered evidence; says nothing that is not in it."""

    async def judge(
        self, question: str, findings: Sequence[Finding], evidence: Sequence[Walk]
    ) -> Judgement: ...
