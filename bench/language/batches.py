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

from bench.figure import Figure
from bench.made.graphs import make_hub_graph
from trellis.automata.paths.adjacency import cut_neighbourhood
from trellis.automata.paths.walks import Start, Walks
from trellis.automata.tokens.automaton import TokenAutomaton
from trellis.automata.tokens.masks import count_words
from trellis.automata.tokens.vocabulary import TokenizerVocabulary, Tokens
from trellis.worker.slots import ConstrainedRequest, LanguageConstraint, Slots

_BATCHES = (1, 16, 64, 256)
_SIZE = 49_152  # token ids, as of a model of ordinary size
_BUDGET = 256
_SENTENCES = 256


def measure_batches(tokenizer: Tokenizer, ends: frozenset[int]) -> Iterator[Figure]:
    """Microseconds for each row, by the sizes of the language and of the batch."""
    vocabulary = TokenizerVocabulary(tokenizer, ends, _SIZE)
    for degree in (10, 100, 1_000, 10_000, 100_000):
        graph = cut_neighbourhood(make_hub_graph(degree, 10), [0], 2)
        start = Start(" ENT1", tuple(graph.anchors.tolist()))
        language = Walks(graph, [start], hops=2, revisit="any", rendering="full")
        automaton = TokenAutomaton(language, vocabulary)
        sentences = [_make_random_sentence(automaton, Random(seed)) for seed in range(_SENTENCES)]
        warm = ", ".join(f"{_measure_row(automaton, sentences, batch):.1f}" for batch in _BATCHES)
        yield Figure(
            f"masks of a batch of {', '.join(map(str, _BATCHES))}, {10 * degree:,} paths",
            f"{warm} µs a row, warm",
        )


def _measure_row(automaton: TokenAutomaton[Any, Any], sentences: list[Tokens], batch: int) -> float:
    """Microseconds for each row of all sentences in batches of one size, in the third round."""
    for _ in range(3):
        rows, seconds = 0, 0.0
        for first in range(0, len(sentences), batch):
            done, taken = _fill_batch(automaton, sentences[first : first + batch])
            rows, seconds = rows + done, seconds + taken
    return 1e6 * seconds / rows


def _fill_batch(automaton: TokenAutomaton[Any, Any], sentences: list[Tokens]) -> tuple[int, float]:
    """Fill the rows of some requests at once; returns their number and the processor's seconds."""
    slots = Slots(automaton.vocabulary, lambda _: automaton)
    for slot in range(len(sentences)):
        slots.hold_request(slot, ConstrainedRequest(LanguageConstraint(automaton, _BUDGET), 1.0))
    masks = np.zeros((len(sentences), count_words(_SIZE)), np.int32)
    rows, seconds = 0, 0.0
    for length in range(max(map(len, sentences))):
        running = [
            (slot, list(tokens[:length]))
            for slot, tokens in enumerate(sentences)
            if length < len(tokens)
        ]
        began = time.thread_time()
        for slot, tokens in running:
            slots.fill_mask(slot, tokens, masks[slot])
        seconds += time.thread_time() - began
        rows += len(running)
    return rows, seconds


def _make_random_sentence(automaton: TokenAutomaton[Any, Any], random: Random) -> Tokens:
    """The tokens of a random sentence."""
    state, tokens, left = automaton.start(), list[int](), _BUDGET
    while len(allowed := automaton.allowed_within(state, left)):
        token = int(random.choice(allowed.tolist()))
        after = automaton.advance(state, token)
        assert after is not None
        state, left = after, left - 1
        tokens.append(token)
    return tuple(tokens)
