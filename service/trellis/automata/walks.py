"""The KG-Trie as a language: all walks from the anchors of a question, never enumerated.

A sentence is `<anchor> -> relation <- relation ...`. The `full` rendering names the nodes between
relations too. `& <anchor> ...` begins another walk that has to end in the same node. For each
anchor that the text can mean, the state holds the sets of nodes reached at every step, so that
memory grows with edges rather than paths. Source: GCR, section 4.1 (KG-Trie); the `relations`
rendering and meeting walks are ours.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial

import numpy as np
from numpy.typing import NDArray

from trellis.automata.frontier import Front, Key, Nodes, Pairs, Walker
from trellis.automata.language import MoveId, Moves
from trellis.automata.segments import digest, lead_text, longest
from trellis.domain.card import Rendering
from trellis.domain.graph import Neighbourhood, PathQuery, RelationPath, Revisit


@dataclass(frozen=True, slots=True)
class Start:
    """Where a walk may begin: the text of the anchor, and the nodes (indices) that it can mean.

    `mention`: the index of the question's mention that they were linked to.
    """

    text: str
    nodes: tuple[int, ...]
    mention: int = 0


@dataclass(frozen=True, eq=False)
class Met:
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
    relations. `fronts`: one for each anchor that it can mean. `met`: the walks that it has to meet.
    `key`: in the `full` rendering the last relation, while its node is not yet said; else None.
    """

    start: int
    steps: tuple[Key, ...] = ()
    fronts: tuple[Front, ...] = ()
    met: Met | None = None
    key: Key | None = None

    def tails(self) -> Nodes:
        return np.unique(np.concatenate([front.tails for front in self.fronts]))


@dataclass(frozen=True, eq=False)
class Options:
    """The moves of one state, and the state behind each (None: the state excludes the move)."""

    site: Hashable
    moves: Moves
    follow: Callable[[MoveId], WalkState | None]
    excluded: tuple[MoveId, ...] = ()

    @property
    def any(self) -> bool:
        return len(self.moves) > len(self.excluded)


class Later:
    """A state that is computed when it is first called for."""

    __slots__ = ("_make", "_state")

    def __init__(self, make: Callable[[], WalkState]) -> None:
        self._make = make
        self._state: WalkState | None = None

    def __call__(self) -> WalkState:
        if self._state is None:
            self._state = self._make()
        return self._state


