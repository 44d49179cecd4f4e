"""Applies masks to logits with xgrammar's kernels: the last step of both processors."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
import torch
from torch import Tensor
from xgrammar import apply_token_bitmask_inplace

from trellis.automata.masks import count_words
from trellis.worker.slots import Slots


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
        logits[rows, width:] = -torch.inf
        apply_token_bitmask_inplace(logits, masks, vocab_size=width, indices=rows)
        return logits

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
