"""Foldings: the patterns that come of one when several of its nodes are the same.

A search maps different nodes of a pattern to different nodes of the graph. Where an unknown node
may be a node that another one stands for, as in `the child of the parent of X`, which may be X,
the folded patterns are searched too: what they match is what the pattern matches with these nodes
in common.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from trellis.domain.graphs.graph import Revisit
from trellis.domain.structures.question_patterns import (
    MentionNode,
    PatternNode,
    PatternTriple,
    QuestionPattern,
)

_MOST_FOLDINGS = 16


@dataclass(frozen=True, slots=True)
class Folding:
    """A pattern some of whose nodes are the same.

    `places`: for each node of the pattern its place among `nodes`. `triples`: each once, its ends
    as places; `triple_places`: for each triple of the pattern its place among these.
    """

    pattern: QuestionPattern
    places: tuple[int, ...]
    nodes: tuple[PatternNode, ...]
    triples: tuple[PatternTriple, ...]
    triple_places: tuple[int, ...]


def keep_apart(pattern: QuestionPattern) -> Folding:
    """The pattern itself, whose nodes are all different."""
    return _fold(pattern, tuple(range(len(pattern.nodes))))


def list_foldings(pattern: QuestionPattern, revisit: Revisit) -> list[Folding]:
    """The foldings that a rule allows, those with the fewest common nodes first; at most 16.

    Only under rule `any` may neighbours be the same, which relationships from a node to itself
    match.
    """
    if revisit == "simple":
        return []
    found = [
        _fold(pattern, places)
        for places in _iterate_places(pattern, revisit, ())
        if len(set(places)) < len(places)
    ]
    return sorted(found, key=_rank_folding)[:_MOST_FOLDINGS]


def _rank_folding(folding: Folding) -> tuple[int, int]:
    loops = sum(triple.head == triple.tail for triple in folding.triples)
    return loops, -len(folding.nodes)


def _iterate_places(
    pattern: QuestionPattern, revisit: Revisit, given: tuple[int, ...]
) -> Iterator[tuple[int, ...]]:
    """All ways to give nodes places, nodes with one place being the same."""
    node = len(given)
    if node == len(pattern.nodes):
        yield given
        return
    for place in range(max(given, default=-1) + 1):
        others = [i for i, other in enumerate(given) if other == place]
        if all(_may_be_same(pattern, revisit, node, other) for other in others):
            yield from _iterate_places(pattern, revisit, (*given, place))
    yield from _iterate_places(pattern, revisit, (*given, max(given, default=-1) + 1))


def _may_be_same(pattern: QuestionPattern, revisit: Revisit, node: int, other: int) -> bool:
    """Whether two nodes may be the same: not two mentions, nor two kinds, nor mostly neighbours."""
    first, second = pattern.nodes[node], pattern.nodes[other]
    if revisit != "any" and any({t.head, t.tail} == {node, other} for t in pattern.triples):
        return False
    mentions = [n for n in (first, second) if isinstance(n, MentionNode)]
    if mentions:
        return revisit == "any" and len(mentions) == 1
    kinds = {n.kind for n in (first, second) if not isinstance(n, MentionNode)} - {""}
    return len(kinds) < 2


def _fold(pattern: QuestionPattern, places: tuple[int, ...]) -> Folding:
    nodes: dict[int, PatternNode] = {}
    for node, place in zip(pattern.nodes, places, strict=True):
        if place not in nodes or _says_more(node, nodes[place]):
            nodes[place] = node
    moved = [PatternTriple(places[t.head], t.relation, places[t.tail]) for t in pattern.triples]
    triples = tuple(dict.fromkeys(moved))
    return Folding(
        pattern,
        places,
        tuple(nodes[place] for place in sorted(nodes)),
        triples,
        tuple(triples.index(triple) for triple in moved),
    )


def _says_more(node: PatternNode, other: PatternNode) -> bool:
    if isinstance(node, MentionNode) or isinstance(other, MentionNode):
        return isinstance(node, MentionNode)
    return bool(node.kind) and not other.kind