class Walks:
    """The language of walks of up to `hops` steps from `starts`, over a neighbourhood.

    `meets`: whether a sentence may join walks from several starts that end in the same node.
    """

    def __init__(
        self,
        neighbourhood: Neighbourhood,
        starts: Sequence[Start],
        *,
        hops: int,
        revisit: Revisit = "simple",
        rendering: Rendering = "relations",
        meets: bool = False,
    ) -> None:
        self.neighbourhood = neighbourhood
        self.starts = tuple(starts)
        self.hops = hops
        self.revisit = revisit
        self.rendering = rendering
        self.meets = meets and len(self.starts) > 1
        self._walker = Walker(neighbourhood, revisit, keep=rendering == "full")
        self._reach_is_exact = revisit != "simple"
        self._options: dict[WalkState, Options] = {}
        self._root = WalkState(-1)

    def start(self) -> WalkState:
        return self._root

    def empty(self) -> bool:
        """Whether there is no sentence at all: no anchor has a relationship."""
        return not self._opened(self._root).any

    def site(self, state: WalkState) -> Hashable:
        return self._opened(state).site

    def moves(self, state: WalkState) -> Moves:
        return self._opened(state).moves

    def excluded(self, state: WalkState) -> Collection[MoveId]:
        return self._opened(state).excluded

    def follow(self, state: WalkState, move: MoveId) -> WalkState | None:
        return self._opened(state).follow(move)

    def accepting(self, state: WalkState) -> bool:
        if not state.steps or state.key is not None:
            return False
        return state.met is None or bool(np.isin(state.tails(), state.met.targets).any())

    def values(self, state: WalkState) -> tuple[PathQuery, ...]:
        tails = self._common(state)
        walks = (*(state.met.walks if state.met else ()), state)
        return (PathQuery(tuple(self._path(walk, tails) for walk in walks)),)

    def text(self, state: WalkState) -> str:
        walks = (*(state.met.walks if state.met else ()), state)
        return " &".join(map(self._said, walks))

    def reserve(self, state: WalkState) -> tuple[int, int]:
        """Behind an anchor one step is needed, behind a relation its node; where walks meet, all
        steps of one more walk."""
        size, segments = self._largest_step
        if self.meets:
            return self.hops * size, self.hops * segments
        if state.start < 0 or (self.rendering == "full" and state.key is None):
            return size, segments
        return 0, 0

    @cached_property
    def _largest_step(self) -> tuple[int, int]:
        """The most bytes of a step with its node, and their segments."""
        relation = longest(self.neighbourhood.relation_types) + 4
        if self.rendering == "relations":
            return relation, 1
        return relation + longest(self.neighbourhood.names) + 4, 3

    def _said(self, state: WalkState) -> str:
        """The text of one walk."""
        if state.start < 0:
            return ""
        text = self.starts[state.start].text
        for level, key in enumerate(state.steps, 1):
            step = self._walker.step(key)
            text += self._walker.text(key)
            if self.rendering == "full" and (state.key is None or level < len(state.steps)):
                node = state.fronts[0].layers[level][0]
                text += f"{lead_text(step)} {self.neighbourhood.names[node]}"
        return text

    def _opened(self, state: WalkState) -> Options:
        options = self._options.get(state)
        if options is None:
            options = self._options[state] = self._open(state)
        return options

    def _open(self, state: WalkState) -> Options:
        if state.start < 0:
            return self._anchor_options()
        if state.key is not None:
            return self._node_options(state)
        return self._relation_options(state)

    def _anchor_options(self) -> Options:
        beginnings = self._beginnings(0, None)
        texts, states = tuple(beginnings), tuple(beginnings.values())
        return Options(texts, Moves(texts), states.__getitem__)

    def _beginnings(self, first: int, met: Met | None) -> dict[str, WalkState]:
        """The states behind each start from index `first` on that begins a sentence, by its text.

        Starts of one text share one state.
        """
        merged: dict[str, WalkState] = {}
        for index, start in enumerate(self.starts[first:], first):
            after = self._begun(index, met)
            if self._alive(after):
                same = merged.get(start.text)
                merged[start.text] = _joined(same, after) if same else after
        return merged

    def _relation_options(self, state: WalkState) -> Options:
        """The relations that continue a walk, and the anchors of walks that may meet it."""
        later: dict[str, Later] = {}
        if len(state.steps) < self.hops:
            for key, pairs in self._steps(state).items():
                stepped = Later(partial(self._stepped, state, key, pairs))
                if state.met is None or self._alive(stepped()):
                    later[self._walker.text(key)] = stepped
        if self.meets and self.accepting(state):
            others = self._beginnings(state.start + 1, self._meeting(state))
            later |= {f" &{text}": Later(partial(_same, after)) for text, after in others.items()}
        texts, states = tuple(later), tuple(later.values())
        return Options(texts, Moves(texts), lambda move: states[move]())

    def _node_options(self, state: WalkState) -> Options:
        """The names of the nodes that the last relation leads to."""
        assert state.key is not None
        names = self.neighbourhood.names
        nodes = state.tails().tolist()
        groups: dict[str, list[int]] = {}
        for node in nodes:
            groups.setdefault(f" {names[node]}", []).append(node)
        texts, reached = tuple(groups), tuple(groups.values())
        follow = cache(lambda move: self._named(state, reached[move]))
        doubtful = state.met is not None and not self._reach_is_exact
        excluded = [m for m in range(len(texts)) if follow(m) is None] if doubtful else ()
        lead = lead_text(self._walker.step(state.key))
        return Options((lead, digest(texts)), Moves(texts, lead), follow, tuple(excluded))

    def _begun(self, index: int, met: Met | None) -> WalkState:
        fronts = tuple(self._walker.origin(node) for node in self.starts[index].nodes)
        return WalkState(index, (), fronts, met)

    def _steps(self, state: WalkState) -> dict[Key, list[tuple[Front, Pairs]]]:
        """The relationships that each front can take next, by relation."""
        steps: dict[Key, list[tuple[Front, Pairs]]] = {}
        for front in state.fronts:
            for key, pairs in self._walker.steps(front).items():
                kept = self._kept(state, front, pairs)
                if len(kept):
                    steps.setdefault(key, []).append((front, kept))
        return dict(sorted(steps.items()))

    def _stepped(
        self, state: WalkState, key: Key, steps: Sequence[tuple[Front, Pairs]]
    ) -> WalkState:
        """The state after one more relation."""
        fronts = tuple(self._walker.after(front, pairs) for front, pairs in steps)
        waits = key if self.rendering == "full" else None
        return WalkState(state.start, (*state.steps, key), fronts, state.met, waits)

    def _kept(self, state: WalkState, front: Front, pairs: Pairs) -> Pairs:
        """The pairs from which the walk can still end where the walks before it end."""
        if state.met is None:
            return pairs
        left = self.hops - len(state.steps) - 1
        return pairs.where(state.met.reaching(front.anchor)[left][pairs.targets])

    def _named(self, state: WalkState, nodes: Sequence[int]) -> WalkState | None:
        """The state after a node's name: only walks to `nodes`, which have that name, are left."""
        fronts = []
        for front in state.fronts:
            targets = front.pairs[-1].targets
            is_named = targets == nodes[0] if len(nodes) == 1 else np.isin(targets, nodes)
            pairs = front.pairs[-1].where(is_named)
            if len(pairs):
                before = Front(front.anchor, front.layers[:-1], front.pairs[:-1])
                fronts.append(self._walker.after(before, pairs))
        after = WalkState(state.start, state.steps, tuple(fronts), state.met)
        return after if fronts and self._alive(after) else None

    def _alive(self, state: WalkState) -> bool:
        """Whether a sentence can end in this state or behind it."""
        if self.accepting(state):
            return True
        if state.met is not None and self._reach_is_exact and state.steps:
            return True
        if state.met is None and state.steps and state.key is not None:
            return True
        return self._opened(state).any

    def _meeting(self, state: WalkState) -> Met:
        targets = self._common(state)
        before = state.met.walks if state.met else ()
        reaching = partial(self._walker.reaching, targets, self.hops)
        return Met((*before, state), targets, cache(reaching))

    def _common(self, state: WalkState) -> Nodes:
        """The nodes in which all walks of the sentence so far end."""
        tails = state.tails()
        return tails if state.met is None else np.intersect1d(tails, state.met.targets)

    def _path(self, state: WalkState, tails: Nodes) -> RelationPath:
        fronts = [f for f in state.fronts if np.isin(f.tails, tails).any()]
        ids = self.neighbourhood.nodes
        layers = self._layers(fronts, tails) if self.rendering == "full" else ()
        return RelationPath(
            anchors=tuple(ids[front.anchor] for front in fronts),
            steps=tuple(self._walker.step(key) for key in state.steps),
            nodes=tuple(tuple(ids[node] for node in layer) for layer in layers),
            mention=self.starts[state.start].mention,
        )

    def _layers(self, fronts: Sequence[Front], tails: Nodes) -> tuple[Nodes, ...]:
        """The nodes of each step that lie on a walk into `tails`, over all fronts."""
        chains = [_leading(front, tails) for front in fronts]
        return tuple(np.unique(np.concatenate(layer)) for layer in zip(*chains, strict=True))


def _leading(front: Front, tails: Nodes) -> list[Nodes]:
    """A front's nodes after each step, only those that lie on a walk into `tails`."""
    layers = [np.intersect1d(front.tails, tails)]
    for pairs in reversed(front.pairs[1:]):
        layers.insert(0, np.unique(pairs.sources[np.isin(pairs.targets, layers[0])]))
    return layers


def _joined(one: WalkState, other: WalkState) -> WalkState:
    """One state for two readings of one text, whose starts have the same name."""
    return WalkState(one.start, one.steps, one.fronts + other.fronts, one.met, one.key)


def _same(state: WalkState) -> WalkState:
    return state
