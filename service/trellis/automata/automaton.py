"""The token automaton: a language joined to a vocabulary, lazily, once for all languages.

A state is a set of readings (a subset construction): each is a language state with a node of its
site's token trie. A reading at the root has just ended a move. Rejection is None, and sticky.
"""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Iterator
from itertools import count
from typing import Generic

import numpy as np
from numpy.typing import NDArray

from trellis.automata.language import Language, S, V
from trellis.automata.masks import Mask, pack
from trellis.automata.trie import SegmentTrie, TrieNode
from trellis.automata.vocabulary import Vocabulary

Reading = tuple[S, TrieNode]
Configuration = tuple[Reading[S], ...]
"""A state of the automaton: all readings of the tokens so far, none twice."""

_NO_ROWS: NDArray[np.int64] = np.empty(0, np.int64)


class TokenAutomaton(Generic[S, V]):
    """Which tokens a language allows next. Tries belong to sites and are shared by their states."""

    def __init__(self, language: Language[S, V], vocabulary: Vocabulary) -> None:
        self.language = language
        self.vocabulary = vocabulary
        self.longest = language.longest()
        self._tries: dict[Hashable, SegmentTrie] = {}
        self._excluded: dict[S, NDArray[np.int64]] = {}

    def start(self) -> Configuration[S]:
        return (self._entry(self.language.start()),)

    def allow(self, state: Configuration[S] | None) -> Mask:
        """The mask of the allowed tokens (end-of-text is the cursor's, never in it)."""
        return pack(self.allowed(state), self.vocabulary.size)

    def allowed(self, state: Configuration[S] | None) -> NDArray[np.int32]:
        """The allowed tokens, ascending."""
        if not state:
            return np.empty(0, np.int32)
        if len(state) == 1:
            return self._tokens(state[0])
        merged: NDArray[np.int32] = np.unique(np.concatenate([self._tokens(r) for r in state]))
        return merged

    def advance(self, state: Configuration[S] | None, token: int) -> Configuration[S] | None:
        """The state after one more token; None if no reading goes on with it."""
        readings = dict.fromkeys(
            after for reading in state or () for after in self._after(reading, token)
        )
        return tuple(readings) or None

    def forced(self, state: Configuration[S]) -> tuple[tuple[int, ...], Configuration[S]]:
        """The run of tokens that must come next, and the state behind it."""
        run: list[int] = []
        while not self.accepting(state):
            tokens = self.allowed(state)
            following = self.advance(state, int(tokens[0])) if len(tokens) == 1 else None
            if following is None:
                break
            run.append(int(tokens[0]))
            state = following
        return tuple(run), state

    def accepting(self, state: Configuration[S] | None) -> bool:
        """Whether a sentence may end here."""
        return any(node[2] == 0 and self.language.accepting(s) for s, node in state or ())

    def values(self, state: Configuration[S] | None) -> tuple[V, ...]:
        """All that the sentence can mean, if it ends here."""
        return tuple(
            dict.fromkeys(
                value
                for s, node in state or ()
                if node[2] == 0 and self.language.accepting(s)
                for value in self.language.values(s)
            )
        )

    def distance(self, state: Configuration[S]) -> int:
        """The fewest tokens from here to an accepting state (Dijkstra over moves, lazily)."""
        if self.accepting(state):
            return 0
        heap: list[tuple[int, int, S, int, Iterator[tuple[int, S]]]] = []
        ties = count()

        def push(base: int, arrivals: Iterator[tuple[int, S]]) -> None:
            for length, s in arrivals:
                heapq.heappush(heap, (base + length, next(ties), s, base, arrivals))
                return

        for reading in state:
            push(0, self._arrivals(reading))
        seen: set[S] = set()
        while heap:
            cost, _, s, base, arrivals = heapq.heappop(heap)
            if self.language.accepting(s):
                return cost
            push(base, arrivals)
            if s not in seen:
                seen.add(s)
                push(cost, self._arrivals(self._entry(s)))
        raise DeadEndError(state)

    def _arrivals(self, reading: Reading[S]) -> Iterator[tuple[int, S]]:
        """The states behind the moves that a reading can still end, nearest first."""
        s, (low, high, depth) = reading
        trie = self._trie(s)
        left = trie.lengths[low:high] - depth
        for row in np.argsort(left, kind="stable"):
            following = self.language.follow(s, int(trie.order[low + row])) if left[row] else None
            if following is not None:
                yield int(left[row]), following

    def _entry(self, s: S) -> Reading[S]:
        """The reading that has just come to `s`, at the root of its site's trie."""
        return s, self._trie(s).root

    def _trie(self, s: S) -> SegmentTrie:
        site = self.language.site(s)
        trie = self._tries.get(site)
        if trie is None:
            trie = self._tries[site] = self._built(s)
        return trie

    def _built(self, s: S) -> SegmentTrie:
        moves = self.language.moves(s)
        lead = self.vocabulary.encode(moves.lead) if moves.lead else ()
        rows = self.vocabulary.encode_all(moves.texts)
        return SegmentTrie([lead + row for row in rows] if lead else rows)

    def _excluded_rows(self, s: S, trie: SegmentTrie) -> NDArray[np.int64]:
        """The rows of the moves that this state does not have, ascending."""
        rows = self._excluded.get(s)
        if rows is None:
            moves = self.language.excluded(s)
            rows = trie.positions(tuple(moves)) if moves else _NO_ROWS
            self._excluded[s] = rows
        return rows

    def _tokens(self, reading: Reading[S]) -> NDArray[np.int32]:
        s, node = reading
        trie = self._trie(s)
        children = trie.children(node)
        excluded = self._excluded_rows(s, trie)
        if not len(excluded):
            return children.tokens
        gone = np.diff(np.searchsorted(excluded, children.bounds))
        return children.tokens[gone < np.diff(children.bounds)]

    def _after(self, reading: Reading[S], token: int) -> Iterator[Reading[S]]:
        """Where a reading goes with a token: on inside the move, or behind the moves it ends."""
        s, node = reading
        trie = self._trie(s)
        child = trie.child(node, token)
        if child is None:
            return
        ended = trie.ended(child)
        low, high, depth = child
        excluded = self._excluded_rows(s, trie)
        gone = int(np.diff(np.searchsorted(excluded, (low + ended, high)))[0])
        if high - low - ended > gone:
            yield s, (low, high, depth)
        for row in range(low, low + ended):
            following = self.language.follow(s, int(trie.order[row]))
            if following is not None:
                yield self._entry(following)


class DeadEndError(AssertionError):
    """A language broke its contract: no accepting state can be reached from here."""
