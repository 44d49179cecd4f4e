"""The values that travel through a question: all frozen, none knows where it came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from trellis.domain.cypher import CypherQuery, Plan, Rows

NodeId = str
"""A node's element id, as Neo4j gives it."""

Revisit = Literal["any", "not_topic", "simple"]
"""Whether a walk may come back: anywhere, not to its anchor, or to no node at all."""

Rendering = Literal["full", "relations"]
"""What a path says: relations and nodes, or its relations alone (the nodes stay a set)."""

Topics = Literal["linked", "gold"]
"""Where a question's anchors come from: our linking, or the names given with the question."""

Scalar = str | int | float | bool | None
"""A property value or parameter as JSON and Cypher both know it."""

How = Literal[
    "given",
    "exact-case",
    "exact",
    "alias",
    "spelling",
    "text",
    "vector",
    "date",
    "time",
    "number",
    "plural",
    "words",
    "part",
]
"""How a mention says a node or a value (`value_links.HowMeant`), or which search found it."""


@dataclass(frozen=True, slots=True)
class Node:
    """A node of the graph, under the name it answers by.

    `properties`: where a query's rows hold the node; None: they were not asked for.
    """

    id: NodeId
    name: str
    labels: tuple[str, ...] = ()
    properties: Mapping[str, Any] | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Triple:
    """One relationship as it stands in the graph: never reversed. `properties`: as of a node."""

    head: Node
    relation: str
    tail: Node
    properties: Mapping[str, Any] | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, order=True)
class Step:
    """One relationship type, and whether it is walked from tail to head."""

    relation: str
    reversed: bool = False

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `name` (forward) or `^name` (backward)."""
        return cls(text[1:], True) if text.startswith("^") else cls(text, False)

    def __str__(self) -> str:
        return f"^{self.relation}" if self.reversed else self.relation


@dataclass(frozen=True, slots=True)
class Walk:
    """A walk that exists: `len(steps) + 1` nodes; step i joins nodes i and i + 1."""

    nodes: tuple[Node, ...]
    steps: tuple[Step, ...]

    @property
    def anchor(self) -> Node:
        return self.nodes[0]

    @property
    def tail(self) -> Node:
        return self.nodes[-1]

    def triples(self) -> tuple[Triple, ...]:
        """The walk's relationships as they stand in the graph."""
        pairs = zip(self.nodes, self.nodes[1:], self.steps, strict=False)
        return tuple(
            Triple(b, step.relation, a) if step.reversed else Triple(a, step.relation, b)
            for a, b, step in pairs
        )


@dataclass(frozen=True, slots=True)
class RelationPath:
    """What a path of relations means: from any of `anchors`, along `steps`.

    `nodes` names the nodes said after each step where the rendering is `full`: one set of
    readings a step (nodes of one name); empty where only relations are said.
    """

    anchors: tuple[NodeId, ...]
    steps: tuple[Step, ...]
    nodes: tuple[tuple[NodeId, ...], ...] = ()
    mention: int = 0


@dataclass(frozen=True, slots=True)
class PathQuery:
    """One sentence of the KG-Trie: a path, or several that meet in their tails."""

    paths: tuple[RelationPath, ...]

    def relations(self) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(map(str, path.steps)) for path in self.paths)


@dataclass(frozen=True, slots=True)
class Called:
    """A node, and one text that calls it: its name, or what another property says."""

    node: Node
    text: str

    @property
    def is_alias(self) -> bool:
        return self.text != self.node.name


@dataclass(frozen=True, slots=True)
class Link:
    """A node that a mention may stand for; `score` in (0, 1], `how` says how it was found.

    A stored value is a node without an id; `property`: whose value it is, of nodes of its labels.
    """

    node: Node
    score: float
    how: How
    property: str = ""


@dataclass(frozen=True, slots=True)
class Mention:
    """A span `[start, end)` of the question's characters, and its nodes, best first."""

    start: int
    end: int
    text: str
    links: tuple[Link, ...]

    @property
    def score(self) -> float:
        return self.links[0].score if self.links else 0.0


