"""The nearest matches of a pattern among relationships that were read, exactly.

It does what the procedure does, on what fits into memory: messages along a spanning tree bound
from below what completes a partial match, and the partial match of the least bound is extended
first.
"""

from __future__ import annotations

import heapq
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from trellis.domain.graphs.graph import NodeId
from trellis.domain.structures.patterns import PatternSearch
from trellis.graph.patterns.edge_groups import EdgeGroup, StoredRelationship
from trellis.graph.patterns.plan import MatchingPlan

_UNMAPPED = ""  # as text before any element id
_MOST_WAITING = 500_000  # partial matches that wait to be extended
_STEPS_BETWEEN_LOOKS = 256

Mapped = tuple[NodeId, ...]


@dataclass(frozen=True, slots=True)
class FoundMappings:
    """Mappings of a pattern's nodes with their distances in ticks, in order.

    `is_complete`: whether they are exactly the first ones.
    """

    mappings: Sequence[tuple[int, Mapped]]
    is_complete: bool


class Matcher:
    """Matches one pattern among `relationships`; `ticks`: for each pattern node what fits it."""

    def __init__(
        self,
        search: PatternSearch,
        groups: Sequence[EdgeGroup],
        plan: MatchingPlan,
        relationships: Iterable[StoredRelationship],
        ticks: Sequence[Mapping[NodeId, int]],
    ) -> None:
        self._size = search.pattern.nodes
        self._groups = groups
        self._plan = plan
        self._ticks = ticks
        self._between: dict[frozenset[NodeId], list[StoredRelationship]] = defaultdict(list)
        for relationship in relationships:
            self._between[frozenset({relationship.start, relationship.end})].append(relationship)
        self._costs = [self._list_pair_costs(group) for group in groups]
        self._messages: list[Mapping[NodeId, int]] = [{} for _ in range(self._size)]
        self._beside: dict[tuple[int, int], Mapping[NodeId, Mapping[NodeId, int]]] = {}

    def find(self, limit: int, deadline: float) -> FoundMappings:
        """The first `limit` mappings; what is found until `deadline` (`time.monotonic`)."""
        for node in reversed(self._plan.order):
            self._messages[node] = self._compute_message(node)
        return self._search(limit, deadline)

    def list_between(self, a: NodeId, b: NodeId) -> Sequence[StoredRelationship]:
        return self._between[frozenset({a, b})]

    def _list_pair_costs(self, group: EdgeGroup) -> dict[NodeId, dict[NodeId, int]]:
        """For each node that may be the group's first, and each beside it, what its edges cost."""
        costs: dict[NodeId, dict[NodeId, int]] = defaultdict(dict)
        for ends, relationships in self._between.items():
            if (len(ends) == 1) != (group.first == group.second):
                continue
            a, b = min(ends), max(ends)
            for first, second in {(a, b), (b, a)}:
                fit = first in self._ticks[group.first] and second in self._ticks[group.second]
                cost = group.find_cost(relationships, first, second) if fit else None
                if cost is not None:
                    costs[first][second] = cost
        return costs

    def _compute_message(self, node: int) -> dict[NodeId, int]:
        """What a node's subtree costs at least, for each mapping of the node itself."""
        children = [c for c in self._plan.order if self._plan.parents[c] == node]
        beside = [self._find_beside(node, child) for child in children]
        message: dict[NodeId, int] = {}
        for candidate, ticks in self._ticks[node].items():
            total: int | None = ticks
            for child, costs in zip(children, beside, strict=True):
                below = self._messages[child]
                least = min(
                    (c + below[o] for o, c in costs.get(candidate, {}).items() if o in below),
                    default=None,
                )
                total = None if total is None or least is None else total + least
            if total is not None:
                message[candidate] = total
        return message

    def _list_beside(self, node: int, other: int) -> Mapping[NodeId, Mapping[NodeId, int]]:
        """For each node of `node` what may be `other`, and what the edges between them cost."""
        for group, costs in zip(self._groups, self._costs, strict=True):
            if (group.first, group.second) == (node, other):
                return costs
            if (group.first, group.second) == (other, node):
                turned: dict[NodeId, dict[NodeId, int]] = defaultdict(dict)
                for first, row in costs.items():
                    for second, cost in row.items():
                        turned[second][first] = cost
                return turned
        return {}

    def _search(self, limit: int, deadline: float) -> FoundMappings:
        """Take the best partial match from the queue and extend it, until enough are whole."""
        nobody = (_UNMAPPED,) * self._size
        queue: list[tuple[int, Mapped, int]] = [(0, nobody, 0)]
        found: list[tuple[int, Mapped]] = []
        steps = 0
        while queue and len(found) < limit:
            steps += 1
            late = steps % _STEPS_BETWEEN_LOOKS == 0 and time.monotonic() > deadline
            if late or len(queue) > _MOST_WAITING:
                return FoundMappings(found, is_complete=False)
            cost, mapped, depth = heapq.heappop(queue)
            if depth == self._size:
                found.append((cost, mapped))
            else:
                for extended in self._extend(cost, mapped, depth):
                    heapq.heappush(queue, extended)
        return FoundMappings(found, is_complete=True)

    def _extend(self, cost: int, mapped: Mapped, depth: int) -> Iterable[tuple[int, Mapped, int]]:
        """All mappings of the next node, with the least that a whole match of each costs."""
        node = self._plan.order[depth]
        message = self._messages[node]
        parent = self._plan.parents[node]
        if parent is None:
            beside = dict.fromkeys(message, 0)
            known = 0
        else:
            row = self._find_beside(parent, node).get(mapped[parent], {})
            beside = {other: c for other, c in row.items() if other in message}
            known = min((c + message[other] for other, c in beside.items()), default=0)
        for other, edge_cost in beside.items():
            closing = None if other in mapped else self._close(mapped, node, other)
            if closing is not None:
                total = cost - known + edge_cost + message[other] + closing
                yield total, (*mapped[:node], other, *mapped[node + 1 :]), depth + 1

    def _find_beside(self, parent: int, node: int) -> Mapping[NodeId, Mapping[NodeId, int]]:
        key = parent, node
        if key not in self._beside:
            self._beside[key] = self._list_beside(parent, node)
        return self._beside[key]

    def _close(self, mapped: Mapped, node: int, other: NodeId) -> int | None:
        """What the edges cost that close cycles or loops; None if they do not fit."""
        total = 0
        for group, costs in zip(self._groups, self._costs, strict=True):
            if node not in (group.first, group.second):
                continue
            end = group.second if group.first == node else group.first
            if end != node and (mapped[end] == _UNMAPPED or end == self._plan.parents[node]):
                continue
            beyond = other if end == node else mapped[end]
            first, second = (other, beyond) if group.first == node else (beyond, other)
            cost = costs.get(first, {}).get(second)
            if cost is None:
                return None
            total += cost
        return total
