"""Small real models, and sentences scored by the book: full readings, one option at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np
import torch
from transformers import LlamaConfig, LlamaForCausalLM

from trellis.automata.tokens.automaton import TokenAutomaton
from trellis.automata.tokens.vocabulary import TokenizerVocabulary
from trellis.decoding.cursor import END, Cursor, open_cursor
from unit.automata.kinds import vocabulary
from unit.automata.test_laws import language, sentences
from unit.automata.worlds import World, random_world

Tokens = tuple[int, ...]

PROMPTS = ("Question: who?\nPath:", "Question: what is the r of ENT1 ?\nPath:", "x")


class Rereading:
    """A scorer without a memory: it reads every text from its beginning, and alone."""

    def __init__(self) -> None:
        self.rows: list[Tokens] = []
        self.after = cache(self.read_text)

    def begin(self, prompts: Sequence[Tokens]) -> None:
        self.rows = [tuple(prompt) for prompt in prompts]

    def extend(self, parents: Sequence[int], tokens: Sequence[Tokens]) -> None:
        assert all(tokens), "a row that grows gets a token"
        self.begin([self.rows[i] + new for i, new in zip(parents, tokens, strict=True)])

    def read_logits(self, rows: np.ndarray, tokens: np.ndarray) -> np.ndarray:
        return np.stack([self.after(row) for row in self.rows])[rows, tokens]

    def measure_mass(
        self, rows: np.ndarray, tokens: np.ndarray | None, temperature: float
    ) -> np.ndarray:
        asked_rows = [self.rows[row] for row in rows.tolist()]
        logits = np.stack([self.after(row) for row in asked_rows]).astype(np.float64)
        asked = (logits if tokens is None else logits[:, tokens]) / temperature
        peaks = asked.max(axis=1)
        return peaks + np.log(np.exp(asked - peaks[:, None]).sum(axis=1))

    def read_text(self, text: Tokens) -> np.ndarray:
        """The logits [vocabulary] after a text."""
        with torch.inference_mode():
            return model()(torch.tensor([text])).logits[0, -1].numpy()


class Dice(Rereading):
    """A language model thrown by dice: each text has its own logits, whatever they are."""

    def __init__(self, seed: int = 0, spread: float = 1.5) -> None:
        super().__init__()
        self.after = cache(lambda text: self._thrown(seed, spread, text))

    def texts(self) -> int:
        """How many texts it has read."""
        return int(self.after.cache_info().misses)

    def _thrown(self, seed: int, spread: float, text: Tokens) -> np.ndarray:
        random = np.random.default_rng((seed, *text))
        return (spread * random.normal(size=vocabulary("bytes-500").size)).astype(np.float32)


@cache
def model() -> LlamaForCausalLM:
    torch.manual_seed(7)
    config = LlamaConfig(
        vocab_size=vocabulary("bytes-500").size,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        initializer_range=0.3,
        bos_token_id=None,
        eos_token_id=0,
        pad_token_id=None,
    )
    return LlamaForCausalLM(config).eval()


@cache
def interesting_worlds(
    count: int = 6, least: int = 5, most: int = 60, hops: int = 1
) -> list[World]:
    """Some random worlds in which from `least` to `most` sentences can be said."""
    found: list[World] = []
    for seed in range(1000):
        world = random_world(seed)
        if world.hops >= hops and least <= count_sentences(seed) <= most:
            found.append(world)
        if len(found) == count:
            break
    return found


@cache
def count_sentences(seed: int) -> int:
    return len(sentences(automaton(random_world(seed))))


def automaton(world: World, words: TokenizerVocabulary | None = None) -> TokenAutomaton:
    return TokenAutomaton(language(world), words or vocabulary("bytes-500"))


def prompt(index: int) -> Tokens:
    return vocabulary("bytes-500").encode(PROMPTS[index % len(PROMPTS)])


def options(
    scorer: Rereading, start: Tokens, cursor: Cursor, temperature: float = 1.0
) -> Iterator[tuple[int, float]]:
    """What a cursor may say next, and the log-probability of each over all of them."""
    logits = scorer.after(start + cursor.tokens).astype(np.float64)
    offered = cursor.find_options().tolist()
    [end] = cursor.automaton.vocabulary.ends
    wished = [logits[end if token == END else token] / temperature for token in offered]
    total = np.log(sum(np.exp(wish - max(wished)) for wish in wished))
    for token, wish in zip(offered, wished, strict=True):
        yield token, float(wish - max(wished) - total)


def by_the_book(
    scorer: Rereading, machine: TokenAutomaton, start: Tokens, budget: int = 512
) -> dict[Tokens, float]:
    """The log-probability of every sentence, by following every option."""
    found: dict[Tokens, float] = {}
    first = open_cursor(machine, budget)
    stack = [] if first is None else [(first, 0.0)]
    while stack:
        cursor, score = stack.pop()
        for token, gain in options(scorer, start, cursor):
            if token == END:
                found[cursor.tokens] = score + gain
            else:
                stack.append((cursor.advance(token, score + gain, True), score + gain))
    return found
