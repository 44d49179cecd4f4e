"""Describe answers: each one's one-hop subgraph as a short text, for a model that judges it.

Source: GraphRAFT, section on the local subgraph reasoner: what was retrieved by which patterns,
with its name and its properties; the relationships around it are told beside that.
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
"""Relationships that are read around an answer, on average over those read together."""

_PATTERNS, _PROPERTIES, _KINDS, _NAMES = 3, 6, 8, 2
_LONGEST = 40  # characters of a name or value


@dataclass(frozen=True, slots=True)
class Found:
    """An answer, and the sentences of the queries that gave it, likeliest first."""

    node: Node
    patterns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Kind:
    """Relationships of one type and direction around an answer, and what is at their ends."""

    word: str
    outgoing: bool
    names: tuple[str, ...]
    ends: int  # nodes, with a name or without
    said: int  # of the names, how many the question says

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
    """A text for each answer; what the question says goes by the name that it has in the prompt.

    One read of the graph for all of them. A value (a node without an id) has no subgraph.
    """
    names = _mention_names(mentions)
    facts = await _facts(graph, [one.node.id for one in found if one.node.id], names)
    return [_described(one, facts.get(one.node.id, ()), names) for one in found]


async def _facts(
    graph: Graph, ids: Sequence[NodeId], names: Mapping[str, str]
) -> dict[NodeId, list[_Kind]]:
    """What is around some nodes; those kinds first of which the question says a name."""
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

    A node without a name is told by the rest: an id says nothing.
    """
    labels = ", ".join(filter(None, map(words, found.node.labels)))
    name = "" if found.node.name == found.node.id else f"{_name(found.node.name, names)} "
    told = [f"{name}({labels or 'value'})"]
    told += islice(_properties(found.node, names), _PROPERTIES)
    around = "; ".join(kind.told() for kind in facts[:_KINDS])
    patterns = "; ".join(pattern.strip() for pattern in found.patterns[:_PATTERNS])
    return f"{'; '.join(told)}\nFound by: {patterns}\nFacts: {around}"


def _properties(node: Node, names: Mapping[str, str]) -> Iterator[str]:
    """What the node has beside its name, each as `word value`."""
    for key, value in sorted((node.properties or {}).items()):
        if str(value) != node.name and not isinstance(value, list | dict):
            yield f"{words(key)} {_name(str(value), names)}"


def _kinds(around: Neighbourhood, row: int, names: Mapping[str, str]) -> Iterator[_Kind]:
    """The relationships of a row by type and direction; names that the question says go first."""
    ends: dict[tuple[str, bool], dict[int, None]] = {}
    for entry in around.entries_of(row):
        ends.setdefault((entry.relation, entry.outgoing), {})[entry.target] = None
    for (relation, outgoing), others in ends.items():
        named = sorted(around.names[i] for i in others if around.names[i] != around.nodes[i])
        said = [name for name in named if name_key(name) in names]
        shown = (*said, *(name for name in named if name not in said))
        told = tuple(dict.fromkeys(_name(name, names) for name in shown[:_NAMES]))
        yield _Kind(words(relation), outgoing, told, len(others), len(said))


def _name(text: str, names: Mapping[str, str]) -> str:
    """A name as it is told: in lower case as the question is, or what it goes by there."""
    said = names.get(name_key(text))
    return said or " ".join(text.replace("_", " ").lower().split())[:_LONGEST]


def _mention_names(mentions: Sequence[ValueMention]) -> dict[str, str]:
    """What each linked value goes by; of the mentions that may mean it, the first."""
    found: dict[str, str] = {}
    for index, mention in enumerate(mentions):
        for link in mention.links:
            found.setdefault(name_key(str(link.value)), value_name(index))
    return found
