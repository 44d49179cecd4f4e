"""Describe answers: write each answer's one-hop subgraph as a short text, for a model to judge.

Source: GraphRAFT, section on the local subgraph reasoner: a node with its name, its properties and
the query patterns that retrieved it. We add the relationships around it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from trellis.automata.cypher.words.wording import split_name
from trellis.domain.graphs.graph import Neighbourhood, Node, NodeId
from trellis.domain.graphs.links import Mention
from trellis.domain.ports import Graph
from trellis.linking.text import name_key
from trellis.steps.link.values.value_mentions import value_name

EDGES_PER_ANSWER = 60
"""Relationships read around an answer, on average over the answers of one read."""

_PATTERNS, _PROPERTIES, _KINDS, _NAMES = 3, 6, 8, 2
_LONGEST = 40  # characters of a name or value


@dataclass(frozen=True, slots=True)
class RetrievedAnswer:
    """An answer, and the sentences of the queries that gave it, most probable first."""

    node: Node
    patterns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RelationshipGroup:
    """Relationships of one type and direction around an answer, and the nodes at their ends."""

    type_words: str
    outgoing: bool
    names: tuple[str, ...]
    end_count: int  # number of nodes at the ends, named or not
    mentioned_count: int  # number of those whose name the question mentions

    def describe_group(self) -> str:
        """`knows -> ada, bob and 3 more`; `party to <- 2` where the ends have no names."""
        head = f"{self.type_words} {'->' if self.outgoing else '<-'}"
        more = self.end_count - len(self.names)
        if not self.names:
            return f"{head} {more}"
        return f"{head} {', '.join(self.names)}" + (f" and {more} more" if more else "")


async def describe_answers(
    graph: Graph, answers: Sequence[RetrievedAnswer], mentions: Sequence[Mention]
) -> list[str]:
    """A text for each answer, in their order; the graph is read once for all of them.

    A value that the question mentions has the same name (`v0`) as in the prompt. A value (a node
    without an id) has no subgraph.
    """
    names = _name_linked_values(mentions)
    ids = [answer.node.id for answer in answers if answer.node.id]
    facts = await read_relationship_groups(graph, ids, names)
    return [_describe_answer(answer, facts.get(answer.node.id, ()), names) for answer in answers]


async def read_relationship_groups(
    graph: Graph, ids: Sequence[NodeId], names: Mapping[str, str]
) -> dict[NodeId, list[RelationshipGroup]]:
    """The relationships around nodes; groups with names that the question mentions come first."""
    if not ids:
        return {}
    around = await graph.neighbourhood(ids, 1, edge_budget=EDGES_PER_ANSWER * len(ids), names=True)
    return {
        around.nodes[row]: sorted(
            _group_relationships(around, row, names),
            key=lambda kind: (-kind.mentioned_count, not kind.outgoing, kind.type_words),
        )
        for row in around.anchors.tolist()
    }


def _describe_answer(
    answer: RetrievedAnswer, groups: Sequence[RelationshipGroup], names: Mapping[str, str]
) -> str:
    """Three lines: `ada (person); age 31`, `FoundAnswers by: list person …`, `Facts: knows -> bob`.

    A node without a name is described by the rest, for an id tells a model nothing.
    """
    labels = ", ".join(filter(None, map(split_name, answer.node.labels)))
    name = f"{_write_name(answer.node.name, names)} " if answer.node.has_name else ""
    parts = [f"{name}({labels or 'value'})"]
    parts += islice(_describe_properties(answer.node, names), _PROPERTIES)
    around = "; ".join(kind.describe_group() for kind in groups[:_KINDS])
    patterns = "; ".join(pattern.strip() for pattern in answer.patterns[:_PATTERNS])
    return f"{'; '.join(parts)}\nFound by: {patterns}\nFacts: {around}"


def _describe_properties(node: Node, names: Mapping[str, str]) -> Iterator[str]:
    """The node's properties except its name, each as `word value`."""
    for key, value in sorted((node.properties or {}).items()):
        if str(value) != node.name and not isinstance(value, list | dict):
            yield f"{split_name(key)} {_write_name(str(value), names)}"


def _group_relationships(
    around: Neighbourhood, row: int, names: Mapping[str, str]
) -> Iterator[RelationshipGroup]:
    """The relationships of a row by type and direction; names that the question mentions first."""
    ends: dict[tuple[str, bool], dict[int, None]] = {}
    for entry in around.entries_of(row):
        ends.setdefault((entry.relation, entry.outgoing), {})[entry.target] = None
    for (relation, outgoing), others in ends.items():
        named = sorted(around.names[i] for i in others if around.names[i] != around.nodes[i])
        mentioned = [name for name in named if name_key(name) in names]
        shown = (*mentioned, *(name for name in named if name not in mentioned))
        texts = tuple(dict.fromkeys(_write_name(name, names) for name in shown[:_NAMES]))
        yield RelationshipGroup(split_name(relation), outgoing, texts, len(others), len(mentioned))


def _write_name(text: str, names: Mapping[str, str]) -> str:
    """A name as the question has it: what it is called there (`v0`), else in lower case."""
    mentioned = names.get(name_key(text))
    return mentioned or " ".join(text.replace("_", " ").lower().split())[:_LONGEST]


def _name_linked_values(mentions: Sequence[Mention]) -> dict[str, str]:
    """The name (`v0`) of each linked value: that of the first mention that may mean it."""
    names: dict[str, str] = {}
    for index, mention in enumerate(mentions):
        for link in mention.links:
            names.setdefault(name_key(str(link.stored.value)), value_name(index))
    return names
