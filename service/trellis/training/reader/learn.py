"""Teaches the network: batches, the loss, and the steps of the optimiser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from time import monotonic

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from trellis.models.reader.network import ReaderNetwork, compare_words
from trellis.training.reader.batches import Array, LessonBatch

_EVERYTHING = 0.15  # weight of the loss over all moves of an example, whatever may be said
_RATE, _ENCODER_RATE = 1e-3, 3e-4
_WARM_UP = 200  # steps
_DECAY = 0.01
_CLIP = 1.0
_TOLD = 10  # steps between two reports
_HIDDEN = -1e4
_SIZES = (4, 6, 10)  # tokens of texts that are read together, at most


@dataclass(frozen=True)
class BatchScores:
    """The logits [batch, steps, moves] of a batch, with what may be said and what is."""

    logits: Tensor
    options: Tensor
    said: Tensor

    @property
    def loss(self) -> Tensor:
        """The mean loss of the steps that have a choice."""
        flat = self.logits.flatten(0, 1).float()
        options, said = self.options.flatten(0, 1), self.said.flatten().long()
        said = torch.where(options.sum(-1) > 1, said, -100)
        among = functional.cross_entropy(flat.masked_fill(~options, _HIDDEN), said)
        own = self.options.any(1, keepdim=True).expand_as(self.options).flatten(0, 1)
        everything = functional.cross_entropy(flat.masked_fill(~own, _HIDDEN), said)
        return (1 - _EVERYTHING) * among + _EVERYTHING * everything

    def find_right(self) -> NDArray[np.bool_]:
        """Which sentences [batch] are right at every step that has a choice."""
        best = self.logits.masked_fill(~self.options, -torch.inf).argmax(-1)
        right = (best == self.said) | (self.said < 0) | (self.options.sum(-1) < 2)
        found: NDArray[np.bool_] = right.all(-1).cpu().numpy()
        return found


@dataclass(frozen=True)
class ReadBatch:
    """A batch as the network reads it: `tokens` [batch, tokens, base] of the questions, `texts`
    [texts, base] of what moves say, `expected` [batch, steps, width] and `logits` [batch, steps,
    moves] at each step."""

    tokens: Tensor
    texts: Tensor
    expected: Tensor
    logits: Tensor


def score_batch(network: ReaderNetwork, batch: LessonBatch, device: str) -> BatchScores:
    """The logits of a batch."""
    logits = read_batch(network, batch, device).logits
    options, said = (torch.from_numpy(each).to(device) for each in (batch.options, batch.said))
    return BatchScores(logits, options, said)


def read_batch(network: ReaderNetwork, batch: LessonBatch, device: str) -> ReadBatch:
    """What the network makes of a batch."""

    def place(array: Array) -> Tensor:
        return torch.from_numpy(array).to(device)

    texts = batch.texts
    moves, shown, words = place(batch.moves).long(), place(batch.shown).long(), place(texts.words)
    seen = place(texts.question_seen)
    if texts.vectors is None or texts.question_vectors is None:
        tokens = network.encoder(place(texts.question_ids), seen)
        vectors = _read_texts(network, place(texts.ids), place(texts.seen))
    else:
        tokens, vectors = place(texts.question_vectors), place(texts.vectors)
    questions = network.read_question_vectors(tokens, seen)
    # `index_select` adds gradients side by side, where indexing takes equal places in turn
    rows = network.read_moves(
        vectors.index_select(0, moves[:, 2]),
        vectors.index_select(0, moves[:, 3]),
        moves[:, 0],
        moves[:, 1],
    )
    rows = rows.index_select(0, shown.flatten()).view(*shown.shape, -1)
    features = compare_words(
        words[moves[:, 2]][shown], words[moves[:, 3]][shown], place(texts.question_words)
    )
    matched = network.match_moves(rows, questions, features.to(rows.dtype))
    said = place(batch.said)
    before = said[:, :-1].long().clamp(min=0)[..., None]
    behind = matched.rows + matched.looks
    history = behind.gather(1, before.expand(-1, -1, behind.shape[-1]))
    expected = network.decode_steps(history, questions, place(batch.task).long())
    return ReadBatch(tokens, vectors, expected, network.score_moves(expected, questions, matched))


def _read_texts(network: ReaderNetwork, ids: Tensor, seen: Tensor) -> Tensor:
    """The vectors of texts, short ones beside short ones."""
    sizes = seen.sum(1)
    order = sizes.argsort()
    bounds = [0, *(int((sizes <= size).sum()) for size in _SIZES), len(ids)]
    parts = []
    for first, last in pairwise(bounds):
        if last > first:
            own, longest = order[first:last], int(sizes[order[last - 1]])
            parts.append(network.read_texts(ids[own, :longest], seen[own, :longest]))
    return torch.cat(parts).index_select(0, order.argsort())


def learn(
    network: ReaderNetwork,
    batches: Iterator[LessonBatch],
    device: str,
    report: Callable[[int, float, float], None],
    measure_done: Callable[[int], float],
    *,
    share: float = 1.0,
    warm_up: int = _WARM_UP,
) -> int:
    """Teach the network and give the number of steps.

    `measure_done`: which share of the learning is done before a step; with it the rate falls to
    nothing, from a `share` of the usual one, which is reached after `warm_up` steps. `report` is
    told now and then the step, its loss and the seconds so far.
    """
    optimizer = _build_optimizer(network)
    begun, step = monotonic(), 0
    for batch in batches:
        done = measure_done(step)
        if done >= 1:
            break
        scale = share * min(1.0, (step + 1) / warm_up) * (1 - done)
        for group in optimizer.param_groups:
            group["lr"] = group["full_rate"] * scale
        with torch.autocast("cuda", torch.bfloat16, enabled=device.startswith("cuda")):
            loss = score_batch(network, batch, device).loss
        optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(network.parameters(), _CLIP)
        optimizer.step()
        step += 1
        if step % _TOLD == 0:
            report(step, float(loss.detach()), monotonic() - begun)
    return step


def _build_optimizer(network: ReaderNetwork) -> torch.optim.Optimizer:
    """The optimiser; what the encoder has learnt before is changed more slowly."""
    learnt = [(n, p) for n, p in network.named_parameters() if p.requires_grad]
    groups = [
        {"params": [p for n, p in learnt if n.startswith("encoder.") == own], "full_rate": rate}
        for own, rate in ((False, _RATE), (True, _ENCODER_RATE))
    ]
    return torch.optim.AdamW(groups, lr=_RATE, weight_decay=_DECAY)
