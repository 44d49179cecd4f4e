"""The traces of a schema graph among relationships that were read.

It does what the procedure does, on what fits into memory.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from trellis.domain.graphs.graph import NodeId
from trellis.domain.structures.traces import TraceSearch
from trellis.graph.patterns.edge_groups import StoredRelationship
from trellis.graph.traces.plan import TraceStep, find_start, plan_steps, rank_anchors

_STEPS_BETWEEN_LOOKS = 256


@dataclass(frozen=True, slots=True)
class TraceOption:
    """A relationship that an edge may be; `value`: what options are ordered by."""

    value: float
    score: float
    neighbour: NodeId
    relationship: StoredRelationship
    is_turned: bool

    @property
    def key(self) -> tuple[float, NodeId, str]:
        return -self.value, self.neighbour, self.relationship.id


@dataclass(frozen=True, slots=True)
class FoundTrace:
    """A trace by ids: `options` by edge."""

    score: float
    nodes: tuple[NodeId, ...]
    options: tuple[TraceOption, ...]

    @property
    def key(self) -> tuple[float, tuple[NodeId, ...], tuple[str, ...]]:
        return -self.score, self.nodes, tuple(o.relationship.id for o in self.options)


class Tracer:
    """Traces one schema graph among `relationships`."""

    def __init__(
        self, search: TraceSearch, relationships: Iterable[StoredRelationship], deadline: float
    ) -> None:
        """`deadline`: as `time.monotonic` counts."""
        self._search = search
        self._rules = search.rules
        self._guided = frozenset(search.guidance)
        self._anchors = rank_anchors(search)
        self._start = find_start(self._anchors)
        self._steps = plan_steps(search.schema_graph, self._start)
        self._scores = [_list_type_scores(search, e) for e in range(len(search.relations))]
        self._at: dict[NodeId, list[StoredRelationship]] = defaultdict(list)
        for relationship in relationships:
            for end in {relationship.start, relationship.end}:
                self._at[end].append(relationship)
        self._deadline = deadline
        self._looked = 0
        self._nodes: dict[int, NodeId] = {}
        self._chosen: dict[int, TraceOption] = {}
        self._traces: list[FoundTrace] = []
        self._shapes: set[tuple[tuple[str, bool], ...]] = set()
        self.is_cut = False

    def find(self, visible: Iterable[NodeId]) -> list[FoundTrace]:
        """The traces from the anchors that are `visible`, best first."""
        shown, least = set(visible), float("-inf")
        self.is_cut = time.monotonic() > self._deadline
        for node, score in (self._anchors[self._start] or {}).items():
            if self._is_enough() or score < least:
                break
            if node in shown:
                self._nodes = {self._start: node}
                self._trace(0)
            if self._traces:
                least = max(least, score)
        return sorted(self._traces, key=lambda trace: trace.key)

    def _is_enough(self) -> bool:
        return self.is_cut or (not self._rules.is_breadth and bool(self._traces))

    def _trace(self, depth: int) -> None:
        if depth == len(self._steps):
            self._keep()
            return
        step = self._steps[depth]
        for option in sorted(self._list_options(step), key=lambda option: option.key):
            if self._is_enough():
                return
            self._chosen[step.edge] = option
            if not step.closes:
                self._nodes[step.end] = option.neighbour
            self._trace(depth + 1)
            if not step.closes:
                del self._nodes[step.end]
            del self._chosen[step.edge]

    def _list_options(self, step: TraceStep) -> Iterable[TraceOption]:
        origin, scores = self._nodes[step.origin], self._scores[step.edge]
        taken = () if self._rules.revisit == "any" else self._chosen.values()
        used = {option.relationship.id for option in taken}
        for stored in self._at[origin]:
            self._look()
            other = stored.end if stored.start == origin else stored.start
            fits = other == self._nodes[step.end] if step.closes else self._can_map(step.end, other)
            if not fits or stored.id in used or (scores is not None and stored.type not in scores):
                continue
            source = self._search.schema_graph.edges[step.edge][0]
            is_turned = other != origin and (stored.start == origin) != (source == step.origin)
            score = (0.0 if scores is None else scores[stored.type]) - (
                self._rules.turned if is_turned else 0
            )
            if origin in self._guided and other in self._guided:
                score += self._rules.bias
            if not self._rules.is_breadth or score >= self._rules.threshold:
                table = None if step.closes else self._anchors[step.end]
                value = score if table is None else score + table[other]
                yield TraceOption(value, score, other, stored, is_turned)

    def _can_map(self, at: int, node: NodeId) -> bool:
        table = self._anchors[at]
        if table is not None and node not in table:
            return False
        return not any(
            mapped == node
            and self._rules.keeps_apart(table is not None, self._anchors[other] is not None)
            for other, mapped in self._nodes.items()
        )

    def _look(self) -> None:
        self._looked += 1
        if self._looked % _STEPS_BETWEEN_LOOKS == 0 and time.monotonic() > self._deadline:
            self.is_cut = True

    def _keep(self) -> None:
        options = tuple(self._chosen[edge] for edge in range(len(self._steps)))
        shape = tuple((option.relationship.type, option.is_turned) for option in options)
        if self._rules.has_shapes and shape in self._shapes:
            return
        if len(self._traces) == self._rules.limit:
            self.is_cut = True
            return
        self._shapes.add(shape)
        total = 0.0
        for at, table in enumerate(self._anchors):
            total += table[self._nodes[at]] if table is not None else 0.0
        for option in options:
            total += option.score
        nodes = tuple(self._nodes[at] for at in range(len(self._anchors)))
        self._traces.append(FoundTrace(total, nodes, options))


def _list_type_scores(search: TraceSearch, edge: int) -> Mapping[str, float] | None:
    given = search.relations[edge]
    if given is None:
        return None
    scores: dict[str, float] = {}
    for name, score in zip(given.types, given.scores, strict=True):
        scores[name] = max(score, scores.get(name, score))
    return scores
