"""The KG-Trie as a language: all walks from the anchors of a question, never enumerated.

A sentence is `<anchor> -> relation <- relation ...`. The `full` rendering names the nodes between
relations too. `& <anchor> ...` begins another walk that has to end in the same node. For each
anchor that the text can mean, the state holds the sets of nodes reached at every step, so that
memory grows with edges rather than paths. Source: GCR, section 4.1 (KG-Trie); the `relations`
rendering and meeting walks are ours.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial

import numpy as np
from numpy.typing import NDArray

from trellis.automata.language import MoveId, Moves
from trellis.automata.paths.frontier import (
    Front,
    Key,
    Nodes,
    StepsByRelation,
    Walker,
    mark_nodes_reaching,
)
from trellis.automata.paths.segments import digest_texts, lead_text, measure_longest
from trellis.automata.paths.walk_states import (
    MeetingWalks,
    WalkMoves,
    WalkState,
    join_states,
)
from trellis.domain.graphs.graph import Neighbourhood, PathQuery, RelationPath, Revisit, Step
from trellis.domain.models.card import Rendering


@dataclass(frozen=True, slots=True)
class Start:
    """Where a walk may begin: the text of the anchor, and the nodes (indices) that it can mean.

    `mention`: the index of the question's mention that they were linked to.
    """

    text: str
    nodes: tuple[int, ...]
    mention: int = 0


class Walks:
    """The language of walks of up to `hops` steps from `starts`, over a neighbourhood.

    `meets`: whether a sentence may join walks from several starts that end in the same node.
    `alphabet`: as of `TaskLanguage`; empty: any text. `like`: relationship types between nodes of
    one kind, of which the kinds at their ends do not tell the direction.
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
        alphabet: Sequence[str] = (),
        like: Collection[str] = (),
    ) -> None:
        self.neighbourhood = neighbourhood
        self.alphabet = tuple(alphabet)
        self.like = frozenset(like)
        self.starts = tuple(starts)
        self.hops = hops
        self.revisit = revisit
        self.rendering = rendering
        self.meets = meets and len(self.starts) > 1
        self._walker = Walker(neighbourhood, revisit, keep_pairs=rendering == "full")
        self._reach_is_exact = revisit != "simple"
        self._moves_by_state: dict[WalkState, WalkMoves] = {}
        self._root = WalkState(-1)

    def start(self) -> WalkState:
        return self._root

    def is_empty(self) -> bool:
        """Whether there is no sentence at all: no anchor has a relationship."""
        return not self._get_moves(self._root).has_moves

    def list_first_steps(self) -> Mapping[int, frozenset[Step]]:
        """The steps that walks may begin with, by the mention that they start from."""
        steps: dict[int, frozenset[Step]] = {}
        for start in self.starts:
            fronts = map(self._walker.start_front, start.nodes)
            keys = (key for front in fronts for key in self._walker.find_next_steps(front))
            known = steps.get(start.mention, frozenset())
            steps[start.mention] = known.union(map(self._walker.step_of_key, keys))
        return steps

    def site(self, state: WalkState) -> Hashable:
        return self._get_moves(state).site

    def moves(self, state: WalkState) -> Moves:
        return self._get_moves(state).moves

    def list_excluded_moves(self, state: WalkState) -> Collection[MoveId]:
        return self._get_moves(state).excluded

    def follow(self, state: WalkState, move: MoveId) -> WalkState | None:
        return self._get_moves(state).follow(move)

    def accepting(self, state: WalkState) -> bool:
        return bool(state.steps) and state.key is None and state.has_met

    def values(self, state: WalkState) -> tuple[PathQuery, ...]:
        tails = self._find_common_tails(state)
        walks = (*(state.meeting.walks if state.meeting else ()), state)
        return (PathQuery(tuple(self._build_relation_path(walk, tails) for walk in walks)),)

    def text(self, state: WalkState) -> str:
        walks = (*(state.meeting.walks if state.meeting else ()), state)
        return " &".join(map(self._write_walk_text, walks))

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
        relation = measure_longest(self.neighbourhood.relation_types) + 4
        if self.rendering == "relations":
            return relation, 1
        return relation + measure_longest(self.neighbourhood.names) + 4, 3

    def _write_walk_text(self, state: WalkState) -> str:
        """The text of one walk."""
        if state.start < 0:
            return ""
        text = self.starts[state.start].text
        for level, key in enumerate(state.steps, 1):
            step = self._walker.step_of_key(key)
            text += self._walker.text_of_key(key)
            if self.rendering == "full" and (state.key is None or level < len(state.steps)):
                node = state.fronts[0].layers[level][0]
                text += f"{lead_text(step)} {self.neighbourhood.names[node]}"
        return text

    def _get_moves(self, state: WalkState) -> WalkMoves:
        options = self._moves_by_state.get(state)
        if options is None:
            options = self._moves_by_state[state] = self._find_moves(state)
        return options

    def _find_moves(self, state: WalkState) -> WalkMoves:
        if state.start < 0:
            return self._find_anchor_moves()
        if state.key is not None:
            return self._find_node_moves(state)
        return self._find_relation_moves(state)

    def _find_anchor_moves(self) -> WalkMoves:
        beginnings = self._begin_walks(0, None)
        texts, states = tuple(beginnings), tuple(beginnings.values())
        return WalkMoves(texts, Moves(texts), states.__getitem__)

    def _begin_walks(self, first: int, meeting: MeetingWalks | None) -> dict[str, WalkState]:
        """The states behind each start from index `first` on that begins a sentence, by its text.

        Starts of one text share one state.
        """
        merged: dict[str, WalkState] = {}
        for index, start in enumerate(self.starts[first:], first):
            after = self._begin_walk(index, meeting)
            if self._can_end(after):
                same = merged.get(start.text)
                merged[start.text] = join_states(same, after) if same else after
        return merged

    def _find_relation_moves(self, state: WalkState) -> WalkMoves:
        """The relations that continue a walk, and the anchors of walks that may meet it."""
        steps = self._find_next_steps(state)
        taken: dict[Key, WalkState] = {}

        def take(key: Key) -> WalkState:
            if key not in taken:
                taken[key] = self._take_relation(state, steps, key)
            return taken[key]

        keys = sorted(set().union(*(relations for _, relations in steps)))
        if state.meeting is not None and not self._reach_is_exact:
            keys = [key for key in keys if self._can_end(take(key))]
        others = self._find_meeting_anchors(state)
        texts = (*map(self._walker.text_of_key, keys), *others)
        begun = tuple(others.values())
        return WalkMoves(
            texts,
            Moves(texts),
            lambda move: take(keys[move]) if move < len(keys) else begun[move - len(keys)],
        )

    def _find_meeting_anchors(self, state: WalkState) -> dict[str, WalkState]:
        """The states behind the anchors of walks that may meet the state's walk, by their texts."""
        if not self.meets or not self.accepting(state):
            return {}
        others = self._begin_walks(state.start + 1, self._begin_meeting(state))
        return {f" &{text}": after for text, after in others.items()}

    def _find_node_moves(self, state: WalkState) -> WalkMoves:
        """The names of the nodes that the last relation leads to."""
        assert state.key is not None
        names = self.neighbourhood.names
        nodes = state.find_tails().tolist()
        groups: dict[str, list[int]] = {}
        for node in nodes:
            groups.setdefault(f" {names[node]}", []).append(node)
        texts, reached = tuple(groups), tuple(groups.values())
        follow = cache(lambda move: self._take_node(state, reached[move]))
        doubtful = state.meeting is not None and not self._reach_is_exact
        excluded = [m for m in range(len(texts)) if follow(m) is None] if doubtful else ()
        lead = lead_text(self._walker.step_of_key(state.key))
        return WalkMoves((lead, digest_texts(texts)), Moves(texts, lead), follow, tuple(excluded))

    def _find_next_steps(self, state: WalkState) -> list[tuple[Front, StepsByRelation]]:
        """The relationships that each front may take next: behind an `&`, those from which the walk
        can still end where the walks before it end."""
        left = self.hops - len(state.steps) - 1
        if left < 0:
            return []
        find = self._walker.find_next_steps
        if state.meeting is None:
            return [(front, find(front)) for front in state.fronts]
        reaching = state.meeting.reaching
        return [(front, find(front, reaching(front.anchor)[left])) for front in state.fronts]

    def _begin_walk(self, index: int, meeting: MeetingWalks | None) -> WalkState:
        fronts = tuple(self._walker.start_front(node) for node in self.starts[index].nodes)
        return WalkState(index, (), fronts, meeting)

    def _take_relation(
        self, state: WalkState, steps: Sequence[tuple[Front, StepsByRelation]], key: Key
    ) -> WalkState:
        """The state after one more relation."""
        fronts = tuple(
            self._walker.advance_front(front, relations[key])
            for front, relations in steps
            if key in relations
        )
        waits = key if self.rendering == "full" else None
        return WalkState(state.start, (*state.steps, key), fronts, state.meeting, waits)

    def _take_node(self, state: WalkState, nodes: Sequence[int]) -> WalkState | None:
        """The state after a node's name: only walks to `nodes`, which have that name, are left."""
        fronts = []
        for front in state.fronts:
            targets = front.pairs[-1].targets
            is_named = targets == nodes[0] if len(nodes) == 1 else np.isin(targets, nodes)
            pairs = front.pairs[-1].select(is_named)
            if len(pairs):
                before = Front(front.anchor, front.layers[:-1], front.pairs[:-1])
                fronts.append(self._walker.advance_front(before, pairs))
        after = WalkState(state.start, state.steps, tuple(fronts), state.meeting)
        return after if fronts and self._can_end(after) else None

    def _can_end(self, state: WalkState) -> bool:
        """Whether a sentence can end in this state or behind it."""
        if self.accepting(state):
            return True
        if state.meeting is not None and self._reach_is_exact and state.steps:
            return True
        if state.meeting is None and state.steps and state.key is not None:
            return True
        return self._get_moves(state).has_moves

    def _begin_meeting(self, state: WalkState) -> MeetingWalks:
        targets = self._find_common_tails(state)
        before = state.meeting.walks if state.meeting else ()
        reaching = partial(self._mark_nodes_reaching, targets)
        return MeetingWalks((*before, state), targets, cache(reaching))

    def _mark_nodes_reaching(self, targets: Nodes, anchor: int) -> list[NDArray[np.bool_]]:
        """As the function, for walks from `anchor`, which come back to it only where they may."""
        avoided = None if self.revisit == "any" else anchor
        return mark_nodes_reaching(self.neighbourhood, targets, self.hops, avoided)

    def _find_common_tails(self, state: WalkState) -> Nodes:
        """The nodes in which all walks of the sentence so far end."""
        tails = state.find_tails()
        return tails if state.meeting is None else np.intersect1d(tails, state.meeting.targets)

    def _build_relation_path(self, state: WalkState, tails: Nodes) -> RelationPath:
        fronts: Sequence[Front] = state.fronts
        if len(fronts) > 1:
            fronts = [front for front in fronts if np.isin(front.tails, tails).any()]
        ids = self.neighbourhood.nodes
        layers = self._find_path_layers(fronts, tails) if self.rendering == "full" else ()
        return RelationPath(
            anchors=tuple(ids[front.anchor] for front in fronts),
            steps=tuple(self._walker.step_of_key(key) for key in state.steps),
            nodes=tuple(tuple(ids[node] for node in layer) for layer in layers),
            mention=self.starts[state.start].mention,
        )

    def _find_path_layers(self, fronts: Sequence[Front], tails: Nodes) -> tuple[Nodes, ...]:
        """The nodes of each step that lie on a walk into `tails`, over all fronts."""
        chains = [_find_layers_into(front, tails) for front in fronts]
        return tuple(np.unique(np.concatenate(layer)) for layer in zip(*chains, strict=True))


def _find_layers_into(front: Front, tails: Nodes) -> list[Nodes]:
    """A front's nodes after each step, only those that lie on a walk into `tails`."""
    layers = [np.intersect1d(front.tails, tails)]
    for pairs in reversed(front.pairs[1:]):
        layers.insert(0, np.unique(pairs.sources[np.isin(pairs.targets, layers[0])]))
    return layers
