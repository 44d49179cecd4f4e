"""The states of the language of patterns: what is said so far, and what comes next."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import Literal

from trellis.automata.language import FreeText, MoveId, Moves
from trellis.domain.structures.question_patterns import (
    MentionNode,
    PatternNode,
    PatternTriple,
    UnknownNode,
    is_asked,
)

Phase = Literal["first", "node", "arrow", "tail", "open", "close", "resume"]
"""What was said last or has to come: `first`: the first node comes. `node`: a node was said.
`arrow`: an arrow was said, and a relation in any words comes. `tail`: a relation was said, and its
other node comes. `open`: a bracket was said, and a kind in any words comes. `close`: that kind was
said, and its bracket comes. `resume`: a `;` was said, and another node comes."""


@dataclass(frozen=True, slots=True)
class PatternState:
    """A sentence so far.

    `at`: the index of the node that is gone on from. `is_reversed` and `relation`: of the triple
    that is begun. `is_new`: whether the last node is new, so that a kind may follow. `is_origin`:
    whether it stands behind a `;`, so that a triple has to follow.
    """

    text: str = ""
    phase: Phase = "first"
    nodes: tuple[PatternNode, ...] = ()
    triples: tuple[PatternTriple, ...] = ()
    at: int = 0
    is_reversed: bool = False
    relation: str = ""
    is_new: bool = False
    is_origin: bool = False

    def __hash__(self) -> int:
        return hash((self.text, self.phase))

    @property
    def has_asked(self) -> bool:
        """Whether the node that is asked for was said."""
        return any(map(is_asked, self.nodes))

    @property
    def is_unjoined(self) -> bool:
        """Whether the current node is new behind a `;`, and no triple joins it to others yet."""
        ends = {end for triple in self.triples for end in (triple.head, triple.tail)}
        return bool(ends) and self.at not in ends

    @property
    def next_number(self) -> int:
        """The number of the next unknown node."""
        unknown = (n for n in self.nodes if isinstance(n, UnknownNode) and not n.is_asked)
        return sum(1 for _ in unknown) + 1

    def say(self, more: str, phase: Phase, is_new: bool = False) -> PatternState:
        """The state after some more text that says neither node nor relation."""
        return replace(self, text=self.text + more, phase=phase, is_new=is_new)

    def say_arrow(self, more: str, is_reversed: bool) -> PatternState:
        """The state after an arrow, behind which the relation is said in any words."""
        return replace(self.say(more, "arrow"), is_reversed=is_reversed)

    def say_relation(self, more: str, is_reversed: bool, relation: str) -> PatternState:
        """The state after the relation of a new triple."""
        after = self.say(more, "tail")
        return replace(after, is_reversed=is_reversed, relation=relation, is_origin=False)

    def say_node(self, more: str, node: PatternNode) -> PatternState:
        """The state after a node: the first one, the tail of a triple, or one to go on from."""
        is_new = node not in self.nodes
        nodes = (*self.nodes, node) if is_new else self.nodes
        at = nodes.index(node)
        triples = self.triples
        if self.phase == "tail":
            triples = (*triples, self.build_triple(at))
        after = self.say(more, "node", is_new)
        begun = replace(
            after, nodes=nodes, triples=triples, at=at, is_origin=self.phase == "resume"
        )
        return replace(begun, relation="", is_reversed=False)

    def say_kind(self, more: str, phase: Phase, kind: str) -> PatternState:
        """The state after the kind of the last node."""
        last = self.nodes[-1]
        assert isinstance(last, UnknownNode), "only an unknown node has a kind"
        after = self.say(more, phase)
        return replace(after, nodes=(*self.nodes[:-1], replace(last, kind=kind)))

    def build_triple(self, other: int) -> PatternTriple:
        """The triple that is begun, with its other node."""
        head, tail = (other, self.at) if self.is_reversed else (self.at, other)
        return PatternTriple(head, self.relation, tail)

    def list_apart_relations(self) -> frozenset[str]:
        """The relations with which a triple from here may be one that was said."""
        ends = ((t.tail if self.is_reversed else t.head, t.relation) for t in self.triples)
        return frozenset(relation for end, relation in ends if end == self.at)


@dataclass(frozen=True, eq=False, slots=True)
class PatternMoves:
    """The moves of a state, and the state behind each."""

    site: Hashable
    moves: Moves | FreeText
    follow: Callable[[MoveId], PatternState]


def say_node_text(node: PatternNode) -> str:
    """A node as it is said, without its kind."""
    if isinstance(node, MentionNode):
        return f" ENT{node.index + 1}"
    return " ASKED" if node.is_asked else f" UNKNOWN {node.number}"
