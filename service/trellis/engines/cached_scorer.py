"""A transformers model as a scorer: one key–value cache for rows of different lengths.

Rows grow by blocks padded on the right; padding is masked out and takes no position. So a row's
logits do not depend on its neighbours' lengths.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from trellis.automata.vocabulary import Tokens
from trellis.decoding.scorer import Logits


class CachedScorer:
    """Scores rows of tokens with a causal language model, and caches the keys and values."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self._device = model.device
        self._cache: Any = None
        self._seen = torch.zeros((0, 0), dtype=torch.long, device=self._device)  # [rows, time]

    def begin(self, prompts: Sequence[Tokens]) -> Logits:
        self._cache = None
        self._seen = torch.zeros((len(prompts), 0), dtype=torch.long, device=self._device)
        return self._read_block(prompts)

    def extend(self, parents: Sequence[int], tokens: Sequence[Tokens]) -> Logits:
        if list(parents) != list(range(len(self._seen))):
            rows = torch.tensor(parents, device=self._device)
            self._cache.reorder_cache(rows)
            self._seen = self._seen[rows]
        return self._read_block(tokens)

    @torch.inference_mode()
    def _read_block(self, rows: Sequence[Tokens]) -> Logits:
        """Logits after the last token of each row, [rows, vocabulary]."""
        width = max(map(len, rows))
        block = torch.tensor([[*row, *[0] * (width - len(row))] for row in rows])  # [rows, width]
        fresh = torch.tensor([[1] * len(row) + [0] * (width - len(row)) for row in rows])
        block, fresh = block.to(self._device), fresh.to(self._device)
        before = self._seen.sum(1, keepdim=True)  # [rows, 1]: positions taken
        self._seen = torch.cat((self._seen, fresh), 1)
        padded = not bool(self._seen.all())
        out = self._model(
            input_ids=block,
            attention_mask=self._seen if padded else None,
            position_ids=before + (fresh.cumsum(1) - 1).clamp(min=0),
            past_key_values=self._cache,
            use_cache=True,
            logits_to_keep=width if padded else 1,
        )
        self._cache = out.past_key_values
        last = fresh.sum(1) - 1 if padded else torch.zeros(len(rows), dtype=torch.long)
        logits = out.logits[torch.arange(len(rows)), last.to(self._device)]  # [rows, vocabulary]
        scores: Logits = logits.float().cpu().numpy().astype(np.float32, copy=False)
        return scores
