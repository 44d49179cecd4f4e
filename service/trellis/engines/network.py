"""Networks that read text block by block behind a cache: any of transformers, or a Llama."""

from __future__ import annotations

from typing import Any, Protocol

import torch
from torch import Tensor
from transformers.cache_utils import DynamicCache, DynamicLayer

from trellis.automata.tokens.vocabulary import Tokens
from trellis.engines.llama import LlamaNetwork, is_plain_llama
from trellis.engines.text_memory import KeysValues, TextMemory


class Network(Protocol):
    """A causal language model that remembers the rows of text that it has read."""

    def read_text(self, tokens: Tokens, before: TextMemory | None) -> TextMemory | None:
        """What the network remembers of a text, which begins with a text that it remembers; None
        where it cannot remember a text apart. The rows are forgotten."""
        ...

    def begin(self, shared: TextMemory | None) -> None:
        """Begin anew; with a text, by one row of it, of which `keep_rows` makes several."""
        ...

    def read_block(
        self, block: Tensor, positions: Tensor, seen: Tensor | None, last: Tensor
    ) -> None:
        """Read a block of tokens [rows, width] at some positions [rows, width].

        `seen` [rows, time] tells the text from the padding so far, with this block's and without
        what rows share; None where there is no padding. `last` [rows]: the column of each row's
        last token in the block.
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
        self._shared = 0  # columns of the text that all rows begin with
        self._logits: Tensor  # [rows, vocabulary], after the last token of each row

    def read_text(self, tokens: Tokens, before: TextMemory | None) -> TextMemory | None:
        """As `Network.read_text`. Layers that forget (sliding windows, recurrent states) cannot be
        taken up in the middle of a text."""
        start = len(before.tokens) if before else 0
        if before and start == len(tokens):
            return before
        if any(type(layer) is not DynamicLayer for layer in self._open_cache().layers):
            return None
        self.begin(before)
        block = torch.tensor([tokens[start:]], device=self._model.device)
        positions = torch.arange(start, len(tokens), device=block.device)[None]
        self.read_block(block, positions, None, torch.tensor([-1], device=block.device))
        return TextMemory(tokens, tuple(_list_columns(layer) for layer in self._cache.layers))

    def _open_cache(self) -> Any:
        return DynamicCache(config=self._model.config)

    def begin(self, shared: TextMemory | None) -> None:
        """As `Network.begin`; each row gets a copy of the text."""
        self._cache, self._shared = None, len(shared.tokens) if shared else 0
        if shared:
            self._cache = self._open_cache()
            for at, layer in enumerate(shared.layers):
                keys, values = layer.keys.transpose(1, 2), layer.values.transpose(1, 2)
                self._cache.update(keys, values, at)

    def read_block(
        self, block: Tensor, positions: Tensor, seen: Tensor | None, last: Tensor
    ) -> None:
        out = self._model(
            input_ids=block,
            attention_mask=None if seen is None else self._add_shared(seen).long(),
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

    def _add_shared(self, seen: Tensor) -> Tensor:
        """The columns that hold text, with those that all rows share."""
        return torch.cat((seen.new_ones(len(seen), self._shared), seen), 1)

    def keep_rows(self, rows: Tensor) -> None:
        self._cache.reorder_cache(rows)

    def compute_logits(self, tokens: Tensor | None) -> Tensor:
        return self._logits if tokens is None else self._logits[:, tokens]


def _list_columns(layer: Any) -> KeysValues:
    return KeysValues(layer.keys.transpose(1, 2), layer.values.transpose(1, 2))