@dataclass(frozen=True, slots=True)
class Cut:
    """Where an edge budget cut: `kept` of `total` relationships of a node, type and direction."""

    node: NodeId
    relation: str
    outgoing: bool
    kept: int
    total: int


@dataclass(frozen=True, eq=False)
class Neighbourhood:
    """The L-hop neighbourhood of some anchors as adjacency arrays (n nodes, m entries).

    Every relationship of an expanded node is an entry of that node's row: `targets[offsets[i]:
    offsets[i + 1]]` are node i's neighbours, sorted by (direction, type, target).
    """

    nodes: tuple[NodeId, ...]
    names: tuple[str, ...]  # n, or empty where names were not asked for
    relation_types: tuple[str, ...]
    levels: NDArray[np.int32]  # n: distance from the nearest anchor
    offsets: NDArray[np.int32]  # n + 1
    targets: NDArray[np.int32]  # m
    types: NDArray[np.int32]  # m: index into relation_types
    directions: NDArray[np.uint8]  # m: 0 leaves the row's node, 1 arrives at it
    anchors: NDArray[np.int32]  # indices of the anchors
    hops: int
    cuts: tuple[Cut, ...] = ()
    cut: bool = False

    @property
    def edges(self) -> int:
        return len(self.targets)

    @cached_property
    def keys(self) -> NDArray[np.integer]:
        """Of each entry: `direction * len(relation_types) + type` [m]; small ones sort by radix."""
        kinds = len(self.relation_types)
        small = np.int16 if 2 * kinds < 1 << 15 else np.int32
        keys: NDArray[np.integer] = np.add(self.directions * small(kinds), self.types, dtype=small)
        return keys


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked. `topics` are names given by the asker; they replace linking."""

    text: str
    topics: tuple[str, ...] | None = None
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer: a node, its share of the belief in [0, 1], and the evidence rows that give it."""

    node: Node
    score: float
    evidence: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class StepTime:
    """How long one step of a question took."""

    name: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Tried:
    """One candidate that a model wrote inside the language, and what became of it.

    `score` is the log-probability renormalised over the language; `answers` the number of nodes
    that grounding gave it (of rows, for a query), None where it was not run, or failed; `found` the
    first of the nodes; `problem` why it failed, or was refused.
    """

    text: str
    score: float
    answers: int | None
    query: PathQuery | CypherQuery | None = None
    found: tuple[Node, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """All that is said in answer to a question.

    `abstained`: nothing is claimed; without answers and not abstained, the answer is that there
    are none. `count`: where a number was asked for, how many answers there are, whatever the limit.
    `nearest`: where there is no answer, what came nearest to one, with its belief. `alike`: where
    nothing was linked, the nodes spelt most like what was asked about.
    `signs`: what `confidence` was estimated from.
    """

    question: str
    method: str
    answers: tuple[Answer, ...]
    evidence: tuple[Walk, ...]
    confidence: float
    abstained: bool
    mentions: tuple[Mention, ...] = ()
    candidates: tuple[Tried, ...] = ()
    steps: tuple[StepTime, ...] = ()
    cypher: str | None = None
    params: Mapping[str, object] = field(default_factory=dict)
    rows: Rows | None = None  # what the query gave
    plan: Plan | None = None  # how the database ran it
    wording: str | None = None  # the reasoner's sentence, where one spoke
    notes: tuple[str, ...] = ()  # what was cut, left out or failed
    count: int | None = None
    nearest: tuple[Answer, ...] = ()
    alike: tuple[Link, ...] = ()
    signs: Mapping[str, float] = field(default_factory=dict)

    def triples(self) -> tuple[Triple, ...]:
        """The evidence as distinct triples, in order."""
        return tuple(dict.fromkeys(t for walk in self.evidence for t in walk.triples()))


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
