"""The cost of the masks of an engine's batch: the worker's core, without an engine.

Every request of a batch writes a random sentence of one language, token by token. A row is one mask
of one request: its last token is read, and its int32 words are filled in. `warm`: the same
sentences again.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
from tokenizers import Tokenizer

from trellis.automata.adjacency import around
from trellis.automata.automaton import TokenAutomaton
from trellis.automata.masks import words
from trellis.automata.vocabulary import TokenizerVocabulary, Tokens
from trellis.automata.walks import Start, Walks
from trellis.evaluation.benchmark.figure import Figure
from trellis.evaluation.benchmark.graphs import hub
from trellis.worker.slots import Led, Request, Slots

_BATCHES = (1, 16, 64, 256)
_SIZE = 49_152  # token ids, as of a model of ordinary size
_BUDGET = 256
_SENTENCES = 256


def figures(tokenizer: Tokenizer, ends: frozenset[int]) -> Iterator[Figure]:
    """Microseconds for each row, by the sizes of the language and of the batch."""
    vocabulary = TokenizerVocabulary(tokenizer, ends, _SIZE)
    for degree in (10, 100, 1_000, 10_000, 100_000):
        graph = around(hub(degree, 10), [0], 2)
        start = Start(" ENT1", tuple(graph.anchors.tolist()))
        language = Walks(graph, [start], hops=2, revisit="any", rendering="full")
        automaton = TokenAutomaton(language, vocabulary)
        sentences = [_sentence(automaton, Random(seed)) for seed in range(_SENTENCES)]
        warm = ", ".join(f"{_row(automaton, sentences, batch):.1f}" for batch in _BATCHES)
        yield Figure(
            f"masks of a batch of {', '.join(map(str, _BATCHES))}, {10 * degree:,} paths",
            f"{warm} µs a row, warm",
        )


def _row(automaton: TokenAutomaton[Any, Any], said: list[Tokens], batch: int) -> float:
    """Microseconds for each row of all sentences in batches of one size, in the third round."""
    for _ in range(3):
        rows, seconds = 0, 0.0
        for first in range(0, len(said), batch):
            done, taken = _batch(automaton, said[first : first + batch])
            rows, seconds = rows + done, seconds + taken
    return 1e6 * seconds / rows


def _batch(automaton: TokenAutomaton[Any, Any], said: list[Tokens]) -> tuple[int, float]:
    """Fill the rows of some requests at once; returns their number and the seconds."""
    slots = Slots(automaton.vocabulary, lambda _: automaton)
    for slot in range(len(said)):
        slots.hold(slot, Request(Led(automaton, _BUDGET), 1.0))
    masks = np.zeros((len(said), words(_SIZE)), np.int32)
    rows, seconds = 0, 0.0
    for length in range(max(map(len, said))):
        running = [
            (slot, list(tokens[:length]))
            for slot, tokens in enumerate(said)
            if length < len(tokens)
        ]
        began = time.perf_counter()
        for slot, tokens in running:
            slots.fill(slot, tokens, masks[slot])
        seconds += time.perf_counter() - began
        rows += len(running)
    return rows, seconds


def _sentence(automaton: TokenAutomaton[Any, Any], random: Random) -> Tokens:
    """The tokens of a random sentence."""
    state, tokens, left = automaton.start(), list[int](), _BUDGET
    while len(allowed := automaton.within(state, left)):
        token = int(random.choice(allowed.tolist()))
        after = automaton.advance(state, token)
        assert after is not None
        state, left = after, left - 1
        tokens.append(token)
    return tuple(tokens)
