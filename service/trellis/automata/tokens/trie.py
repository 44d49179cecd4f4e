"""The token trie of a site's moves, held as their token rows in lexicographic order.

A node is a range of rows with a common prefix, and the length of that prefix. Only the order is
built ahead; the children of a node are read from the next column when they are first asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from trellis.automata.tokens.vocabulary import Spelling, Tokens

_FEW = 64

TrieNode = tuple[int, int, int]
"""Rows `[low, high)`, in order, that share their first `depth` tokens."""


@dataclass(frozen=True, eq=False)
class Children:
    """The children of a node: their tokens, ascending, their rows, and the nearest end of each."""

    tokens: NDArray[np.int32]  # c
    bounds: NDArray[np.int64]  # c + 1: child i has rows [bounds[i], bounds[i + 1])
    shortest: NDArray[np.int32]  # c: tokens left from the node to the first end below the child

    @property
    def nbytes(self) -> int:
        few = min(len(self.tokens), _FEW)
        return self.tokens.nbytes + self.bounds.nbytes + self.shortest.nbytes + 1_000 + 100 * few

    def find_child(self, token: int) -> int | None:
        """The index of a token's child, or None; few are found in a dictionary, many by
        bisection."""
        if len(self.tokens) <= _FEW:
            return self._index.get(token)
        at = int(self.tokens.searchsorted(token))
        return at if at < len(self.tokens) and self.tokens[at] == token else None

    @cached_property
    def largest_shortest(self) -> int:
        """The largest of `shortest`."""
        return int(self.shortest.max(initial=0))

    def list_remaining_tokens(self, excluded: NDArray[np.int32]) -> NDArray[np.int32]:
        """The tokens of children that have a row which is not among those excluded (ascending)."""
        if not len(excluded):
            return self.tokens
        gone = np.diff(np.searchsorted(excluded, self.bounds))
        return self.tokens[gone < np.diff(self.bounds)]

    @cached_property
    def _index(self) -> dict[int, int]:
        return {token: at for at, token in enumerate(self.tokens.tolist())}


class SegmentTrie:
    """The sorted token rows of n moves, each with `lead` before it; `order[i]`: the move of row
    i."""

    def __init__(self, rows: Sequence[Spelling], lead: Spelling = b"") -> None:
        order = sorted(range(len(rows)), key=rows.__getitem__)
        ordered = [rows[i] for i in order]
        self.order: NDArray[np.int32] = np.array(order, np.int32)
        sizes = np.fromiter(map(len, ordered), np.int64, len(rows)) // 4
        self._lead: NDArray[np.int32] = np.frombuffer(lead, ">i4").astype(np.int32)
        self.lengths: NDArray[np.int32] = (sizes + len(self._lead)).astype(np.int32)
        self._flat: NDArray[np.int32] = np.frombuffer(b"".join(ordered), ">i4").astype(np.int32)
        self._starts = np.cumsum(sizes) - sizes - len(self._lead)
        self._positions: NDArray[np.int32] | None = None
        self._children: dict[TrieNode, Children] = {}
        self._common: dict[TrieNode, Tokens] = {}
        self._cached_bytes = 0

    def __len__(self) -> int:
        return len(self.order)

    @property
    def nbytes(self) -> int:
        """About the bytes that the trie takes in memory now; they grow as children are read."""
        held = 2 if self._positions is None else 3
        arrays = held * self.order.nbytes + self._flat.nbytes + self._starts.nbytes
        return arrays + self._cached_bytes + 1_000

    @property
    def root(self) -> TrieNode:
        return (0, len(self.order), 0)

    def list_silent_moves(self) -> Sequence[int]:
        """The moves that take no token at all, because the tokenizer drops their whole text."""
        moves: list[int] = self.order[: self.count_ended_rows(self.root)].tolist()
        return moves

    def find_rows(self, moves: Sequence[int]) -> NDArray[np.int32]:
        """The rows of some moves, ascending."""
        if self._positions is None:
            self._positions = np.empty(len(self), np.int32)
            self._positions[self.order] = np.arange(len(self), dtype=np.int32)
        return np.sort(self._positions[list(moves)])

    def count_ended_rows(self, node: TrieNode) -> int:
        """The number of the node's rows that end here; they come first, as shorter rows sort
        first."""
        low, high, depth = node
        count = 0
        while low + count < high and self.lengths[low + count] == depth:
            count += 1
        return count

    def end_moves(self, node: TrieNode, excluded: NDArray[np.int32]) -> tuple[Sequence[int], bool]:
        """The moves that end at a node, and whether others go on that are not excluded."""
        low, high, _ = node
        ended = self.count_ended_rows(node)
        left = high - low - ended
        if left and len(excluded):
            first, last = np.searchsorted(excluded, (low + ended, high))
            left -= int(last - first)
        return self.order[low : low + ended].tolist() if ended else (), left > 0

    def iterate_endings(self, node: TrieNode) -> Iterator[tuple[int, int]]:
        """The moves that go on from a node, with the tokens that are left of each, fewest first."""
        low, high, depth = node
        left = self.lengths[low:high] - depth
        for row in np.argsort(left, kind="stable"):
            if left[row]:
                yield int(left[row]), int(self.order[low + row])

    def group_alike(
        self,
        node: TrieNode,  # noqa: ARG002  moves of different tokens lead anywhere
        tokens: NDArray[np.int32],  # noqa: ARG002
        indices: NDArray[np.intp],
    ) -> Iterator[NDArray[np.intp]]:
        """Groups of some indices of the tokens behind a node, of which it is known that sentences
        end equally soon behind them: each alone."""
        return iter(indices[:, None])

    def find_certain_tokens(self, node: TrieNode) -> tuple[Tokens, TrieNode]:
        """The tokens that come next in all rows that go on, and the node before the last of them.

        Rows are sorted, so these are what the first and the last of them share.
        """
        tokens = self._common.get(node)
        if tokens is None:
            tokens = self._common[node] = self._compare_outer_rows(node)
            self._cached_bytes += 200 + 8 * len(tokens)
        low, high, depth = node
        return tokens, (low, high, depth + len(tokens) - 1) if len(tokens) > 1 else node

    def _compare_outer_rows(self, node: TrieNode) -> Tokens:
        low, high, depth = node
        low += self.count_ended_rows(node)
        if high <= low:
            return ()
        first, last = self._rest(low, depth), self._rest(high - 1, depth)
        shared = min(len(first), len(last))
        differ = np.flatnonzero(first[:shared] != last[:shared])
        return tuple(first[: differ[0] if len(differ) else shared].tolist())

    def children(self, node: TrieNode) -> Children:
        """The children of a node."""
        children = self._children.get(node)
        if children is None:
            children = self._children[node] = self._read_children(node)
            self._cached_bytes += children.nbytes
        return children

    def list_next_tokens(self, node: TrieNode) -> NDArray[np.int32]:
        """The tokens that a row may go on with, ascending: of one row, its next one alone."""
        low, high, depth = node
        if high - low != 1:
            return self.children(node).tokens
        if depth < len(self._lead):
            return self._lead[depth : depth + 1]
        at = self._starts[low] + depth
        return self._flat[at : at + (depth < self.lengths[low])]

    def child(self, node: TrieNode, token: int) -> TrieNode | None:
        """The node after one more token, or None."""
        low, high, depth = node
        if high - low == 1:
            following = self.list_next_tokens(node)
            return (low, high, depth + 1) if len(following) and following[0] == token else None
        children = self.children(node)
        at = children.find_child(token)
        if at is None:
            return None
        return int(children.bounds[at]), int(children.bounds[at + 1]), depth + 1

    def _rest(self, row: int, depth: int) -> NDArray[np.int32]:
        """The tokens of a row from `depth` on."""
        size, lead = int(self.lengths[row]), self._lead
        start = int(self._starts[row])
        own = self._flat[start + max(depth, len(lead)) : start + size]
        return own if depth >= len(lead) else np.concatenate((lead[depth:], own))

    def _read_children(self, node: TrieNode) -> Children:
        low, high, depth = node
        low += self.count_ended_rows(node)
        if high - low == 1:
            return self._read_only_child(low, depth)
        column = self._column(low, high, depth)
        changed = np.ones(len(column), np.bool_)
        changed[1:] = column[1:] != column[:-1]
        firsts = np.flatnonzero(changed)
        shortest = np.minimum.reduceat(self.lengths[low:high], firsts) if len(firsts) else firsts
        bounds = np.concatenate((firsts + low, [high]))
        return Children(column[firsts], bounds, (shortest - depth).astype(np.int32))

    def _read_only_child(self, row: int, depth: int) -> Children:
        """The one child of a node with one row."""
        left = np.array([self.lengths[row] - depth], np.int32)
        return Children(self._column(row, row + 1, depth), np.array([row, row + 1]), left)

    def _column(self, low: int, high: int, depth: int) -> NDArray[np.int32]:
        if depth < len(self._lead):
            return np.full(high - low, self._lead[depth], np.int32)
        column: NDArray[np.int32] = self._flat[self._starts[low:high] + depth]
        return column
