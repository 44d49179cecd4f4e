"""Weak supervision: which relation paths explain a question's answers, and how far to walk.

For a question with answers and no path, the relation sequences from its mentions are walked as
sets of nodes, and those that reproduce the answers best are kept. Where several do, the wording
decides (`mixture`). Source of the idea: GCR's and RoG's shortest paths as silver paths; sets and EM
are ours.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from trellis.automata.paths.frontier import Front, Nodes, Walker
from trellis.domain.graphs.graph import Neighbourhood, Revisit, Step
from trellis.domain.graphs.links import Mention
from trellis.linking.text import name_key
from trellis.steps.link.anchors import list_anchor_ids
from trellis.training.examples import MentionPath

REVISITS: tuple[Revisit, ...] = ("simple", "not_topic", "any")
"""In the order of preference where they explain the answers equally well."""

_MOST_SEQUENCES = 20_000  # of one mention
_MOST_MEETING = 60  # sequences of one mention that are tried for meeting another's
_NEARLY = 0.7  # share of the best F1 from which an explanation is a candidate
_MOST_CANDIDATES = 200

Paths = tuple[MentionPath, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """Paths and how well the nodes that they reach reproduce the answers."""

    paths: Paths
    f1: float

    @property
    def steps(self) -> int:
        return sum(len(path.steps) for path in self.paths)


@dataclass(frozen=True, eq=False)
class WeakPathExample:
    """A question with its mentions, what is around them, and the answers' indices in it."""

    words: tuple[str, ...]
    mentions: tuple[Mention, ...]
    neighbourhood: Neighbourhood
    answers: Nodes

    @classmethod
    def of(
        cls,
        words: Sequence[str],
        mentions: tuple[Mention, ...],
        neighbourhood: Neighbourhood,
        answers: Sequence[str],
    ) -> WeakPathExample:
        """`neighbourhood` must have names: answers are given by name."""
        wanted = {name_key(answer) for answer in answers}
        answer_nodes = [i for i, name in enumerate(neighbourhood.names) if name_key(name) in wanted]
        return cls(tuple(words), mentions, neighbourhood, np.array(answer_nodes, np.int32))


def find_explanations(example: WeakPathExample, hops: int, revisit: Revisit) -> list[Explanation]:
    """The paths that reproduce the answers best, singly or by meeting, the best first."""
    if not len(example.answers):
        return []
    walker = Walker(example.neighbourhood, revisit, keep_pairs=False)
    reached = [
        find_sequences(walker, _find_origins(walker, example, number), hops)
        for number in range(len(example.mentions))
    ]
    single = [
        Explanation((MentionPath(number, steps),), _compute_f1(tails, example.answers))
        for number, nodes_by_steps in enumerate(reached)
        for steps, tails in nodes_by_steps.items()
    ]
    best = max((explanation.f1 for explanation in single), default=0.0)
    meeting = _find_meetings(reached, example.answers)
    best = max([best, *(explanation.f1 for explanation in meeting)])
    kept = [
        explanation
        for explanation in (*single, *meeting)
        if explanation.f1 >= max(_NEARLY * best, 1e-9)
    ]
    return sorted(kept, key=lambda explanation: (-explanation.f1, explanation.steps))[
        :_MOST_CANDIDATES
    ]


def measure_fit(example: WeakPathExample, paths: Paths, revisit: Revisit) -> float:
    """How well given paths reproduce the answers under a `revisit` rule (F1)."""
    walker = Walker(example.neighbourhood, revisit, keep_pairs=False)
    tails = [_walk_path(walker, example, path) for path in paths]
    common = tails[0]
    for other in tails[1:]:
        common = np.intersect1d(common, other)
    return _compute_f1(common, example.answers)


def best_revisit(fits: Mapping[Revisit, Sequence[float]]) -> Revisit:
    """The rule under which the answers are reproduced best."""
    scores = {rule: sum(fits[rule]) / max(1, len(fits[rule])) for rule in REVISITS}
    top = max(scores.values())
    return next(rule for rule in REVISITS if scores[rule] >= top - 1e-6)


def find_sequences(
    walker: Walker, origins: Sequence[Front], hops: int
) -> dict[tuple[Step, ...], Nodes]:
    """All relation sequences of up to `hops` steps from some nodes, and the nodes they reach."""
    nodes_by_steps: dict[tuple[Step, ...], Nodes] = {}
    level: dict[tuple[Step, ...], list[Front]] = {(): list(origins)}
    for _ in range(hops):
        following: dict[tuple[Step, ...], list[Front]] = defaultdict(list)
        for steps, fronts in level.items():
            for front in fronts:
                for key, pairs in walker.find_next_steps(front).items():
                    said = (*steps, walker.step_of_key(key))
                    following[said].append(walker.advance_front(front, pairs))
            if len(nodes_by_steps) + len(following) > _MOST_SEQUENCES:
                break
        level = dict(following)
        nodes_by_steps |= {steps: _join_tails(fronts) for steps, fronts in level.items()}
    return nodes_by_steps


def _walk_path(walker: Walker, example: WeakPathExample, path: MentionPath) -> Nodes:
    fronts = _find_origins(walker, example, path.mention)
    for step in path.steps:
        following = []
        for front in fronts:
            for key, pairs in walker.find_next_steps(front).items():
                if walker.step_of_key(key) == step:
                    following.append(walker.advance_front(front, pairs))
        fronts = following
    return _join_tails(fronts)


def _find_origins(walker: Walker, example: WeakPathExample, number: int) -> list[Front]:
    ids = set(list_anchor_ids(example.mentions[number]))
    anchors = example.neighbourhood.anchors.tolist()
    return [
        walker.start_front(node) for node in anchors if example.neighbourhood.nodes[node] in ids
    ]


def _join_tails(fronts: Sequence[Front]) -> Nodes:
    if not fronts:
        return np.empty(0, np.int32)
    return np.unique(np.concatenate([front.tails for front in fronts]))


def _find_meetings(
    reached: Sequence[Mapping[tuple[Step, ...], Nodes]], answers: Nodes
) -> list[Explanation]:
    """Pairs of paths from two mentions, each reaching what the best of its mention does."""
    telling = [_pick_telling(nodes_by_steps, answers) for nodes_by_steps in reached]
    return [
        Explanation(
            (MentionPath(left, first), MentionPath(right, second)),
            _compute_f1(np.intersect1d(reached[left][first], reached[right][second]), answers),
        )
        for left in range(len(reached))
        for right in range(left + 1, len(reached))
        for first in telling[left]
        for second in telling[right]
    ]


def _pick_telling(
    nodes_by_steps: Mapping[tuple[Step, ...], Nodes], answers: Nodes
) -> list[tuple[Step, ...]]:
    """The sequences that reach all answers that can be reached, those that reach least first."""
    recalls = {
        steps: len(np.intersect1d(tails, answers)) for steps, tails in nodes_by_steps.items()
    }
    most = max(recalls.values(), default=0)
    full = [steps for steps, recall in recalls.items() if recall and recall == most]
    return sorted(full, key=lambda steps: (len(steps), len(nodes_by_steps[steps]), steps))[
        :_MOST_MEETING
    ]


def _compute_f1(reached: Nodes, answers: Nodes) -> float:
    both = len(np.intersect1d(reached, answers))
    return 2 * both / (len(reached) + len(answers)) if both else 0.0
