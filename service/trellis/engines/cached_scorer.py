"""A transformers model as a scorer: one key–value cache for rows of different lengths.

Rows grow by blocks padded on the right; padding is masked out and takes no position. So a row's
logits do not depend on its neighbours' lengths. A long text with which all rows begin is read once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from trellis.automata.tokens.vocabulary import Tokens
from trellis.decoding.scorer import Logits
from trellis.engines.network import Network, open_network
from trellis.engines.text_memory import KeptTexts, TextMemory, find_common_beginning

_LEAST_SHARED = 64
"""Tokens from which on a text is worth being read apart, and kept."""


class CachedScorer:
    """Scores rows of tokens with a causal language model, and caches the keys and values."""

    def __init__(self, model: Any, kept: KeptTexts | None = None) -> None:
        """`kept`: texts that were read before, for whoever reads more of the same."""
        self._kept = kept or KeptTexts()
        self._device = model.device
        self._network: Network = open_network(model)
        self._shared = 0  # tokens that all rows begin with, and that are read apart
        self._seen = np.zeros((0, 0), bool)  # [rows, time]: text, and not padding, of what is not
        self._measured: tuple[NDArray[np.intp], Tensor] | None = None  # the last ones, as they came

    @torch.inference_mode()
    def begin(self, prompts: Sequence[Tokens]) -> None:
        shared = self._read_shared(prompts)
        self._shared = len(shared.tokens) if shared else 0
        self._network.begin(shared)
        if shared and len(prompts) > 1:
            self._network.keep_rows(self._to_device(np.zeros(len(prompts), np.intp)))
        self._seen = np.zeros((len(prompts), 0), bool)
        self._read_block([prompt[self._shared :] for prompt in prompts])

    def _read_shared(self, prompts: Sequence[Tokens]) -> TextMemory | None:
        """The text with which all prompts begin, where it is long enough to be read apart."""
        tokens = find_common_beginning(prompts)
        if len(tokens) < _LEAST_SHARED:
            return None
        memory = self._network.read_text(tokens, self._kept.find_beginning(tokens))
        if memory:
            self._kept.keep(memory)
        return memory

    @torch.inference_mode()
    def extend(self, parents: Sequence[int], tokens: Sequence[Tokens]) -> None:
        if list(parents) != list(range(len(self._seen))):
            rows = np.array(parents)
            self._network.keep_rows(self._to_device(rows))
            self._seen = self._seen[rows]
        self._read_block(tokens)

    @torch.inference_mode()
    def read_logits(self, rows: NDArray[np.intp], tokens: NDArray[np.intp]) -> Logits:
        distinct, columns = np.unique(tokens, return_inverse=True)
        logits = self._network.compute_logits(self._to_device(distinct))  # [rows, distinct]
        read: Logits = logits.float().cpu().numpy()[rows, columns]
        return read

    @torch.inference_mode()
    def measure_mass(
        self, rows: NDArray[np.intp], tokens: NDArray[np.intp] | None, temperature: float
    ) -> NDArray[np.float64]:
        wanted = None if tokens is None else self._place_measured(tokens)
        logits = self._network.compute_logits(wanted)[self._to_device(rows)].float()
        mass: NDArray[np.float64] = (logits / temperature).logsumexp(1).double().cpu().numpy()
        return mass

    def _place_measured(self, tokens: NDArray[np.intp]) -> Tensor:
        """Tokens on the device: at each step those of the same alphabet."""
        if self._measured is None or self._measured[0] is not tokens:
            self._measured = tokens, self._to_device(tokens)
        return self._measured[1]

    @torch.inference_mode()
    def _read_block(self, rows: Sequence[Tokens]) -> None:
        lengths = np.array([len(row) for row in rows])
        width = lengths.max()
        fresh = np.arange(width) < lengths[:, None]  # [rows, width]
        block = np.zeros(fresh.shape, np.int64)
        block[fresh] = np.concatenate(rows)
        before = self._seen.sum(1, keepdims=True)  # [rows, 1]: positions taken
        positions = self._shared + before + np.minimum(np.arange(width), lengths[:, None] - 1)
        self._seen = np.concatenate((self._seen, fresh), 1)
        self._network.read_block(
            self._to_device(block),
            self._to_device(positions),
            None if self._seen.all() else self._to_device(self._seen),
            self._to_device(lengths - 1),
        )

    def _to_device(self, values: NDArray[Any]) -> Tensor:
        return torch.from_numpy(values).to(self._device)
