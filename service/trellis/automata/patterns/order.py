"""The one order in which a pattern is said.

It begins with the first mention, else the asked node, else any, and goes on from the node that it
came to; where nothing is left there, from the earliest node with triples left. From one node,
triples to mentions come first, then those to nodes that were said, to new ones, and to the asked
one; then by relation and direction. Where that leaves a choice between nodes, the order is taken
that goes on with the least triple. So patterns of one meaning get equal orders.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from trellis.domain.errors import InputError
from trellis.domain.structures.question_patterns import (
    MentionNode,
    PatternNode,
    PatternTriple,
    QuestionPattern,
    UnknownNode,
    is_asked,
)

StepKey = tuple[int, int, int, str, str, bool]
"""What steps are ordered by: the place of the node that they go on from (-1: the last one), the
tail's sort, the tail's place, its kind, the relation, and whether it is said backwards."""


@dataclass(frozen=True, slots=True)
class Saying:
    """A pattern as far as it is said: its nodes and triples (indices), in order; `at`: the last
    node."""

    nodes: tuple[int, ...]
    triples: tuple[int, ...] = ()
    at: int = 0

    def say(self, triple: int, other: int) -> Saying:
        nodes = self.nodes if other in self.nodes else (*self.nodes, other)
        return Saying(nodes, (*self.triples, triple), other)


def put_in_order(pattern: QuestionPattern) -> QuestionPattern:
    """The pattern with its nodes and triples as they are said; InputError where it is no pattern.

    Patterns that differ only in the order of their parts, and so in the numbers of their unknown
    nodes, come out equal.
    """
    check_pattern(pattern)
    saying = find_saying(pattern)
    place = {node: i for i, node in enumerate(saying.nodes)}
    said = [pattern.triples[i] for i in saying.triples]
    return QuestionPattern(
        tuple(_number_unknowns([pattern.nodes[i] for i in saying.nodes])),
        tuple(PatternTriple(place[t.head], t.relation, place[t.tail]) for t in said),
    )


def check_pattern(pattern: QuestionPattern) -> None:
    """Raise InputError unless a pattern is connected, and each of its parts is there once."""
    count, edges = pattern.list_index_edges()
    indices = {i for edge in edges for i in edge}
    mentions = [node for node in pattern.nodes if isinstance(node, MentionNode)]
    for holds, problem in (
        (bool(edges), "has no triple"),
        (indices == set(range(count)), "has a node without a triple, or a triple without a node"),
        (all(head != tail for head, tail in edges), "joins a node to itself"),
        (len(set(pattern.triples)) == len(edges), "has a triple twice"),
        (len(set(mentions)) == len(mentions), "has a mention twice"),
        (sum(map(is_asked, pattern.nodes)) <= 1, "asks for several nodes"),
    ):
        if not holds:
            raise InputError(f"the pattern {problem}", "give a pattern that could be said")
    reached, pending = {0}, [0]
    while pending:
        at = pending.pop()
        fresh = {b for a, b in (*edges, *((t, h) for h, t in edges)) if a == at} - reached
        reached |= fresh
        pending += fresh
    if len(reached) < count:
        raise InputError("the pattern has several parts", "give a pattern that is connected")


def find_saying(pattern: QuestionPattern) -> Saying:
    """The order in which a pattern is said."""
    sayings = [Saying((first,), (), first) for first in _list_first_nodes(pattern.nodes)]
    for _ in pattern.triples:
        steps = [step for saying in sayings for step in _list_steps(pattern, saying)]
        least = min(key for key, _ in steps)
        sayings = list(dict.fromkeys(after for key, after in steps if key == least))
    return sayings[0]


def _list_first_nodes(nodes: Sequence[PatternNode]) -> list[int]:
    keys = [_sort_new_node(node) for node in nodes]
    asked = [i for i, node in enumerate(nodes) if is_asked(node)]
    if asked and not any(isinstance(node, MentionNode) for node in nodes):
        return asked
    return [i for i, key in enumerate(keys) if key == min(keys)]


def _list_steps(pattern: QuestionPattern, saying: Saying) -> Iterator[tuple[StepKey, Saying]]:
    """Each triple that may be said next, with its key and what is said with it."""
    left = [i for i in range(len(pattern.triples)) if i not in saying.triples]
    ends = {i: (pattern.triples[i].head, pattern.triples[i].tail) for i in left}
    open_nodes = {node for pair in ends.values() for node in pair}
    origin, place = saying.at, -1
    if origin not in open_nodes:
        place = next(p for p, node in enumerate(saying.nodes) if node in open_nodes)
        origin = saying.nodes[place]
    for i, (head, tail) in ends.items():
        if origin in (head, tail):
            other, is_reversed = (tail, False) if head == origin else (head, True)
            node_key = _sort_tail(pattern.nodes[other], saying, other)
            key = (place, *node_key, pattern.triples[i].relation, is_reversed)
            yield key, saying.say(i, other)


def _sort_tail(node: PatternNode, saying: Saying, index: int) -> tuple[int, int, str]:
    if index in saying.nodes and not isinstance(node, MentionNode):
        return 1, saying.nodes.index(index), ""
    return _sort_new_node(node)


def _sort_new_node(node: PatternNode) -> tuple[int, int, str]:
    if isinstance(node, MentionNode):
        return 0, node.index, ""
    return (3 if node.is_asked else 2), 0, node.kind


def _number_unknowns(nodes: Sequence[PatternNode]) -> Iterator[PatternNode]:
    number = 0
    for node in nodes:
        if isinstance(node, UnknownNode):
            number += not node.is_asked
            yield replace(node, number=0 if node.is_asked else number)
        else:
            yield node
