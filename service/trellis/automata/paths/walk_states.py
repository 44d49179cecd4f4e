"""The states of the KG-Trie: what the text so far can mean, and the moves that go on from it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from trellis.automata.language import MoveId, Moves
from trellis.automata.paths.frontier import Front, Key, Nodes


@dataclass(frozen=True, eq=False)
class MeetingWalks:
    """The walks before an `&`: the next one has to end among `targets`, where all of them end."""

    walks: tuple[WalkState, ...]
    targets: Nodes
    reaching: Callable[[int], list[NDArray[np.bool_]]]
    """Given a walk's anchor, a mask for each j of the nodes that reach a target in at most j
    steps."""


@dataclass(frozen=True, eq=False)
class WalkState:
    """What the text so far can mean.

    `start`: the index of the current walk's start; -1 before any anchor is said. `steps`: its
    relations. `fronts`: one for each anchor that it can mean. `meeting`: the walks that it has to
    meet. `key`: in the `full` rendering the last relation, while its node is not yet said; else
    None.
    """

    start: int
    steps: tuple[Key, ...] = ()
    fronts: tuple[Front, ...] = ()
    meeting: MeetingWalks | None = None
    key: Key | None = None

    def find_tails(self) -> Nodes:
        if len(self.fronts) == 1:
            return self.fronts[0].tails
        return np.unique(np.concatenate([front.tails for front in self.fronts]))

    @cached_property
    def has_met(self) -> bool:
        """Whether the walk can end where the walks before it end; true where there are none."""
        if self.meeting is None:
            return True
        reaching = self.meeting.reaching
        return any(reaching(front.anchor)[0][front.tails].any() for front in self.fronts)


@dataclass(frozen=True, eq=False)
class WalkMoves:
    """The moves of one state, and the state behind each (None: the state excludes the move)."""

    site: Hashable
    moves: Moves
    follow: Callable[[MoveId], WalkState | None]
    excluded: tuple[MoveId, ...] = ()

    @property
    def has_moves(self) -> bool:
        return len(self.moves) > len(self.excluded)


def join_states(state: WalkState, other: WalkState) -> WalkState:
    """One state for two readings of one text, whose starts have the same name."""
    return WalkState(
        state.start, state.steps, state.fronts + other.fronts, state.meeting, state.key
    )
