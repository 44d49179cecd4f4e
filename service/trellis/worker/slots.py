"""The tokens that requests of an engine's batch may generate next: the core of both processors.

A request is constrained by its arguments (`extra_args`, for HTTP clients `vllm_xargs`):

    trellis_language     an encoded language in base64, which the whole answer has to be in
    trellis_budget       the most tokens of the answer (default: the request's `max_tokens`)
    trellis_mask         the bytes of one mask, for the only token of the answer (beam search)
    trellis_alphabet     the bytes of a second mask beside `trellis_mask`: the tokens of whose
                         probability the first one's share is told (`masking`); empty: of all
    trellis_temperature  the number that the logits are divided by, before anything else

A request without these is left alone. Slots are the engine's numbers for its requests; requests
take, leave, move and swap them as they join, leave and are preempted.
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

from trellis.automata.tokens.endings import Configuration
from trellis.automata.tokens.masks import Mask, pack_mask
from trellis.automata.tokens.vocabulary import Vocabulary
from trellis.decoding.cursor import Automaton
from trellis.domain.errors import CodecError, InputError, TrellisError

log = logging.getLogger(__name__)

LANGUAGE = "trellis_language"
BUDGET = "trellis_budget"
MASK = "trellis_mask"
TEMPERATURE = "trellis_temperature"
ALPHABET = "trellis_alphabet"

_OURS = frozenset({LANGUAGE, BUDGET, MASK, TEMPERATURE, ALPHABET})

OpenAutomaton = Callable[[bytes], Automaton]
"""Gives the automaton of an encoded language."""


class Constraint(Protocol):
    """The constraint on one request."""

    def allowed_mask(self, tokens: Sequence[int]) -> Mask:
        """The mask of what may follow `tokens`, which the request generated."""
        ...


@dataclass(frozen=True, slots=True)
class FixedMask:
    """A constraint with one mask, whatever was generated: for requests of one token.

    `alphabet`: the tokens of whose probability the mask's share is told; None: it is not told.
    """

    allowed: Mask
    alphabet: Mask | None = None

    def allowed_mask(self, tokens: Sequence[int]) -> Mask:  # noqa: ARG002  the mask is always the same
        return self.allowed


class LanguageConstraint:
    """The constraint to stay inside a language, from the first token to the one that ends it."""

    def __init__(self, automaton: Automaton, budget: int) -> None:
        self._automaton = automaton
        self._budget = budget
        self._state: Configuration[Any] | None = automaton.start()
        self._tokens_read = 0

    def allowed_mask(self, tokens: Sequence[int]) -> Mask:
        """As of any constraint. An answer that has left its language, because something else ended
        or forced it, can only end."""
        automaton, vocabulary = self._automaton, self._automaton.vocabulary
        if len(tokens) < self._tokens_read:  # the engine took tokens back
            self._state, self._tokens_read = automaton.start(), 0
        for token in tokens[self._tokens_read :]:
            self._state = automaton.advance(self._state, token)
            self._tokens_read += 1
        allowed = automaton.allowed_within(self._state, self._budget - self._tokens_read)
        if automaton.accepting(self._state) or not len(allowed):
            allowed = np.concatenate((allowed, list_end_tokens(vocabulary)))
        return pack_mask(allowed, vocabulary.size)


@dataclass(frozen=True, slots=True)
class ConstraintArguments:
    """The parsed arguments of a request: an encoded language or a mask, budget and temperature."""

    source: bytes | FixedMask
    budget: int | None
    temperature: float


@dataclass(frozen=True, slots=True)
class ConstrainedRequest:
    """A constrained request: its constraint and its temperature."""

    constraint: Constraint
    temperature: float


class Slots:
    """The constrained requests of a batch, by slot."""

    def __init__(self, vocabulary: Vocabulary, open_automaton: OpenAutomaton) -> None:
        self._vocabulary = vocabulary
        self._open_automaton = open_automaton
        self._requests: dict[int, ConstrainedRequest] = {}

    def __bool__(self) -> bool:
        return bool(self._requests)

    def __contains__(self, slot: int) -> bool:
        return slot in self._requests

    def take_slot(
        self, slot: int, arguments: Mapping[str, Any] | None, max_tokens: int | None
    ) -> bool:
        """Give a slot to a request, whatever was in it; gives whether the request is constrained.

        `max_tokens`: the request's `max_tokens`. The engine can no longer refuse a request. So one
        that was admitted but cannot be used, as its language has no sentence so short, can only
        end.
        """
        self.leave_slot(slot)
        led = parse_arguments(arguments)
        if led is None:
            return False
        try:
            lead = self._create_constraint(led, max_tokens)
        except TrellisError as error:
            log.warning("a request is ended at once: %s", error)
            lead = FixedMask(pack_mask(list_end_tokens(self._vocabulary), self._vocabulary.size))
        self.hold_request(slot, ConstrainedRequest(lead, led.temperature))
        return True

    def hold_request(self, slot: int, request: ConstrainedRequest) -> None:
        """Constrain the request in a slot."""
        self._requests[slot] = request

    def _create_constraint(
        self, arguments: ConstraintArguments, max_tokens: int | None
    ) -> Constraint:
        if isinstance(arguments.source, FixedMask):
            return arguments.source
        budget = arguments.budget or max_tokens or 0
        automaton = self._open_automaton(arguments.source)
        if not len(automaton.allowed_within(automaton.start(), budget)):
            raise InputError(f"no sentence of the language fits {budget} tokens", "allow more")
        return LanguageConstraint(automaton, budget)

    def leave_slot(self, slot: int) -> None:
        self._requests.pop(slot, None)

    def move_request(self, source: int, target: int) -> None:
        """Move the request in slot `source` to `target`, whatever was in it."""
        self.leave_slot(target)
        if source in self._requests:
            self._requests[target] = self._requests.pop(source)

    def swap_requests(self, one: int, other: int) -> None:
        first, second = self._requests.pop(one, None), self._requests.pop(other, None)
        for slot, request in ((other, first), (one, second)):
            if request is not None:
                self._requests[slot] = request

    def list_slots(self) -> list[int]:
        """The slots of the constrained requests, ascending."""
        return sorted(self._requests)

    def temperature_of(self, slot: int) -> float:
        return self._requests[slot].temperature

    def alphabet_of(self, slot: int) -> Mask | None:
        """The tokens of whose probability the mask's share is told; None: it is not told."""
        constraint = self._requests[slot].constraint
        return constraint.alphabet if isinstance(constraint, FixedMask) else None

    def fill_mask(self, slot: int, tokens: Sequence[int], row: Mask) -> None:
        """Write the mask of what a request may generate after `tokens` into a row of int32 words.

        Words of the row beyond the vocabulary allow nothing.
        """
        mask = self._requests[slot].constraint.allowed_mask(tokens)
        size = min(len(mask), len(row))
        row[:size] = mask[:size]
        row[size:] = 0


