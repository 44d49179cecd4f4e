"""The token trie of a site's moves, held as their token rows in lexicographic order.

A node is a range of rows that begin alike, and how many tokens that is: nothing is built but the
order. Children are read off the next column when asked for, once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trellis.automata.vocabulary import Tokens

TrieNode = tuple[int, int, int]
"""Rows `[low, high)`, in order, that share their first `depth` tokens."""


@dataclass(frozen=True, eq=False)
class Children:
    """The children of a node: tokens ascending, and the range of rows of each."""

    tokens: NDArray[np.int32]  # c
    bounds: NDArray[np.int64]  # c + 1: child i has rows [bounds[i], bounds[i + 1])


class SegmentTrie:
    """Token rows of n moves; `order[i]` is the move of row i."""

    def __init__(self, rows: Sequence[Tokens]) -> None:
        order = sorted(range(len(rows)), key=rows.__getitem__)
        self.order: NDArray[np.int32] = np.array(order, np.int32)
        self.lengths: NDArray[np.int32] = np.array([len(rows[i]) for i in order], np.int32)
        self._starts = np.concatenate(([0], np.cumsum(self.lengths, dtype=np.int64)))
        self._flat: NDArray[np.int32] = np.fromiter(
            (token for i in order for token in rows[i]), np.int32, int(self._starts[-1])
        )
        self._position = np.empty(len(rows), np.int64)
        self._position[self.order] = np.arange(len(rows))
        self._children: dict[TrieNode, Children] = {}

    def __len__(self) -> int:
        return len(self.order)

    @property
    def root(self) -> TrieNode:
        return (0, len(self.order), 0)

    def positions(self, moves: Sequence[int]) -> NDArray[np.int64]:
        """The rows of some moves, ascending."""
        return np.sort(self._position[list(moves)])

    def ended(self, node: TrieNode) -> int:
        """How many of the node's rows end here: the first ones, as shorter rows sort first."""
        low, high, depth = node
        count = 0
        while low + count < high and self.lengths[low + count] == depth:
            count += 1
        return count

    def children(self, node: TrieNode) -> Children:
        """Where a row may go on from a node."""
        found = self._children.get(node)
        if found is None:
            found = self._children[node] = self._read(node)
        return found

    def child(self, node: TrieNode, token: int) -> TrieNode | None:
        """The node after one more token, or None."""
        children = self.children(node)
        at = int(np.searchsorted(children.tokens, token))
        if at == len(children.tokens) or children.tokens[at] != token:
            return None
        return int(children.bounds[at]), int(children.bounds[at + 1]), node[2] + 1

    def _read(self, node: TrieNode) -> Children:
        low, high, depth = node
        low += self.ended(node)
        column = self._flat[self._starts[low:high] + depth]
        changed = np.ones(len(column), np.bool_)
        changed[1:] = column[1:] != column[:-1]
        firsts = np.flatnonzero(changed)
        return Children(column[firsts], np.concatenate((firsts + low, [high])))
