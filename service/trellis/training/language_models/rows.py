"""Datasets of token rows, and the batches that are drawn from them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count

import torch
from torch import Tensor

from trellis.automata.tokens.vocabulary import Vocabulary, tokens_of
from trellis.training.examples import Example

IGNORED = -100

_DRAWN = 16  # batches that rows of like length are put together in


@dataclass(frozen=True, slots=True)
class TokenRows:
    """Examples as tokens: row i has `prompts[i]` tokens of prompt, then its target.

    `chosen[i]`: a byte for each token of the target, 0 where nothing else can be said there, so
    that decoding writes it by itself. `sayable` are the tokens that sentences of this graph consist
    of, ascending.
    """

    tokens: tuple[tuple[int, ...], ...]
    prompts: tuple[int, ...]
    weights: tuple[float, ...]
    chosen: tuple[bytes, ...]
    sayable: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.tokens)


def encode_examples(
    examples: Sequence[Example], vocabulary: Vocabulary, segments: Sequence[str] = ()
) -> TokenRows:
    """Prompt + each segment encoded alone + end-of-text: the one spelling that decoding has.

    `segments`: what can be said beside the examples' own.
    """
    end = min(vocabulary.ends)
    prompts = [tokens_of(row) for row in vocabulary.spell([e.prompt.render() for e in examples])]
    said = list(dict.fromkeys(chain(*(example.segments for example in examples), segments)))
    spelled = dict(zip(said, map(tokens_of, vocabulary.spell(said)), strict=True))
    choices = _find_choices(spelled)
    targets = [
        (*chain.from_iterable(spelled[segment] for segment in example.segments), end)
        for example in examples
    ]
    return TokenRows(
        tuple(p + t for p, t in zip(prompts, targets, strict=True)),
        tuple(map(len, prompts)),
        tuple(example.weight for example in examples),
        tuple(
            b"".join(choices[segment] for segment in example.segments) + b"\1"
            for example in examples
        ),
        tuple(sorted({end, *chain.from_iterable(spelled.values())})),
    )


def _find_choices(spelled: Mapping[str, tuple[int, ...]]) -> dict[str, bytes]:
    """For each segment, a byte for each of its tokens: 1 where another segment that begins alike
    goes on otherwise, or ends; the first token is always a choice, as other segments may come."""
    nexts: dict[Sequence[int], set[int | None]] = defaultdict(set)
    for tokens in spelled.values():
        for at in range(1, len(tokens) + 1):
            nexts[tokens[:at]].add(tokens[at] if at < len(tokens) else None)
    return {
        segment: bytes(at == 0 or len(nexts[tokens[:at]]) > 1 for at in range(len(tokens)))
        for segment, tokens in spelled.items()
    }


@dataclass(frozen=True, slots=True)
class Batch:
    """`inputs` [b, t]; `labels` [b, t], the token that follows, IGNORED in prompt and padding and
    where it is no choice."""

    inputs: Tensor
    labels: Tensor
    weights: Tensor  # b


def make_batch(rows: TokenRows, picked: Sequence[int], device: torch.device | None = None) -> Batch:
    """Some rows, padded on the right: a causal model never looks at padding."""
    length = max(len(rows.tokens[i]) for i in picked) - 1
    inputs = torch.zeros(len(picked), length, dtype=torch.long)
    labels = torch.full((len(picked), length), IGNORED, dtype=torch.long)
    for at, i in enumerate(picked):
        row = torch.tensor(rows.tokens[i])
        inputs[at, : len(row) - 1] = row[:-1]
        target = row[rows.prompts[i] :].clone()
        target[torch.frombuffer(bytearray(rows.chosen[i]), dtype=torch.uint8) == 0] = IGNORED
        labels[at, rows.prompts[i] - 1 : len(row) - 1] = target
    weights = torch.tensor([rows.weights[i] for i in picked])
    return Batch(inputs.to(device), labels.to(device), weights.to(device))


def shuffle_batches(lengths: Sequence[int], size: int, seed: int) -> Iterator[list[int]]:
    """Batches of row numbers for ever, an epoch after another; equal for equal seeds.

    Rows of like length go together, within some batches' worth of rows drawn at random, so that
    little of a batch is padding.
    """
    generator = torch.Generator().manual_seed(seed)
    while True:
        order = torch.randperm(len(lengths), generator=generator).tolist()
        batches: list[list[int]] = []
        for start in range(0, len(order), size * _DRAWN):
            drawn = sorted(order[start : start + size * _DRAWN], key=lambda i: lengths[i])
            batches += [drawn[at : at + size] for at in range(0, len(drawn), size)]
        for number in torch.randperm(len(batches), generator=generator).tolist():
            yield batches[number]


@dataclass(frozen=True, slots=True)
class Dataset:
    """The rows of a task; `share`: how many steps it takes, in proportion to other tasks.

    `held`: rows that are not learnt from, but judged by.
    """

    task: str
    rows: TokenRows
    share: float = 1.0
    held: TokenRows | None = None


def draw_batches(
    datasets: Sequence[Dataset], size: int, seed: int
) -> Iterator[tuple[Dataset, list[int]]]:
    """Batches for ever, each of one dataset; a dataset's turns are spread evenly by its share."""
    streams = [
        shuffle_batches([len(row) for row in dataset.rows.tokens], size, seed)
        for dataset in datasets
    ]
    total = sum(dataset.share for dataset in datasets)
    taken = [0] * len(datasets)
    for step in count(1):
        owed = [
            dataset.share / total * step - n for dataset, n in zip(datasets, taken, strict=True)
        ]
        turn = owed.index(max(owed))
        taken[turn] += 1
        yield datasets[turn], next(streams[turn])
