"""What pipelines and steps know of the outside: small protocols, adapters implement them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any, Literal, Protocol, get_args

import numpy as np
from numpy.typing import NDArray

from trellis.domain.cypher import AS_ALLOWED, CypherQuery, Most, Rows, Verdict
from trellis.domain.errors import InputError
from trellis.domain.reachable import Reachable
from trellis.domain.schema import Schema
from trellis.domain.value_index import ValueIndex
from trellis.domain.value_links import StoredValue
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

    async def reachable(
        self, anchors: Sequence[NodeId], hops: int, *, edge_budget: int, path_budget: int
    ) -> Reachable:
        """The relation-type paths that exist from the anchors, within budgets of work and paths."""

    async def values(self) -> ValueIndex:
        """The values that are remembered: of all properties that have few different ones."""

    async def by_value(self, texts: Sequence[str]) -> Sequence[Sequence[StoredValue]]:
        """For each text the values of other properties that hold its words one after the other."""

    async def holders(
        self, values: Sequence[StoredValue], most: int
    ) -> Sequence[Sequence[NodeId] | None]:
        """For each value the nodes of its label that have it; None where these are more than
        `most`, or finding them would take long."""


class Queries(Protocol):
    """Runs Cypher that a model or a person wrote, behind the gate."""

    async def explain(self, query: CypherQuery) -> Verdict:
        """Whether the query may run, and its plan; a refusal is a verdict, not an error.

        Raises QuerySyntaxError where it does not parse.
        """

    async def run(self, query: CypherQuery, most: Most = AS_ALLOWED) -> Rows:
        """The query's rows, read in a READ transaction; nothing of ours is among them.

        Raises RefusedQueryError where the gate refuses it, QuerySyntaxError where it does not
        parse, QueryError where it fails on the graph's values, GraphTimeoutError where it takes
        too long. Cancelling ends it in the server too.
        """


Mode = Literal["greedy", "sample", "beam", "stochastic_beam"]


@dataclass(frozen=True, slots=True)
class Search:
    """How to decode. Scores are log-probabilities renormalised over the language.

    `temperature` T: the model's logits are divided by it; scores are those of what comes of that.
    `length_penalty` a: sentences are ranked by score / choices**a (0: by probability).
    `diversity` λ: beams of mode `beam` search in `groups` groups, and a token costs a group λ for
    each beam of an earlier group that takes it at the same choice (0: one plain beam search).
    `groups`: how many there are, each of width / groups beams (0: one for each beam).
    Raises InputError where a value has no meaning, or none beside the others.
    """

    mode: Mode = "beam"
    width: int = 10
    max_tokens: int = 256
    temperature: float = 1.0
    length_penalty: float = 0.0
    seed: int = 0
    diversity: float = 0.0
    groups: int = 0

    def __post_init__(self) -> None:
        for name, value, fits, wanted in (
            ("mode", self.mode, self.mode in get_args(Mode), f"one of {get_args(Mode)}"),
            ("width", self.width, self.width >= 1, "1 or more"),
            ("max_tokens", self.max_tokens, self.max_tokens >= 1, "1 or more"),
            ("temperature", self.temperature, 0 < self.temperature < inf, "above 0"),
            ("length_penalty", self.length_penalty, 0 <= self.length_penalty < inf, "0 or more"),
            ("seed", self.seed, self.seed >= 0, "0 or more"),
            ("diversity", self.diversity, self._can_be_diverse(), "0 or more, in mode beam only"),
            ("groups", self.groups, self._has_groups(), "a divisor of width, with diversity only"),
        ):
            if not fits:
                raise InputError(f"search: {name} is {value!r}", f"it has to be {wanted}")

    def _can_be_diverse(self) -> bool:
        return self.diversity == 0 or (0 < self.diversity < inf and self.mode == "beam")

    def _has_groups(self) -> bool:
        if self.groups in (0, 1):
            return True
        return self.diversity > 0 and self.groups > 1 and self.width % self.groups == 0


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
    """What a reasoner made of the findings: answers, best first, and how sure it is.

    `nearest`: where it gives no answer, what came nearest. `notes`: what it was not shown.
    `none`: there is no answer, and that is what it says.
    """

    answers: tuple[Answer, ...]
    confidence: float
    wording: str | None = None
    nearest: tuple[Answer, ...] = ()
    notes: tuple[str, ...] = ()
    none: bool = False


class Reasoner(Protocol):
    """Picks the answers from numbered evidence; says nothing that is not in it."""

    async def judge(
        self, question: str, findings: Sequence[Finding], evidence: Sequence[Walk]
    ) -> Judgement: ...
