"""The languages that a worker holds, by content hash: the least recently used go first."""

from __future__ import annotations

from pathlib import Path

from cachetools import LRUCache

from trellis.automata.automaton import TokenAutomaton
from trellis.automata.codec import decode_language, language_hash
from trellis.automata.tries import SiteTries
from trellis.automata.vocabulary import Vocabulary
from trellis.decoding.cursor import Automaton
from trellis.domain.errors import TooLargeError, UnknownLanguageError
from trellis.models.folder import read_vocabulary
from trellis.worker.slots import Slots

LARGEST = 1 << 23
"""Bytes that one encoded language may have, unless told otherwise."""

Held = tuple[str, Automaton, bytes]
"""A language's hash, its automaton, and its bytes as they came."""

_TIMES = 16
"""A language in memory takes about so many times its encoded bytes."""


class Languages:
    """Decoded languages, joined to one vocabulary. Not for several threads at once.

    `most`: bytes that one encoded language may have; `kept`: bytes that all together may take.
    """

    def __init__(self, vocabulary: Vocabulary, most: int = LARGEST, kept: int = 1 << 29) -> None:
        self._vocabulary = vocabulary
        self._most = most
        self._tries = SiteTries()
        self._held: LRUCache[str, Held] = LRUCache(kept, lambda held: _TIMES * len(held[2]) + 4_096)

    def opened(self, data: bytes) -> Automaton:
        """The automaton of an encoded language, which is held from now on.

        Raises CodecError for bytes that are no language, TooLargeError for too many.
        """
        return self.put(data)[1]

    def put(self, data: bytes) -> Held:
        """As `opened`, with the hash that names it."""
        if len(data) > self._most:
            raise TooLargeError(
                f"a language of {len(data):,} bytes", f"at most {self._most:,} are taken"
            )
        name = language_hash(data)
        held = self._held.get(name)
        if held is None:
            language = decode_language(data)
            held = name, TokenAutomaton(language, self._vocabulary, self._tries), data
            if self._held.getsizeof(held) <= self._held.maxsize:
                self._held[name] = held
        return held

    def get(self, name: str) -> Held:
        """The language of that hash; raises UnknownLanguageError where it is not held."""
        held = self._held.get(name)
        if held is None:
            raise UnknownLanguageError(f"no language {name} is held here", "send its bytes")
        return held


def slots_of(folder: str) -> tuple[Slots, Vocabulary]:
    """An engine's slots, and the vocabulary of the model that it runs."""
    vocabulary = read_vocabulary(Path(folder))
    return Slots(vocabulary, Languages(vocabulary).opened), vocabulary
