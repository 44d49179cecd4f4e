"""How soon sentences of a language can end: searched exactly, or with bounded work.

A language of queries has a state for each sentence, so an exact search never meets a state twice
and grows with the number of sentences. But states of one site mostly end alike: a search that
expands one state of each site finds an ending soon, though not always the shortest.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Generic

from trellis.automata.language import S
from trellis.automata.site_trie import SiteNode

Reading = tuple[S, SiteNode]
Configuration = tuple[Reading[S], ...]
"""A state of the automaton: all distinct readings of the tokens so far."""

MOST_EXPANDED = 256
"""The most states that are expanded to look for a shorter ending than one of each site found."""

_Arrivals = Iterator[tuple[int, S]]


@dataclass(frozen=True, slots=True)
class EndingSteps(Generic[S]):
    """What a search for endings asks of an automaton.

    `enter_state`: the readings at a state of the language. `iterate_arrivals`: each move that a
    reading can still complete, as the tokens left of it and the state after it, fewest tokens
    first. `ends_at`: whether a sentence may end at a state, `find_site`: its site.
    """

    enter_state: Callable[[S], Configuration[S]]
    iterate_arrivals: Callable[[Reading[S]], _Arrivals[S]]
    ends_at: Callable[[S], bool]
    find_site: Callable[[S], Hashable]


class Endings(Generic[S]):
    """The endings of one language that were found so far, and the search for others."""

    def __init__(self, steps: EndingSteps[S]) -> None:
        self._steps = steps
        self._distances: dict[Configuration[S], int] = {}
        self._bounds: dict[S, int] = {}  # the tokens of an ending that was found behind a state

    def __len__(self) -> int:
        return len(self._distances) + len(self._bounds)

    def clear(self) -> None:
        """Forget all endings; they are searched for again when they are asked for."""
        self._distances.clear()
        self._bounds.clear()

    def find_distance(self, state: Configuration[S]) -> int | None:
        """The fewest tokens from here to the end of a sentence; None where there is no end."""
        distance = self._distances.get(state)
        return self._search_shortest(state) if distance is None else distance

    def is_within(self, state: Configuration[S], budget: int) -> bool:
        """Whether bounded work finds an ending of at most `budget` tokens.

        An ending that was found is found again by whoever follows it, with the tokens left of it.
        """
        distance = self._distances.get(state)
        if distance is not None:
            return distance <= budget
        search = _EndingSearch(self._steps, budget, self._steps.find_site, self._bounds)
        if search.run(state) is not None:
            return True
        return self._search_shortest(state, budget, MOST_EXPANDED) is not None

    def _search_shortest(
        self, state: Configuration[S], budget: int | None = None, most_expanded: int | None = None
    ) -> int | None:
        """The fewest tokens to an end; None where the bounds are reached first."""
        search = _EndingSearch(self._steps, budget, lambda s: s, self._bounds, most_expanded)
        distance = search.run(state, takes_known=False)
        if distance is not None:
            self._distances[state] = distance
        return distance


@dataclass(frozen=True, slots=True, eq=False)
class _Expanded(Generic[S]):
    """A state whose moves are searched: the tokens that lead to it, and where it was come to
    from."""

    cost: int = 0
    s: S | None = None
    origin: _Expanded[S] | None = None


class _EndingSearch(Generic[S]):
    """Dijkstra's search over moves; each reading's arrivals are taken from it one at a time.

    One state of each kind is expanded. Where an ending is found, its tokens are written to `bounds`
    for all states that it leads through.
    """

    def __init__(
        self,
        steps: EndingSteps[S],
        budget: int | None,
        find_kind: Callable[[S], Hashable],
        bounds: dict[S, int],
        most_expanded: int | None = None,
    ) -> None:
        self._steps = steps
        self._budget = budget
        self._find_kind = find_kind
        self._bounds = bounds
        self._most_expanded = most_expanded
        self._kinds: set[Hashable] = set()
        self._ties = count()
        self._heap: list[tuple[int, int, S, _Expanded[S], _Arrivals[S]]] = []

    def run(self, state: Configuration[S], takes_known: bool = True) -> int | None:
        """The tokens of the first ending that is found; `takes_known`: one behind a state of which
        an ending is known counts as found."""
        if any(node[2] == 0 and self._steps.ends_at(s) for s, node in state):
            return 0
        self._push_arrivals(_Expanded(), state)
        while self._heap:
            cost, _, s, origin, arrivals = heapq.heappop(self._heap)
            left = self._find_known_ending(s, cost, takes_known)
            if left is not None:
                self._note_ending(_Expanded(cost, s, origin), cost + left)
                return cost + left
            self._push_next_arrival(origin, arrivals)
            if len(self._kinds) == self._most_expanded:
                return None
            kind = self._find_kind(s)
            if kind not in self._kinds:
                self._kinds.add(kind)
                self._push_arrivals(_Expanded(cost, s, origin), self._steps.enter_state(s))
        return None

    def _find_known_ending(self, s: S, cost: int, takes_known: bool) -> int | None:
        """The tokens that are left behind a state, as far as that is known and within budget."""
        if self._steps.ends_at(s):
            return 0
        left = self._bounds.get(s) if takes_known else None
        return left if left is not None and self._fits(cost + left) else None

    def _push_arrivals(self, origin: _Expanded[S], readings: Configuration[S]) -> None:
        for reading in readings:
            self._push_next_arrival(origin, self._steps.iterate_arrivals(reading))

    def _push_next_arrival(self, origin: _Expanded[S], arrivals: _Arrivals[S]) -> None:
        for length, s in arrivals:
            cost = origin.cost + length
            if self._fits(cost):
                heapq.heappush(self._heap, (cost, next(self._ties), s, origin, arrivals))
            return

    def _fits(self, cost: int) -> bool:
        return self._budget is None or cost <= self._budget

    def _note_ending(self, last: _Expanded[S], total: int) -> None:
        """Keep how many tokens are left of an ending at each state that it leads through."""
        at: _Expanded[S] | None = last
        while at is not None and at.s is not None:
            left = total - at.cost
            self._bounds[at.s] = min(left, self._bounds.get(at.s, left))
            at = at.origin
