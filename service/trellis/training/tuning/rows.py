"""Prompts and their sentences as tokens, and the rows that are held out of training."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np

from trellis.automata.tokens.vocabulary import TokenizerVocabulary
from trellis.engines.general import encode_prompt
from trellis.models.chat_template import ChatTemplate
from trellis.training.examples import Example
from trellis.training.judged_questions import draw_prompts

_HELD, _MOST_HELD, _LEAST_PROMPTS = 0.05, 200, 100
"""The share of different prompts that are held out, the most of them, and the fewest prompts that
any are held out of."""


@dataclass(frozen=True, slots=True)
class SentenceRow:
    """The tokens of a prompt and of its sentence; the first `prompt` are the prompt's."""

    tokens: tuple[int, ...]
    prompt: int
    weight: float = 1.0

    @property
    def sentence(self) -> int:
        """The tokens of the sentence, with the one that ends it."""
        return len(self.tokens) - self.prompt


@dataclass(frozen=True, slots=True)
class SplitRows:
    """The rows that are learnt, and those that are judged by."""

    learnt: tuple[SentenceRow, ...]
    held: tuple[SentenceRow, ...]

    @property
    def longest(self) -> int:
        """The tokens of the longest row."""
        return max(len(row.tokens) for row in (*self.learnt, *self.held))

    @property
    def longest_sentence(self) -> int:
        """The tokens of the longest sentence."""
        return max(row.sentence for row in (*self.learnt, *self.held))


def encode_examples(
    examples: Sequence[Example],
    vocabulary: TokenizerVocabulary,
    template: ChatTemplate,
    context: int,
) -> list[SentenceRow]:
    """The rows of examples: each segment is encoded alone, as decoding spells it.

    What the model cannot read whole is left out. Weights are brought to a mean of 1.
    """
    end = template.find_turn_end(vocabulary)
    rows = []
    for example in examples:
        prompt = encode_prompt(example.prompt, vocabulary, template)
        said = chain.from_iterable(map(vocabulary.encode, example.segments))
        row = SentenceRow((*prompt, *said, end), len(prompt), example.weight)
        if len(row.tokens) <= context:
            rows.append(row)
    return _level_weights(rows)


def split_rows(rows: Sequence[SentenceRow]) -> SplitRows:
    """Hold out some prompts, each with all its rows; none where there are few. Equal for equal
    rows."""
    prompts = (row.tokens[: row.prompt] for row in rows)
    held = draw_prompts(prompts, _HELD, _MOST_HELD, _LEAST_PROMPTS)
    return SplitRows(
        tuple(row for row in rows if row.tokens[: row.prompt] not in held),
        tuple(row for row in rows if row.tokens[: row.prompt] in held),
    )


def write_rows(path: Path, rows: Sequence[SentenceRow]) -> None:
    """Write rows to a file."""
    np.savez(
        path,
        tokens=np.fromiter(chain.from_iterable(row.tokens for row in rows), np.int32),
        lengths=np.array([len(row.tokens) for row in rows], np.int32),
        prompts=np.array([row.prompt for row in rows], np.int32),
        weights=np.array([row.weight for row in rows], np.float64),
    )


def read_rows(path: Path) -> Iterator[SentenceRow]:
    """The rows of a file."""
    with np.load(path) as kept:
        tokens = kept["tokens"]
        columns = kept["lengths"], kept["prompts"], kept["weights"]
    start = 0
    for length, prompt, weight in zip(*columns, strict=True):
        own = tuple(tokens[start : start + length].tolist())
        yield SentenceRow(own, int(prompt), float(weight))
        start += length


def _level_weights(rows: Sequence[SentenceRow]) -> list[SentenceRow]:
    mean = sum(row.weight for row in rows) / max(1, len(rows))
    return [SentenceRow(row.tokens, row.prompt, row.weight / mean) for row in rows]
