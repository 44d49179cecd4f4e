"""The states of chains, and the moves that go on from each."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

import numpy as np

from trellis.automata.language import FreeText, MoveId, Moves
from trellis.automata.paths.frontier import Front, Nodes
from trellis.domain.graphs.graph import Step
from trellis.domain.structures.chains import ChainTriple

StateT = TypeVar("StateT")


@dataclass(frozen=True, eq=False)
class ChainMoves(Generic[StateT]):
    """The moves of one state, and the state behind each. `is_settled`: whether all relationships
    that they depend on have been read, so that growth changes nothing here."""

    site: Hashable
    moves: Moves | FreeText
    follow: Callable[[MoveId], StateT]
    is_settled: bool = True


@dataclass(frozen=True, eq=False)
class ChainWay:
    """How a set of nodes is reached from what a mention may mean.

    `sets`: the nodes after each step, at the time when it was said. `is_joined`: whether one of
    them was held to what another way reaches.
    """

    mention: int
    anchors: tuple[int, ...]
    steps: tuple[Step, ...] = ()
    sets: tuple[Nodes, ...] = ()
    is_joined: bool = False


@dataclass(frozen=True, eq=False)
class VisitedSet:
    """A set of nodes that a chain has visited: what an anchor's text means, or what a triple
    reaches.

    `fronts`: walks to it, one front for each anchor. `ways`: all ways that lead to it. `ancestors`:
    the sets that its ways come through, by their place in the chain, and its own.
    """

    label: str
    fronts: tuple[Front, ...]
    ways: tuple[ChainWay, ...]
    ancestors: frozenset[int]

    @cached_property
    def nodes(self) -> Nodes:
        return np.unique(np.concatenate([front.tails for front in self.fronts]))


@dataclass(frozen=True, eq=False)
class ChainState:
    """What the text of a chain of sets means so far.

    `phase`: nothing is said yet; a set is named that the next triple starts from; a triple has just
    ended; it was joined with an earlier set; or the chain has ended. `sets`: all visited sets, the
    anchors' first. `at`: the set that the chain goes on from. `said`: the steps from each set.
    """

    phase: str
    text: str
    sets: tuple[VisitedSet, ...]
    at: int = -1
    said: frozenset[tuple[int, int]] = frozenset()
    triples: tuple[ChainTriple, ...] = ()
