"""Applies masks to logits with xgrammar's kernels: the last step of both processors.

An engine tells log-probabilities after masking, and nothing of what the mask refused. So where a
request asks for it, two tokens that its mask refuses are lifted above all others, as witnesses:
the second stands `WITNESS_LEAD` above the sum of what is allowed, and the first above it by as much
as the mask took (`Support`). From their log-probabilities the asker computes both.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from xgrammar import apply_token_bitmask_inplace

from trellis.automata.tokens.masks import Mask, count_words, find_refused
from trellis.worker.slots import Slots

WITNESSES = 2
"""How many tokens beside the allowed ones tell the share of a mask."""

WITNESS_LEAD = 16.0
"""How far the second witness stands above the sum of the allowed tokens, as a logarithm."""

_MOST_REFUSED = 64.0  # as a logarithm; beyond that float32 no longer tells the rest apart


@dataclass(frozen=True, slots=True)
class WitnessedRow:
    """A row of logits whose mask's share is told: of which alphabet, and by which two tokens."""

    row: int
    alphabet: Mask
    witnesses: tuple[int, ...]


class LogitsMasker:
    """Masks the rows of a batch whose requests are constrained, and leaves the others unchanged.

    `ends`: the ids that end a text. `rows`: the most rows of a batch. `size`: that of the
    vocabulary.
    """

    def __init__(
        self, slots: Slots, ends: Collection[int], rows: int, size: int, device: torch.device
    ) -> None:
        self._slots = slots
        self._ends = sorted(ends)
        self._device = device
        self._size = size
        pinned = device.type == "cuda"
        shape = (rows, count_words(size))
        self._masks = torch.zeros(shape, dtype=torch.int32, pin_memory=pinned)
        self._words = self._masks.numpy()

    def apply(
        self, logits: Tensor, tokens_by_row: Mapping[int, tuple[int, Sequence[int]]]
    ) -> Tensor:
        """Mask `logits` [rows, vocabulary] in place.

        `tokens_by_row`: for each row of a constrained request, its slot and the tokens it has
        generated.
        """
        rows = sorted(tokens_by_row)
        if not rows:
            return logits
        for row in rows:
            slot, tokens = tokens_by_row[row]
            self._slots.fill_mask(slot, tokens, self._words[row])
        self._divide_by_temperatures(
            logits, rows, [self._slots.temperature_of(tokens_by_row[row][0]) for row in rows]
        )
        if len(self._ends) > 1:
            self._join_ends(logits, rows)
        masks = self._masks[: rows[-1] + 1].to(self._device, non_blocking=True)
        width = min(logits.shape[-1], 32 * masks.shape[-1])
        witnessed = self._list_witnessed(rows, tokens_by_row)
        totals = self._sum_alphabets(logits[:, :width], witnessed)
        logits[rows, width:] = -torch.inf
        apply_token_bitmask_inplace(logits, masks, vocab_size=width, indices=rows)
        self._raise_witnesses(logits, witnessed, totals)
        return logits

    def _list_witnessed(
        self, rows: Sequence[int], tokens_by_row: Mapping[int, tuple[int, Sequence[int]]]
    ) -> list[WitnessedRow]:
        """The rows whose requests want to know the share of their mask, as far as it can be told:
        the mask has to refuse two tokens."""
        found = []
        for row in rows:
            alphabet = self._slots.alphabet_of(tokens_by_row[row][0])
            if alphabet is not None:
                witnesses = find_refused(self._words[row], self._size, WITNESSES)
                found.append(WitnessedRow(row, alphabet, tuple(witnesses.tolist())))
        return [each for each in found if len(each.witnesses) == WITNESSES]

    def _sum_alphabets(self, logits: Tensor, witnessed: Sequence[WitnessedRow]) -> Tensor:
        """The log-sum-exp [witnessed] of the logits of each row's alphabet, before masking."""
        if not witnessed:
            return logits.new_empty(0)
        masks = np.full((len(witnessed), self._words.shape[1]), -1, np.int32)
        for at, each in enumerate(witnessed):
            if len(each.alphabet):
                masks[at] = 0
                masks[at, : len(each.alphabet)] = each.alphabet[: masks.shape[1]]
        rows = logits[[each.row for each in witnessed]]
        apply_token_bitmask_inplace(
            rows, torch.from_numpy(masks).to(self._device), vocab_size=logits.shape[-1]
        )
        return rows.logsumexp(1)

    def _raise_witnesses(
        self, logits: Tensor, witnessed: Sequence[WitnessedRow], totals: Tensor
    ) -> None:
        """Lift two refused tokens of each masked row above all others; `totals` [witnessed]."""
        if not witnessed:
            return
        rows = torch.tensor([each.row for each in witnessed], device=logits.device)
        places = torch.tensor([each.witnesses for each in witnessed], device=logits.device)
        allowed = logits[rows].logsumexp(1)
        refused = (totals - allowed).clamp(0.0, _MOST_REFUSED)
        logits[rows, places[:, 1]] = allowed + WITNESS_LEAD
        logits[rows, places[:, 0]] = allowed + WITNESS_LEAD + refused

    def _divide_by_temperatures(
        self, logits: Tensor, rows: list[int], temperatures: list[float]
    ) -> None:
        if any(temperature != 1.0 for temperature in temperatures):
            logits[rows] /= torch.tensor(np.array(temperatures)[:, None]).to(logits)

    def _join_ends(self, logits: Tensor, rows: list[int]) -> None:
        """Move the probability of all ids that end a text to the first of them."""
        at = torch.tensor(rows, device=logits.device)[:, None]
        ends = torch.tensor(self._ends, device=logits.device)
        together = logits[at, ends].logsumexp(1)
        logits[at, ends] = -torch.inf
        logits[at[:, 0], ends[0]] = together
