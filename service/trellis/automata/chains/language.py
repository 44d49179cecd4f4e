"""Chains of triples in which the nodes stay sets: a triple says its relation and its direction.

A sentence is `ENT1 -> relation <- relation ; ENT2 -> relation & X1 =`. A triple starts from the set
that the one before has reached, or behind `;` from any set that was visited: an anchor's, or `X1`,
`X2`, … for what the first and the second triple have reached. `& X1` holds the last set to what
`X1` holds too, so that two anchors meet. `=` ends the chain; its last set is the answer. So a name,
which no small model can foresee, is never said. Source: DoG, section 2.2; the rendering is ours.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Generic, Self

import numpy as np

from trellis.automata.chains.graph import ChainDelta, ChainGraph
from trellis.automata.chains.states import (
    ChainMoves,
    ChainState,
    ChainWay,
    StateT,
    VisitedSet,
)
from trellis.automata.language import FreeText, MoveId, Moves
from trellis.automata.paths.frontier import Front, Key, NodePairs, Nodes, Walker
from trellis.automata.paths.segments import step_text
from trellis.automata.paths.walks import Start
from trellis.domain.graphs.graph import NodeId, RelationPath, Revisit, Step
from trellis.domain.models.card import Rendering
from trellis.domain.structures.chains import ChainTriple, TripleChain

END = " ="
AGAIN, JOIN = " ;", " &"

MOST_TRIPLES = 16
"""The most triples that a chain may be allowed."""

NextSteps = dict[Key, list[tuple[Front, NodePairs]]]
"""The relationships that each front of a set can take next, by relation and direction."""


@dataclass(frozen=True, slots=True)
class ChainOptions:
    """Which chains can be said.

    `most_triples`: the most triples of a chain. `revisit`: where the paths of a chain may come back
    to. `thought_tokens`: the most tokens of free words between two triples; 0: there are none, nor
    are there any where nodes stay sets.
    """

    rendering: Rendering = "relations"
    most_triples: int = 6
    revisit: Revisit = "simple"
    thought_tokens: int = 0


class ChainLanguage(Generic[StateT]):
    """What the languages of chains share: a graph that grows, and moves that are kept by state.

    `deltas`: what the graph has grown by, the first being what it began with.
    """

    def __init__(
        self,
        graph: ChainGraph,
        starts: Sequence[Start],
        options: ChainOptions,
        deltas: tuple[ChainDelta, ...],
    ) -> None:
        self.graph = graph
        self.starts = tuple(starts)
        self.options = options
        self.deltas = deltas
        self._base: ChainLanguage[StateT] | None = None
        self._moves_by_state: dict[StateT, ChainMoves[StateT]] = {}
        self._root = self._open_root()

    @property
    def base(self) -> ChainLanguage[StateT]:
        """The language over the first delta alone."""
        return self._base or self

    def start(self) -> StateT:
        return self._root

    def is_empty(self) -> bool:
        """Whether there is no sentence at all: no anchor has a relationship."""
        moves = self.moves(self._root)
        return isinstance(moves, Moves) and not len(moves)

    def site(self, state: StateT) -> Hashable:
        return self._get_moves(state).site

    def moves(self, state: StateT) -> Moves | FreeText:
        return self._get_moves(state).moves

    def list_excluded_moves(self, state: StateT) -> Collection[MoveId]:  # noqa: ARG002
        return ()

    def follow(self, state: StateT, move: MoveId) -> StateT | None:
        return self._get_moves(state).follow(move)

    def extended(self, delta: ChainDelta) -> Self:
        """The language over the graph with a delta that was made for it."""
        grown = (*self.deltas, delta)
        larger = type(self)(self.graph.extended(delta), self.starts, self.options, grown)
        larger._base = self.base
        larger._root = self._root
        kept = self._moves_by_state.items()
        larger._moves_by_state = {state: moves for state, moves in kept if moves.is_settled}
        return larger

    def _open_root(self) -> StateT:
        raise NotImplementedError

    def _find_moves(self, state: StateT) -> ChainMoves[StateT]:
        raise NotImplementedError

    def _get_moves(self, state: StateT) -> ChainMoves[StateT]:
        moves = self._moves_by_state.get(state)
        if moves is None:
            moves = self._moves_by_state[state] = self._find_moves(state)
        return moves

    def _list_missing_rows(self, nodes: Nodes) -> Nodes:
        return nodes[~self.graph.have_rows(nodes)]

    def _list_ids(self, nodes: Nodes) -> tuple[NodeId, ...]:
        return tuple(map(self.graph.id_of, nodes.tolist()))

    @property
    def _longest_step(self) -> int:
        """The bytes of the longest step, with its arrow."""
        return self.graph.longest_type + len(step_text(Step("")))


class SetChains(ChainLanguage[ChainState]):
    """The chains of sets from `starts`, over a graph that may grow."""

    def __init__(
        self,
        graph: ChainGraph,
        starts: Sequence[Start],
        options: ChainOptions,
        deltas: tuple[ChainDelta, ...],
    ) -> None:
        super().__init__(graph, starts, options, deltas)
        self._walker = Walker(graph, options.revisit, keep_pairs=False)
        self._steps_by_set: dict[VisitedSet, NextSteps] = {}

    def accepting(self, state: ChainState) -> bool:
        return state.phase == "ended"

    def text(self, state: ChainState) -> str:
        return state.text

    def values(self, state: ChainState) -> tuple[TripleChain, ...]:
        has_ended = state.phase == "ended"
        ways = state.sets[state.at].ways if state.triples else ()
        paths = tuple(map(self._build_path, ways))
        return (TripleChain(paths, state.triples, has_ended, self.needs(state)),)

    def reserve(self, state: ChainState) -> tuple[int, int]:  # noqa: ARG002
        """Behind a set one step is needed, and behind a step the end."""
        return self._longest_step + len(END), 2

    def reserve_ending(self) -> tuple[int, int]:
        return len(END), 1

    def count_parts(self, state: ChainState) -> int:
        return len(state.triples)

    def is_part_end(self, state: ChainState) -> bool:
        return state.phase == "triple"

    def needs(self, state: ChainState) -> tuple[NodeId, ...]:
        if state.phase != "triple" or not self._may_go_on(state):
            return ()
        return self._list_ids(self._list_missing_rows(state.sets[state.at].nodes))

    def extended(self, delta: ChainDelta) -> Self:
        larger = super().extended(delta)
        kept = self._steps_by_set.items()
        larger._steps_by_set = {
            each: steps for each, steps in kept if not len(self._list_missing_rows(each.nodes))
        }
        return larger

    def _may_go_on(self, state: ChainState) -> bool:
        return len(state.triples) < self.options.most_triples

    def _open_root(self) -> ChainState:
        return ChainState("start", "", tuple(map(self._open_set, range(len(self.starts)))))

    def _open_set(self, number: int) -> VisitedSet:
        start = self.starts[number]
        fronts = tuple(Front(node, (np.array([node], np.int32),)) for node in start.nodes)
        way = ChainWay(start.mention, start.nodes)
        return VisitedSet(start.text.strip(), fronts, (way,), frozenset([number]))

    def _find_moves(self, state: ChainState) -> ChainMoves[ChainState]:
        later = dict(self._iterate_moves(state))
        texts, makers = tuple(later), tuple(later.values())
        settled = not any(len(self._list_missing_rows(each.nodes)) for each in state.sets)
        follow = cache(lambda move: makers[move]())
        return ChainMoves(texts, Moves(texts), follow, settled)

    def _iterate_moves(self, state: ChainState) -> Iterator[tuple[str, partial[ChainState]]]:
        if state.phase == "ended":
            return
        if state.phase == "start":
            yield from self._iterate_sets(state, "")
            return
        if state.phase == "set" or self._may_go_on(state):
            yield from self._iterate_steps(state)
        if state.phase == "set":
            return
        if self._may_go_on(state):
            yield from self._iterate_sets(state, AGAIN)
        if state.phase == "triple":
            yield from self._iterate_joins(state)
        yield END, partial(replace, state, phase="ended", text=state.text + END)

    def _iterate_sets(
        self, state: ChainState, lead: str
    ) -> Iterator[tuple[str, partial[ChainState]]]:
        """The sets that the next triple may start from, beside the one that was reached last."""
        for number, each in enumerate(state.sets):
            if number != state.at and self._list_new_steps(state, number):
                said = f"{lead} {each.label}"
                moved = partial(replace, state, phase="set", text=state.text + said, at=number)
                yield said, moved

    def _iterate_steps(self, state: ChainState) -> Iterator[tuple[str, partial[ChainState]]]:
        """The steps that the set which the chain is at has not yet taken."""
        steps = self._find_next_steps(state.sets[state.at])
        said = {self._walker.text_of_key(k): k for k in self._list_new_steps(state, state.at)}
        for text, key in sorted(said.items()):
            yield text, partial(self._take_step, state, key, steps[key])

    def _iterate_joins(self, state: ChainState) -> Iterator[tuple[str, partial[ChainState]]]:
        """The sets that the last triple's set may be held to: reached by other ways, and with a
        common node."""
        last = state.sets[state.at]
        for number, each in enumerate(state.sets[len(self.starts) : -1], len(self.starts)):
            common = np.intersect1d(each.nodes, last.nodes)
            if number not in last.ancestors and len(common):
                yield f"{JOIN} {each.label}", partial(self._join_sets, state, number, common)

    def _list_new_steps(self, state: ChainState, number: int) -> list[Key]:
        """The steps from a set that the chain has not said."""
        steps = self._find_next_steps(state.sets[number])
        return [key for key in steps if (number, key) not in state.said]

    def _find_next_steps(self, visited: VisitedSet) -> NextSteps:
        steps = self._steps_by_set.get(visited)
        if steps is None:
            steps = self._steps_by_set[visited] = {}
            for front in visited.fronts:
                for key, pairs in self._walker.find_next_steps(front).items():
                    steps.setdefault(key, []).append((front, pairs))
        return steps

    def _take_step(
        self, state: ChainState, key: Key, steps: list[tuple[Front, NodePairs]]
    ) -> ChainState:
        """The state after one more triple, from the set that the chain is at."""
        before, number = state.sets[state.at], len(state.sets)
        fronts = tuple(self._walker.advance_front(front, pairs) for front, pairs in steps)
        reached = np.unique(np.concatenate([front.tails for front in fronts]))
        step = self._walker.step_of_key(key)
        ways = tuple(
            replace(way, steps=(*way.steps, step), sets=(*way.sets, reached)) for way in before.ways
        )
        label = f"X{number - len(self.starts) + 1}"
        after = VisitedSet(label, fronts, ways, before.ancestors | {number})
        return ChainState(
            "triple",
            state.text + self._walker.text_of_key(key),
            (*state.sets, after),
            number,
            state.said | {(state.at, key)},
            (*state.triples, _write_triple(before.label, step, label)),
        )

    def _join_sets(self, state: ChainState, number: int, common: Nodes) -> ChainState:
        """The state after the last set was held to an earlier one, whose place it takes."""
        earlier, last = state.sets[number], state.sets[state.at]
        ways = tuple(
            replace(way, sets=(*way.sets[:-1], common), is_joined=True)
            for way in (*earlier.ways, *last.ways)
        )
        fronts = tuple(
            Front(front.anchor, (*front.layers[:-1], kept), front.pairs)
            for front in earlier.fronts
            if len(kept := np.intersect1d(front.tails, common))
        )
        ancestors = earlier.ancestors | (last.ancestors - {state.at})
        joined = VisitedSet(earlier.label, fronts, ways, ancestors)
        *triples, triple = state.triples
        return ChainState(
            "joined",
            f"{state.text}{JOIN} {earlier.label}",
            (*state.sets[:number], joined, *state.sets[number + 1 : -1]),
            number,
            state.said,
            (*triples, _rename_end(triple, last.label, earlier.label)),
        )

    def _build_path(self, way: ChainWay) -> RelationPath:
        anchors = self._list_ids(np.array(way.anchors, np.int32))
        sets = way.sets if way.is_joined else ()
        nodes = tuple(tuple(sorted(self._list_ids(each))) for each in sets)
        return RelationPath(anchors, way.steps, nodes, way.mention)


def _write_triple(source: str, step: Step, target: str) -> ChainTriple:
    head, tail = (target, source) if step.reversed else (source, target)
    return ChainTriple(head, step.relation, tail)


def _rename_end(triple: ChainTriple, old: str, new: str) -> ChainTriple:
    if triple.head == old:
        return replace(triple, head=new)
    return replace(triple, tail=new)
