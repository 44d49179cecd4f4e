"""Networks that read text block by block behind a cache: any of transformers, or a Llama."""

from __future__ import annotations

from typing import Any, Protocol

import torch
from torch import Tensor

from trellis.engines.llama import LlamaNetwork, is_plain_llama


class Network(Protocol):
    """A causal language model that remembers the rows of text that it has read."""

    def read_block(
        self, block: Tensor, positions: Tensor, seen: Tensor | None, last: Tensor
    ) -> None:
        """Read a block of tokens [rows, width] at some positions [rows, width].

        `seen` [rows, time] tells the text from the padding so far, with this block's; None where
        there is no padding. `last` [rows]: the column of each row's last token in the block.
        """
        ...

    def keep_rows(self, rows: Tensor) -> None:
        """Replace the rows: new row i is the old row `rows[i]`."""
        ...

    def compute_logits(self, tokens: Tensor | None) -> Tensor:
        """The logits of some tokens after each row [rows, tokens]; None: of the vocabulary."""
        ...


def open_network(model: Any) -> Network:
    """The network of a transformers model, with nothing read yet."""
    return LlamaNetwork(model) if is_plain_llama(model) else TransformersNetwork(model)


class TransformersNetwork:
    """Any causal language model, as transformers runs it."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self._cache: Any = None
        self._logits: Tensor  # [rows, vocabulary], after the last token of each row

    def read_block(
        self, block: Tensor, positions: Tensor, seen: Tensor | None, last: Tensor
    ) -> None:
        out = self._model(
            input_ids=block,
            attention_mask=None if seen is None else seen.long(),
            position_ids=positions,
            past_key_values=self._cache,
            use_cache=True,
            logits_to_keep=1 if seen is None else block.shape[1],
        )
        self._cache = out.past_key_values
        if seen is None:
            self._logits = out.logits[:, -1]
        else:
            self._logits = out.logits[torch.arange(len(block), device=block.device), last]

    def keep_rows(self, rows: Tensor) -> None:
        self._cache.reorder_cache(rows)

    def compute_logits(self, tokens: Tensor | None) -> Tensor:
        return self._logits if tokens is None else self._logits[:, tokens]
