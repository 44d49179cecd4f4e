"""How soon sentences of a language can end: searched exactly, or with bounded work.

A language of queries has a state for each sentence, so an exact search never meets a state twice
and grows with the number of sentences. But states of one site mostly end alike: a search that
expands one state of each site finds an ending soon, though not always the shortest.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import count
from typing import Generic

from trellis.automata.language import Move, S
from trellis.automata.tokens.site_trie import SiteNode

Reading = tuple[S, SiteNode]
Configuration = tuple[Reading[S], ...]
"""A state of the automaton: all distinct readings of the tokens so far."""

MOST_EXPANDED = 256
"""The most states that are expanded to look for a shorter ending than one of each site found."""

_Arrivals = Iterator[tuple[int, Move, S]]


@dataclass(frozen=True, slots=True)
class EndingSteps(Generic[S]):
    """What a search for endings asks of an automaton.

    `enter_state`: the readings at a state of the language. `iterate_arrivals`: each move that a
    reading can still complete, as the tokens left of it, the move, and the state after it, fewest
    tokens first. `follow_move`: the state after a move, if there is one. `ends_at`: whether a
    sentence may end at a state, `find_site`: its site.
    """

    enter_state: Callable[[S], Configuration[S]]
    iterate_arrivals: Callable[[Reading[S]], _Arrivals[S]]
    follow_move: Callable[[S, Move], S | None]
    ends_at: Callable[[S], bool]
    find_site: Callable[[S], Hashable]


class Endings(Generic[S]):
    """The endings of one language that were found so far, and the search for others."""

    def __init__(self, steps: EndingSteps[S]) -> None:
        self._steps = steps
        self._distances: dict[Configuration[S], int] = {}
        self._bounds: dict[S, int] = {}  # the tokens of an ending that was found behind a state
        self._ways: dict[Hashable, _Way] = {}  # by site

    def __len__(self) -> int:
        return len(self._distances) + len(self._bounds) + len(self._ways)

    def clear(self) -> None:
        """Forget all endings; they are searched for again when they are asked for."""
        self._distances.clear()
        self._bounds.clear()
        self._ways.clear()

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
        ending = self._follow_ways(state, budget) or search.run(state)
        if ending is not None:
            self._keep_ending(ending)
            return True
        return self._search_shortest(state, budget, MOST_EXPANDED) is not None

    def _follow_ways(self, state: Configuration[S], budget: int) -> _Arrival[S] | None:
        """The ending that begins with the shortest move, and goes on as others did at its sites;
        None where there is none within the budget."""
        at: _Arrival[S] = _Arrival()
        first = next((it for r in state for it in self._steps.iterate_arrivals(r)), None)
        following = first
        while following is not None:
            length, move, s = following
            at = _Arrival(at.cost + length, s, move, at)
            if at.cost > budget:
                return None
            if self._steps.ends_at(s):
                return at
            following = self._find_way(s)
        return None

    def _find_way(self, s: S) -> tuple[int, Move, S] | None:
        """The move that ended a sentence soonest at a state's site, as an arrival."""
        way = self._ways.get(self._steps.find_site(s))
        following = self._steps.follow_move(s, way.move) if way else None
        return (way.length, way.move, following) if way and following is not None else None

    def _keep_ending(self, last: _Arrival[S]) -> None:
        """Keep how many tokens are left of an ending at each state that it leads through, and by
        which moves it goes on."""
        at, total = last, last.cost + last.left
        while at.origin is not None and at.s is not None:
            left = total - at.cost
            self._bounds[at.s] = min(left, self._bounds.get(at.s, left))
            self._keep_way(at, total)
            at = at.origin

    def _keep_way(self, at: _Arrival[S], total: int) -> None:
        """Keep the move that led to a state, at the site that it was said at."""
        origin = at.origin
        if origin is None or origin.s is None or not at.is_direct:
            return
        site, left = self._steps.find_site(origin.s), total - origin.cost
        if site not in self._ways or left < self._ways[site].left:
            self._ways[site] = _Way(at.move, at.cost - origin.cost, left)

    def _search_shortest(
        self, state: Configuration[S], budget: int | None = None, most_expanded: int | None = None
    ) -> int | None:
        """The fewest tokens to an end; None where the bounds are reached first."""
        search = _EndingSearch(self._steps, budget, lambda s: s, self._bounds, most_expanded)
        ending = search.run(state, takes_known=False)
        if ending is None:
            return None
        self._keep_ending(ending)
        self._distances[state] = ending.cost
        return ending.cost


