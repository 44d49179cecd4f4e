"""Which tokens the requests of an engine's batch may say next: the core under both shells.

A request comes with arguments (`extra_args`, for HTTP clients `vllm_xargs`) and is led by them:

    trellis_language     an encoded language, in base64: what the whole answer has to be
    trellis_budget       tokens that the answer may have (unset: the request's `max_tokens`)
    trellis_mask         bytes of one mask: what the next token has to be (beam search)
    trellis_temperature  what the logits are divided by, before anything else is done to them

A request without them is not touched. Slots are the engine's numbers for its requests: they are
taken, left, moved and swapped as requests join, leave and are preempted.
"""

from __future__ import annotations

import logging
from base64 import b64decode
from binascii import Error as Base64Error
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from trellis.automata.automaton import Configuration
from trellis.automata.masks import Mask, pack
from trellis.automata.vocabulary import Vocabulary
from trellis.decoding.cursor import Automaton
from trellis.domain.errors import CodecError, InputError, TrellisError

log = logging.getLogger(__name__)

LANGUAGE = "trellis_language"
BUDGET = "trellis_budget"
MASK = "trellis_mask"
TEMPERATURE = "trellis_temperature"

_OURS = frozenset({LANGUAGE, BUDGET, MASK, TEMPERATURE})

Opened = Callable[[bytes], Automaton]
"""The automaton of an encoded language."""


class Lead(Protocol):
    """What leads one request."""

    def mask(self, said: Sequence[int]) -> Mask:
        """The tokens that may follow `said`, the request's own tokens so far."""
        ...


@dataclass(frozen=True, slots=True)
class Fixed:
    """One mask, whatever was said: for requests of one token."""

    allowed: Mask

    def mask(self, said: Sequence[int]) -> Mask:  # noqa: ARG002  the same, whatever was said
        return self.allowed


class Led:
    """A request inside a language, from its first token to the one that ends it."""

    def __init__(self, automaton: Automaton, budget: int) -> None:
        self._automaton = automaton
        self._budget = budget
        self._state: Configuration[Any] | None = automaton.start()
        self._read = 0

    def mask(self, said: Sequence[int]) -> Mask:
        if len(said) < self._read:  # the engine took tokens back
            self._state, self._read = self._automaton.start(), 0
        for token in said[self._read :]:
            self._state = self._automaton.advance(self._state, token)
            self._read += 1
        return self._mask

    @property
    def _mask(self) -> Mask:
        """An answer that left its language (it was ended, or forced by others) can only end."""
        automaton, vocabulary = self._automaton, self._automaton.vocabulary
        allowed = automaton.within(self._state, self._budget - self._read)
        if automaton.accepting(self._state) or not len(allowed):
            allowed = np.concatenate((allowed, ends_of(vocabulary)))
        return pack(allowed, vocabulary.size)


@dataclass(frozen=True, slots=True)
class Arguments:
    """What a request says of itself: an encoded language or a mask, and how it is led."""

    what: bytes | Fixed
    budget: int | None
    temperature: float


@dataclass(frozen=True, slots=True)
class Request:
    """A request that is led: by what, and its temperature."""

    lead: Lead
    temperature: float


class Slots:
    """The requests of a batch that are led, by slot."""

    def __init__(self, vocabulary: Vocabulary, opened: Opened) -> None:
        self._vocabulary = vocabulary
        self._opened = opened
        self._requests: dict[int, Request] = {}

    def __bool__(self) -> bool:
        return bool(self._requests)

    def __contains__(self, slot: int) -> bool:
        return slot in self._requests

    def take(self, slot: int, arguments: Mapping[str, Any] | None, most: int | None) -> bool:
        """A request takes a slot, whatever was there; whether it is led. `most`: its tokens.

        An engine cannot refuse any more: a request that was admitted and is unusable all the same
        (its language has no sentence so short) can only end.
        """
        self.leave(slot)
        led = checked(arguments)
        if led is None:
            return False
        try:
            lead = self._lead(led, most)
        except TrellisError as error:
            log.warning("a request is ended at once: %s", error)
            lead = Fixed(pack(ends_of(self._vocabulary), self._vocabulary.size))
        self.hold(slot, Request(lead, led.temperature))
        return True

    def hold(self, slot: int, request: Request) -> None:
        """Lead whatever is in a slot."""
        self._requests[slot] = request

    def _lead(self, led: Arguments, most: int | None) -> Lead:
        if isinstance(led.what, Fixed):
            return led.what
        budget = led.budget or most or 0
        automaton = self._opened(led.what)
        if not len(automaton.within(automaton.start(), budget)):
            raise InputError(f"no sentence of the language fits {budget} tokens", "allow more")
        return Led(automaton, budget)

    def leave(self, slot: int) -> None:
        self._requests.pop(slot, None)

    def move(self, source: int, target: int) -> None:
        """The request in `source` takes `target`, whatever was there."""
        self.leave(target)
        if source in self._requests:
            self._requests[target] = self._requests.pop(source)

    def swap(self, one: int, other: int) -> None:
        first, second = self._requests.pop(one, None), self._requests.pop(other, None)
        for slot, request in ((other, first), (one, second)):
            if request is not None:
                self._requests[slot] = request

    def slots(self) -> list[int]:
        """The slots of the requests that are led, ascending."""
        return sorted(self._requests)

    def temperature(self, slot: int) -> float:
        return self._requests[slot].temperature

    def fill(self, slot: int, said: Sequence[int], row: Mask) -> None:
        """Write what a request may say next, after `said`, into a row of int32 words.

        Words of the row beyond the vocabulary allow nothing.
        """
        mask = self._requests[slot].lead.mask(said)
        size = min(len(mask), len(row))
        row[:size] = mask[:size]
        row[size:] = 0


def checked(arguments: Mapping[str, Any] | None) -> Arguments | None:
    """What leads a request, as it says itself; None: nothing does.

    Raises InputError or CodecError where the arguments mean nothing.
    """
    if not arguments or _OURS.isdisjoint(arguments):
        return None
    temperature = arguments.get(TEMPERATURE, 1.0)
    if not isinstance(temperature, float | int) or not 0 < temperature < inf:
        raise InputError(f"{TEMPERATURE} is {temperature!r}", "it has to be a number above 0")
    budget = arguments.get(BUDGET)
    if budget is not None and (not isinstance(budget, int) or budget < 1):
        raise InputError(f"{BUDGET} is {budget!r}", "it has to be a whole number of tokens")
    return Arguments(_what(arguments), budget, float(temperature))


def _what(arguments: Mapping[str, Any]) -> bytes | Fixed:
    if (LANGUAGE in arguments) == (MASK in arguments):
        raise InputError("a request is led by a language or by a mask", f"give {LANGUAGE}")
    if MASK not in arguments:
        return _decoded(arguments[LANGUAGE])
    mask = arguments[MASK]
    if not isinstance(mask, bytes) or len(mask) % 4:
        raise InputError(f"{MASK} is no mask", f"give {LANGUAGE}")
    return Fixed(np.frombuffer(mask, np.int32))


def _decoded(given: object) -> bytes:
    try:
        return b64decode(given, validate=True)  # type: ignore[arg-type]
    except (Base64Error, TypeError, ValueError) as error:
        raise CodecError(f"{LANGUAGE} is not base64 ({error})") from error


def ends_of(vocabulary: Vocabulary) -> NDArray[np.int32]:
    """The ids that end a text, ascending."""
    return np.array(sorted(vocabulary.ends), np.int32)
