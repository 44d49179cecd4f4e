"""What the token automaton asks of a site, whether its texts are listed or free."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from trellis.automata.language import Move
from trellis.automata.tokens.vocabulary import Tokens

SiteNode = tuple[Any, Any, int]
"""A place inside a site's texts; its last number is how many tokens led there from the root."""


class Continuations(Protocol):
    """The tokens that go on from a node, ascending, and the nearest end of a text behind each."""

    @property
    def tokens(self) -> NDArray[np.int32]: ...

    @property
    def shortest(self) -> NDArray[np.int32]:
        """For each token, the fewest tokens from the node to an end, that token included."""
        ...

    @property
    def largest_shortest(self) -> int:
        """The largest of `shortest`."""
        ...

    def list_remaining_tokens(self, excluded: NDArray[np.int32]) -> NDArray[np.int32]:
        """The tokens behind which there is a move that is not among the excluded rows."""
        ...


class SiteTrie(Protocol):
    """The token sequences of what may be said at a site: a `SegmentTrie` or a `FreeTrie`.

    What a state excludes are rows of its site, ascending.
    """

    @property
    def root(self) -> SiteNode: ...

    @property
    def nbytes(self) -> int:
        """About the bytes that the trie takes in memory now."""
        ...

    def list_silent_moves(self) -> Sequence[Move]:
        """The moves that take no token at all."""
        ...

    def find_rows(self, moves: Sequence[int]) -> NDArray[np.int32]:
        """The rows of some moves, ascending."""
        ...

    def children(self, node: Any) -> Continuations:
        """The tokens that go on from a node."""
        ...

    def list_next_tokens(self, node: Any) -> NDArray[np.int32]:
        """The tokens that go on from a node, ascending."""
        ...

    def child(self, node: Any, token: int) -> SiteNode | None:
        """The node after one more token, or None."""
        ...

    def end_moves(self, node: Any, excluded: NDArray[np.int32]) -> tuple[Sequence[Move], bool]:
        """What ends at a node, and whether anything that is not excluded goes on."""
        ...

    def find_certain_tokens(self, node: Any) -> tuple[Tokens, SiteNode]:
        """The tokens that must come next where something goes on, and the node before the last of
        them."""
        ...

    def iterate_endings(self, node: Any) -> Iterator[tuple[int, Move]]:
        """What goes on from a node, with the tokens that are left of each, fewest first."""
        ...

    def group_alike(
        self, node: Any, tokens: NDArray[np.int32], indices: NDArray[np.intp]
    ) -> Iterator[NDArray[np.intp]]:
        """Groups of some indices of `tokens`, which go on from a node, such that sentences end
        equally soon behind the tokens of one group."""
        ...