@dataclass(frozen=True, slots=True)
class _Way:
    """How an ending went on at a site: the move, its tokens, and the tokens that were left then."""

    move: Move
    length: int
    left: int


@dataclass(frozen=True, slots=True, eq=False)
class _Arrival(Generic[S]):
    """A state that was come to: the tokens that lead to it, and the move from its `origin`.

    `is_direct`: the move is one of the origin's own, and not of a state that a move without tokens
    leads to. `left`: the tokens of an ending that is known behind it.
    """

    cost: int = 0
    s: S | None = None
    move: Move = 0
    origin: _Arrival[S] | None = None
    is_direct: bool = True
    left: int = 0


class _EndingSearch(Generic[S]):
    """Dijkstra's search over moves; each reading's arrivals are taken from it one at a time.

    One state of each kind is expanded. `bounds`: the tokens of endings that are known.
    """

    def __init__(
        self,
        steps: EndingSteps[S],
        budget: int | None,
        find_kind: Callable[[S], Hashable],
        bounds: Mapping[S, int],
        most_expanded: int | None = None,
    ) -> None:
        self._steps = steps
        self._budget = budget
        self._find_kind = find_kind
        self._bounds = bounds
        self._most_expanded = most_expanded
        self._kinds: set[Hashable] = set()
        self._ties = count()
        self._heap: list[tuple[int, int, _Arrival[S], _Arrivals[S]]] = []

    def run(self, state: Configuration[S], takes_known: bool = True) -> _Arrival[S] | None:
        """The first ending that is found, as the last state of it; `takes_known`: one behind a
        state of which an ending is known counts as found."""
        if any(node[2] == 0 and self._steps.ends_at(s) for s, node in state):
            return _Arrival()
        self._push_arrivals(_Arrival(), state)
        while self._heap:
            _, _, at, arrivals = heapq.heappop(self._heap)
            assert at.s is not None
            assert at.origin is not None
            left = self._find_known_ending(at.s, at.cost, takes_known)
            if left is not None:
                return replace(at, left=left)
            self._push_next_arrival(at.origin, arrivals, at.is_direct)
            if len(self._kinds) == self._most_expanded:
                return None
            kind = self._find_kind(at.s)
            if kind not in self._kinds:
                self._kinds.add(kind)
                self._push_arrivals(at, self._steps.enter_state(at.s))
        return None

    def _find_known_ending(self, s: S, cost: int, takes_known: bool) -> int | None:
        """The tokens that are left behind a state, as far as that is known and within budget."""
        if self._steps.ends_at(s):
            return 0
        left = self._bounds.get(s) if takes_known else None
        return left if left is not None and self._fits(cost + left) else None

    def _push_arrivals(self, origin: _Arrival[S], readings: Configuration[S]) -> None:
        for reading in readings:
            is_direct = reading[0] is origin.s
            self._push_next_arrival(origin, self._steps.iterate_arrivals(reading), is_direct)

    def _push_next_arrival(
        self, origin: _Arrival[S], arrivals: _Arrivals[S], is_direct: bool
    ) -> None:
        for length, move, s in arrivals:
            cost = origin.cost + length
            if self._fits(cost):
                at = _Arrival(cost, s, move, origin, is_direct)
                heapq.heappush(self._heap, (cost, next(self._ties), at, arrivals))
            return

    def _fits(self, cost: int) -> bool:
        return self._budget is None or cost <= self._budget
