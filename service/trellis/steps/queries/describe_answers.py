"""Describe answers: write each answer's one-hop subgraph as a short text, for a model to judge.

Source: GraphRAFT, section on the local subgraph reasoner: a node with its name, its properties and
the query patterns that retrieved it. We add the relationships around it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from trellis.automata.cypher.wording import words
from trellis.domain.graph import Neighbourhood, Node, NodeId
from trellis.domain.ports import Graph
from trellis.linking.text import name_key
from trellis.steps.queries.value_mentions import ValueMention, value_name

EDGES = 60
"""Relationships read around an answer, on average over the answers of one read."""

_PATTERNS, _PROPERTIES, _KINDS, _NAMES = 3, 6, 8, 2
_LONGEST = 40  # characters of a name or value


@dataclass(frozen=True, slots=True)
class Found:
    """An answer, and the sentences of the queries that gave it, most probable first."""

    node: Node
    patterns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Kind:
    """Relationships of one type and direction around an answer, and the nodes at their ends."""

    word: str
    outgoing: bool
    names: tuple[str, ...]
    ends: int  # number of nodes at the ends, named or not
    said: int  # number of those whose name the question mentions

    def told(self) -> str:
        """`knows -> ada, bob and 3 more`; `party to <- 2` where the ends have no names."""
        head = f"{self.word} {'->' if self.outgoing else '<-'}"
        more = self.ends - len(self.names)
        if not self.names:
            return f"{head} {more}"
        return f"{head} {', '.join(self.names)}" + (f" and {more} more" if more else "")


async def describe_answers(
    graph: Graph, found: Sequence[Found], mentions: Sequence[ValueMention]
) -> list[str]:
    """A text for each answer, in their order; the graph is read once for all of them.

    A value that the question mentions has the same name (`v0`) as in the prompt. A value (a node
    without an id) has no subgraph.
    """
    names = _mention_names(mentions)
    ids = [answer.node.id for answer in found if answer.node.id]
    facts = await _facts(graph, ids, names)
    return [_described(answer, facts.get(answer.node.id, ()), names) for answer in found]


async def _facts(
    graph: Graph, ids: Sequence[NodeId], names: Mapping[str, str]
) -> dict[NodeId, list[_Kind]]:
    """The relationships around nodes; groups with names that the question mentions come first."""
    if not ids:
        return {}
    around = await graph.neighbourhood(ids, 1, edge_budget=EDGES * len(ids), names=True)
    return {
        around.nodes[row]: sorted(
            _kinds(around, row, names), key=lambda kind: (-kind.said, not kind.outgoing, kind.word)
        )
        for row in around.anchors.tolist()
    }


def _described(found: Found, facts: Sequence[_Kind], names: Mapping[str, str]) -> str:
    """Three lines: `ada (person); age 31`, `Found by: list person …`, `Facts: knows -> bob`.

    A node without a name is described by the rest, for an id tells a model nothing.
    """
    labels = ", ".join(filter(None, map(words, found.node.labels)))
    name = "" if found.node.name == found.node.id else f"{_name(found.node.name, names)} "
    parts = [f"{name}({labels or 'value'})"]
    parts += islice(_properties(found.node, names), _PROPERTIES)
    around = "; ".join(kind.told() for kind in facts[:_KINDS])
    patterns = "; ".join(pattern.strip() for pattern in found.patterns[:_PATTERNS])
    return f"{'; '.join(parts)}\nFound by: {patterns}\nFacts: {around}"


def _properties(node: Node, names: Mapping[str, str]) -> Iterator[str]:
    """The node's properties except its name, each as `word value`."""
    for key, value in sorted((node.properties or {}).items()):
        if str(value) != node.name and not isinstance(value, list | dict):
            yield f"{words(key)} {_name(str(value), names)}"


def _kinds(around: Neighbourhood, row: int, names: Mapping[str, str]) -> Iterator[_Kind]:
    """The relationships of a row by type and direction; names that the question mentions first."""
    ends: dict[tuple[str, bool], dict[int, None]] = {}
    for entry in around.entries_of(row):
        ends.setdefault((entry.relation, entry.outgoing), {})[entry.target] = None
    for (relation, outgoing), others in ends.items():
        named = sorted(around.names[i] for i in others if around.names[i] != around.nodes[i])
        mentioned = [name for name in named if name_key(name) in names]
        shown = (*mentioned, *(name for name in named if name not in mentioned))
        texts = tuple(dict.fromkeys(_name(name, names) for name in shown[:_NAMES]))
        yield _Kind(words(relation), outgoing, texts, len(others), len(mentioned))


def _name(text: str, names: Mapping[str, str]) -> str:
    """A name as the question has it: what it is called there (`v0`), else in lower case."""
    mentioned = names.get(name_key(text))
    return mentioned or " ".join(text.replace("_", " ").lower().split())[:_LONGEST]


def _mention_names(mentions: Sequence[ValueMention]) -> dict[str, str]:
    """The name (`v0`) of each linked value: that of the first mention that may mean it."""
    names: dict[str, str] = {}
    for index, mention in enumerate(mentions):
        for link in mention.links:
            names.setdefault(name_key(str(link.value)), value_name(index))
    return names
