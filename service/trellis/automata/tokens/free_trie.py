"""A free site as the automaton sees it: all texts that may be said there, never listed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from trellis.automata.language import FreeText
from trellis.automata.tokens.free_tokens import LONGEST_TOKEN, WORD, FreeOptions
from trellis.automata.tokens.vocabulary import Tokens, Vocabulary
from trellis.domain.errors import InputError

FreeNode = tuple[bytes, int, int]
"""The text so far in UTF-8, the condition that it ends in, and its tokens."""

_NOTHING: NDArray[np.int32] = np.empty(0, np.int32)
_NO_OPTIONS = FreeOptions(_NOTHING, _NOTHING, _NOTHING)


class FreeTrie:
    """The token sequences whose text a free site allows. Its nodes are texts with their tokens.

    Raises InputError where the vocabulary has no such text of so few tokens.
    """

    def __init__(self, free: FreeText, vocabulary: Vocabulary) -> None:
        self._tokens = vocabulary.free_tokens(free.stop)
        self._limit = free.max_tokens * LONGEST_TOKEN // vocabulary.longest_token
        spelled = (self._tokens.token_bytes[t] for t in vocabulary.encode(f"{free.lead}a"))
        text = b"".join(spelled)
        self._lead = text[: len(text) - len(text.lstrip(b" "))]
        self._apart = [self._lead + text.encode() for text in free.apart]
        self.root: FreeNode = (b"", self._tokens.open_text(len(self._lead)), 0)
        if self._tokens.count_missing(self.root[1]) > self._limit:
            raise InputError(
                f"no free text has at most {free.max_tokens} tokens of this model",
                "allow more tokens, or use a model whose tokenizer can spell any text",
            )

    @property
    def nbytes(self) -> int:
        return 1_000

    def list_silent_moves(self) -> Sequence[str]:
        return ()

    def find_rows(self, moves: Sequence[int]) -> NDArray[np.int32]:
        raise AssertionError(f"a free site excludes nothing, but it is given {moves}")

    def children(self, node: FreeNode) -> FreeOptions:
        """The tokens that go on from a node."""
        _, condition, depth = node
        if depth >= self._limit:
            return _NO_OPTIONS
        return self._tokens.list_options(condition, self._limit - depth)

    def list_next_tokens(self, node: FreeNode) -> NDArray[np.int32]:
        return self.children(node).tokens

    def child(self, node: FreeNode, token: int) -> FreeNode | None:
        text, condition, depth = node
        after = self._tokens.read_token(condition, token)
        if after < 0 or depth + 1 + self._tokens.count_missing(after) > self._limit:
            return None
        return text + self._tokens.token_bytes[token], after, depth + 1

    def end_moves(
        self,
        node: FreeNode,
        excluded: NDArray[np.int32],  # noqa: ARG002  a free site excludes nothing
    ) -> tuple[Sequence[str], bool]:
        text, condition, depth = node
        return (_read_text(text),) if condition == WORD else (), depth < self._limit

    def find_certain_tokens(self, node: FreeNode) -> tuple[Tokens, FreeNode]:
        """The next token where there is only one, and the node before it."""
        tokens = self.children(node).tokens
        return (int(tokens[0]),) if len(tokens) == 1 else (), node

    def iterate_endings(self, node: FreeNode) -> Iterator[tuple[int, str]]:
        """The nearest texts behind a node, with the tokens that are left to them.

        One more than there are texts apart: so all that end sooner are among them.
        """
        missing = range(1, self._limit - node[2] + 1)
        ends = chain.from_iterable(self._iterate_texts(node, left) for left in missing)
        seen: dict[str, int] = {}
        for text, left in ends:
            if text not in seen:
                seen[text] = left
                yield left, text
            if len(seen) > len(self._apart):
                return

    def _iterate_texts(self, node: FreeNode, left: int) -> Iterator[tuple[str, int]]:
        """The texts that end exactly `left` tokens behind a node, each with that number."""
        level = [node]
        for missing in range(left, 0, -1):
            level = [child for each in level for child in self._list_nearest(each, missing)]
        return ((_read_text(text), left) for text, _, _ in level)

    def _list_nearest(self, node: FreeNode, most: int) -> Iterator[FreeNode]:
        """A few children of a node, of different texts, below which a text ends in `most` tokens,
        this one included."""
        text, _, depth = node
        options, seen = self.children(node), set()
        for at in np.flatnonzero(options.shortest <= most):
            more = self._tokens.token_bytes[int(options.tokens[at])]
            if more not in seen:
                seen.add(more)
                yield text + more, int(options.after[at]), depth + 1
            if len(seen) > len(self._apart):
                return

    def group_alike(
        self, node: FreeNode, tokens: NDArray[np.int32], indices: NDArray[np.intp]
    ) -> Iterator[NDArray[np.intp]]:
        """Groups of some indices of the tokens behind a node: behind the tokens of a group all
        sentences end equally soon, as their texts do. A token that may begin a text apart is a
        group of its own."""
        options = self.children(node)
        shortest = options.shortest[np.searchsorted(options.tokens, tokens[indices])]
        leads_apart = self._mark_leading_apart(node, tokens[indices])
        yield from indices[leads_apart][:, None]
        for size in np.unique(shortest[~leads_apart]):
            yield indices[~leads_apart & (shortest == size)]

    def _mark_leading_apart(self, node: FreeNode, tokens: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Which tokens go on from a node to what a text apart begins with."""
        text = node[0]
        rests = tuple(each[len(text) :] for each in self._apart if each.startswith(text))
        if not rests:
            return np.zeros(len(tokens), np.bool_)
        spelled = map(self._tokens.token_bytes.__getitem__, tokens.tolist())
        begins = (any(rest.startswith(more) for rest in rests) for more in spelled)
        return np.fromiter(begins, np.bool_, len(tokens))


def _read_text(text: bytes) -> str:
    return text.decode().strip(" ")
