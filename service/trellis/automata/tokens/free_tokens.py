"""The tokens that free text consists of, for one vocabulary and one set of stop characters.

Free text is words with one space between two of them. What may come next depends on how the text so
far ends, which is its condition:

    WORD    in or behind a word: the text may end here
    GAP     behind a space: a word has to begin
    others  spaces that the tokenizer puts before a text are still to come, or a character has begun
            of which bytes are missing

All that is computed is kept, so a vocabulary is read through once.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count

import numpy as np
from numpy.typing import NDArray

WORD, GAP, REFUSED = 0, 1, -1

NEVER = sys.maxsize // 2
"""The tokens that are missing where no number of them is enough."""

LONGEST_TOKEN = 32
"""The most characters of a token in free text; longer ones are rows of one sign."""

_BLANKS = "".join(c for c in map(chr, range(0x3001)) if c.isspace() and c != " ")
_CONTROLS = "\x00-\x1f\x7f-\x9f\ud800-\udfff"


@dataclass(frozen=True, eq=False)
class FreeOptions:
    """The n tokens that go on from a condition, ascending.

    `shortest`: the fewest tokens from that condition to an end of the text, this token included.
    `after`: the condition behind each.
    """

    tokens: NDArray[np.int32]
    shortest: NDArray[np.int32]
    after: NDArray[np.int32]

    @cached_property
    def largest_shortest(self) -> int:
        """The largest of `shortest`."""
        return int(self.shortest.max(initial=0))

    def list_remaining_tokens(self, excluded: NDArray[np.int32]) -> NDArray[np.int32]:  # noqa: ARG002
        """The tokens; a free site excludes nothing."""
        return self.tokens

    def select_fitting(self, most: int) -> FreeOptions:
        """The options with which the text can end in at most `most` tokens."""
        fits = self.shortest <= most
        return FreeOptions(self.tokens[fits], self.shortest[fits], self.after[fits])


class FreeTokens:
    """Reads tokens as free text; `token_bytes`: of each token, empty where it is no text."""

    def __init__(self, token_bytes: Sequence[bytes], stop: frozenset[str]) -> None:
        self.token_bytes = token_bytes
        signs = "".join(map(re.escape, sorted(stop)))
        self._refused = re.compile(f"[{_CONTROLS}{_BLANKS}{signs}]|  ")
        self._keys = [b"", b""]  # by condition: the spaces still to come, or the bytes begun
        self._conditions: dict[bytes, int] = {b"": GAP}
        self._left = {WORD: 0}
        self._options: dict[tuple[int, int], FreeOptions] = {}

    def open_text(self, spaces: int) -> int:
        """The condition at the start of a text before which the tokenizer puts some spaces."""
        return self._name_condition(b" " * spaces)

    def expects_space(self, condition: int) -> bool:
        """Whether only a space can come next."""
        return self._keys[condition].startswith(b" ")

    def read_token(self, condition: int, token: int) -> int:
        """The condition after one more token; REFUSED where no text goes on so."""
        if not 0 <= token < len(self.token_bytes):
            return REFUSED
        after = self._read_bytes(condition, self.token_bytes[token])
        return after if after != REFUSED and self.count_missing(after) < NEVER else REFUSED

    def count_missing(self, condition: int) -> int:
        """The fewest tokens after which the text may end; NEVER where it cannot."""
        left = self._left.get(condition)
        if left is None:
            left = self._left[condition] = self._search_end(condition)
        return left

    def list_options(self, condition: int, most: int) -> FreeOptions:
        """The tokens that go on, and with which the text can end in at most `most` tokens."""
        options = self._options.get((condition, NEVER))
        if options is None:
            options = self._options[condition, NEVER] = self._read_options(condition)
        if options.largest_shortest <= most:
            return options
        fitting = self._options.get((condition, most))
        if fitting is None:
            fitting = self._options[condition, most] = options.select_fitting(most)
        return fitting

    def _search_end(self, condition: int) -> int:
        seen, level = {condition}, [condition]
        for length in count(1):
            reached = set()
            for _, after in (step for each in level for step in self._iterate_steps(each)):
                if after == WORD:
                    return length
                reached.add(after)
            level = list(reached - seen)
            seen |= reached
            if not level:
                break
        return NEVER

    def _read_options(self, condition: int) -> FreeOptions:
        steps = np.array([*self._iterate_steps(condition)], np.int32).reshape(-1, 2)
        missing = {after: self.count_missing(after) for after in np.unique(steps[:, 1]).tolist()}
        left = np.array([min(missing[after], NEVER) for after in steps[:, 1].tolist()], np.int64)
        order = np.flatnonzero(left < NEVER)
        order = order[np.argsort(steps[order, 0], kind="stable")]
        shortest = (left[order] + 1).astype(np.int32)
        return FreeOptions(steps[order, 0], shortest, steps[order, 1])

    def _iterate_steps(self, condition: int) -> Iterator[tuple[int, int]]:
        """Each token that a text goes on with, and the condition after it, which may be a dead
        end."""
        for token in self._list_candidates(condition):
            after = self._read_bytes(condition, self.token_bytes[token])
            if after != REFUSED:
                yield token, after

    def _read_bytes(self, condition: int, more: bytes) -> int:
        """The condition after some more bytes."""
        key = self._keys[condition]
        begun = b"" if self.expects_space(condition) else key
        whole, rest = split_characters(begun + more)
        try:
            text = whole.decode()
        except UnicodeDecodeError:
            return REFUSED
        if not more or len(text) > LONGEST_TOKEN:
            return REFUSED
        if condition != WORD and not begun:
            words = text.lstrip(" ")
            owed = len(key) - len(text) + len(words)
            if owed < 0 or (owed and (words or rest)):
                return REFUSED
            if not words and not rest:
                return self._name_condition(b" " * owed)
            text = words
        if self._refused.search(text) or (rest and not _can_begin_character(rest)):
            return REFUSED
        if rest:
            return self._name_condition(rest)
        return GAP if text.endswith(" ") else WORD

    def _name_condition(self, key: bytes) -> int:
        condition = self._conditions.setdefault(key, len(self._keys))
        if condition == len(self._keys):
            self._keys.append(key)
        return condition

    def _list_candidates(self, condition: int) -> Iterable[int]:
        """The tokens that may go on from a condition, by their first bytes."""
        key = self._keys[condition]
        if condition == WORD:
            return self._spaced + self._plain
        if not key:
            return self._plain
        if self.expects_space(condition):
            return self._spaced
        missing = measure_character(key[0]) - len(key)
        return [token for size in range(1, missing + 1) for token in self._tails.get(size, ())]

    @cached_property
    def _spaced(self) -> list[int]:
        """The tokens that begin with a space."""
        return [token for token, each in enumerate(self.token_bytes) if each[:1] == b" "]

    @cached_property
    def _plain(self) -> list[int]:
        """The tokens that begin with another character."""
        pairs = enumerate(self.token_bytes)
        return [t for t, each in pairs if each and each[0] != 0x20 and not _continues(each[0])]

    @cached_property
    def _tails(self) -> dict[int, list[int]]:
        """The tokens that begin inside a character, by the number of its bytes that they have."""
        tails: dict[int, list[int]] = {}
        for token, each in enumerate(self.token_bytes):
            size = next((at for at, byte in enumerate(each) if not _continues(byte)), len(each))
            if size:
                tails.setdefault(size, []).append(token)
        return tails


def split_characters(data: bytes) -> tuple[bytes, bytes]:
    """The whole characters of some UTF-8, and the bytes of one that is not whole behind them."""
    for back in range(1, min(4, len(data) + 1)):
        byte = data[-back]
        if not _continues(byte):
            whole = len(data) - back if measure_character(byte) > back else len(data)
            return data[:whole], data[whole:]
    return data, b""


def measure_character(first: int) -> int:
    """The bytes of a character in UTF-8, by its first one; 1 where that begins none."""
    if first < 0xC2 or first > 0xF4:
        return 1
    return 2 if first < 0xE0 else 3 if first < 0xF0 else 4


def _continues(byte: int) -> bool:
    return 0x80 <= byte < 0xC0


def _can_begin_character(begun: bytes) -> bool:
    """Whether there is a character, surrogates aside, that begins with these bytes."""
    lows = {0xE0: 0xA0, 0xF0: 0x90}
    highs = {0xED: 0x9F, 0xF4: 0x8F}
    if len(begun) == 1:
        return True
    first, second = begun[0], begun[1]
    return lows.get(first, 0x80) <= second <= highs.get(first, 0xBF)
