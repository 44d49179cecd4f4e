"""The languages that a worker holds, by content hash; the least recently used are dropped first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cachetools import LRUCache

from trellis.automata.chains.language import ChainLanguage
from trellis.automata.chains.pausing import PausingLanguage, pause_after
from trellis.automata.codec import decode_language, language_hash
from trellis.automata.codec.chains import extend_decoded
from trellis.automata.tokens.automaton import TokenAutomaton
from trellis.automata.tokens.tries import SiteTries
from trellis.automata.tokens.vocabulary import Vocabulary
from trellis.decoding.cursor import Automaton
from trellis.domain.errors import InputError, TooLargeError, TrellisError, UnknownLanguageError
from trellis.models.folder import read_vocabulary
from trellis.worker.slots import Slots, parse_arguments

LARGEST = 1 << 23
"""The default limit on the bytes of one encoded language."""

HeldLanguage = tuple[str, Automaton, bytes]
"""A language's hash, its automaton, and its encoded bytes."""

_TIMES = 16
"""The memory that a language takes is about so many times its encoded bytes."""


class LanguageCache:
    """A cache of languages, joined to one vocabulary. Not for several threads at once.

    `size_limit`: the most bytes of one encoded language. `cache_bytes`: the most bytes of memory of
    them all.
    """

    def __init__(
        self, vocabulary: Vocabulary, size_limit: int = LARGEST, cache_bytes: int = 1 << 29
    ) -> None:
        self._vocabulary = vocabulary
        self._size_limit = size_limit
        self._tries = SiteTries()
        self._held: LRUCache[str, HeldLanguage] = LRUCache(
            cache_bytes, lambda held: _TIMES * len(held[2]) + 4_096
        )

    def open_automaton(self, data: bytes) -> Automaton:
        """The automaton of an encoded language, which the cache then holds.

        Raises CodecError for bytes that encode no language, TooLargeError for too many bytes.
        """
        return self.put_language(data)[1]

    def put_language(self, data: bytes) -> HeldLanguage:
        """As `open_automaton`, but gives the hash and bytes of the language too."""
        if len(data) > self._size_limit:
            raise TooLargeError(
                f"a language of {len(data):,} bytes", f"at most {self._size_limit:,} are taken"
            )
        name = language_hash(data)
        held = self._held.get(name)
        if held is None:
            language = decode_language(data)
            held = name, TokenAutomaton(language, self._vocabulary, self._tries), data
            if self._held.getsizeof(held) <= self._held.maxsize:
                self._held[name] = held
        return held

    def grow_automaton(
        self, automaton: Automaton, growth: Sequence[bytes], parts: int
    ) -> Automaton:
        """The automaton of a language with what it has grown by, whose sentences stop after `parts`
        parts; it belongs to one request, and is not kept.

        Raises CodecError for a growth that does not fit the language, InputError for a language
        that does not grow, TooLargeError for too many bytes.
        """
        size = sum(map(len, growth))
        if size > self._size_limit:
            raise TooLargeError(f"a growth of {size:,} bytes", f"at most {self._size_limit:,}")
        language: Any = automaton.language
        if not isinstance(language, ChainLanguage):
            raise InputError("this language does not grow", "send no growth, and no parts")
        for each in growth:
            language = extend_decoded(language, each)
        pausing: PausingLanguage[Any, Any] = pause_after(language, parts)
        return TokenAutomaton(pausing, self._vocabulary, self._tries)

    def get_language(self, name: str) -> HeldLanguage:
        """The language of that hash; raises UnknownLanguageError where it is not held."""
        held = self._held.get(name)
        if held is None:
            raise UnknownLanguageError(f"no language {name} is held here", "send its bytes")
        return held


def create_slots(folder: str) -> tuple[Slots, Vocabulary]:
    """An engine's slots, and the vocabulary of the model that it runs."""
    vocabulary = read_vocabulary(Path(folder))
    return Slots(vocabulary, LanguageCache(vocabulary).open_automaton), vocabulary


def admit_request(arguments: Mapping[str, Any] | None) -> None:
    """Raise ValueError, which the server answers with 400, for arguments that cannot be used."""
    try:
        led = parse_arguments(arguments)
        if led is not None and isinstance(led.source, bytes):
            decode_language(led.source)
    except TrellisError as error:
        raise ValueError(str(error)) from error