def parse_arguments(arguments: Mapping[str, Any] | None) -> ConstraintArguments | None:
    """The parsed arguments of a request; None where none of them constrains it.

    Raises InputError or CodecError where an argument is invalid.
    """
    if not arguments or _OURS.isdisjoint(arguments):
        return None
    temperature = arguments.get(TEMPERATURE, 1.0)
    if not isinstance(temperature, float | int) or not 0 < temperature < inf:
        raise InputError(f"{TEMPERATURE} is {temperature!r}", "it has to be a number above 0")
    budget = arguments.get(BUDGET)
    if budget is not None and (not isinstance(budget, int) or budget < 1):
        raise InputError(f"{BUDGET} is {budget!r}", "it has to be a whole number of tokens")
    return ConstraintArguments(_parse_source(arguments), budget, float(temperature))


def _parse_source(arguments: Mapping[str, Any]) -> bytes | FixedMask:
    if (LANGUAGE in arguments) == (MASK in arguments):
        raise InputError("a request is led by a language or by a mask", f"give {LANGUAGE}")
    if MASK not in arguments:
        return _decode_base64(arguments[LANGUAGE])
    mask, alphabet = arguments[MASK], arguments.get(ALPHABET)
    for given in (mask, alphabet or b""):
        if not isinstance(given, bytes) or len(given) % 4:
            raise InputError(f"{MASK} is no mask", f"give {LANGUAGE}")
    told = None if alphabet is None else np.frombuffer(alphabet, np.int32)
    return FixedMask(np.frombuffer(mask, np.int32), told)


def _decode_base64(text: object) -> bytes:
    try:
        return b64decode(text, validate=True)  # type: ignore[arg-type]
    except (Base64Error, TypeError, ValueError) as error:
        raise CodecError(f"{LANGUAGE} is not base64 ({error})") from error


def list_end_tokens(vocabulary: Vocabulary) -> NDArray[np.int32]:
    """The ids that end a text, ascending."""
    return np.array(sorted(vocabulary.ends), np.int32)
